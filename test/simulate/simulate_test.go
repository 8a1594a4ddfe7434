// Package simulate runs onward's own code through nights that are drawn from a seed, with agents that are lazy, lie,
// crash and reach limits, a user who steers, a store that fails, and a clock that jumps.
// No process is started, no file is written, and no real time passes. A referee checks the invariants at every step.
package simulate

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"onward/internal/agents"
	"onward/internal/run"
	"onward/internal/session"
	"onward/test/storetest"
)

// found are the seeds of worlds that once broke an invariant. They always run.
var found = []uint64{90, 499, 722, 749, 1265, 2050, 3381, 5746, 7278, 7789, 7861, 7965, 8560, 9455, 11939, 12981, 13064, 13585, 14635, 15868, 17054, 17484, 18012, 20099, 21085, 21713, 22540, 23977, 24408, 24718, 28461, 29215, 31309, 34127, 38828, 74215, 76097, 78407, 82833, 93029, 113365, 121663, 122925, 126829, 142122, 155232, 179473, 321092, 338428, 338482, 500224, 509948, 534503, 580340, 627316, 643624, 644077, 669071, 757905, 838446, 875540, 926099, 1004496, 2007358, 2010833, 2011563, 4562, 6105, 8543, 3000862, 3002557, 5000550, 5006714, 57915, 777712, 27763, 47738}

var (
	worlds = flag.Int("worlds", 200, "how many worlds")
	from   = flag.Uint64("from", 1, "the seed of the first of them; the others follow")
	only   = flag.Uint64("seed", 0, "the one world of this seed, with a log of its night")
)

// newWorld returns an empty world.
func newWorld(d *dice) *world {
	return &world{dice: d, memory: storetest.NewMemory(), tally: map[string]int{}, alive: map[int]bool{}, gates: map[string]string{}, proving: map[string]bool{}, executing: map[string]int{}, lasts: night, referee: newReferee(), most: 400}
}

// draw returns the world of a seed, with its actors.
func draw(d *dice) *world {
	w := newWorld(d)
	throw := func(weights ...int) int { return d.choose(0, weights...) }
	w.trouble = []int{0, 5, 30, 100}[throw(3, 2, 2, 1)]
	w.slow = []int{0, 100, 1500}[throw(3, 1, 1)]
	w.style = plan{settings: map[string]string{}, need: d.roll(0, 4)}
	if throw(2, 1) == 1 {
		w.style.settings["gate"] = "make test"
		w.style.gate = throw(3, 1, 1, 1)
	}
	if throw(2, 1) == 1 {
		w.style.settings["max-total"] = fmt.Sprint(2 + d.roll(0, 6))
	}
	if throw(4, 1) == 1 {
		w.style.settings["countdown"] = "30s"
	}
	if throw(8, 1) == 1 {
		w.style.settings["cooldown"] = "10m"
	}
	w.style.costs = throw(1, 1) == 1
	w.crowd = 1 + throw(3, 1)
	if d.choose(1, 4, 1) == 1 {
		w.crowd, w.lasts, w.most = 1, 10*24*time.Hour, 4000
		w.nightly = true
		if d.choose(1, 2, 1) == 1 {
			w.style.settings["max-tokens"] = fmt.Sprint(20_000 * (1 + d.roll(1, 5)))
		}
	}
	for i := range w.crowd {
		g := w.agent(fmt.Sprintf("a%d", i+1))
		g.draws()
		w.agents = append(w.agents, g)
	}
	w.drawFiles()
	if throw(1, 4) == 1 {
		w.spawn("user", func(a *actor) { user{a}.live() })
	}
	if throw(2, 1) == 1 {
		w.spawn("machine", func(a *actor) { machine{a}.live() })
	}
	if throw(5, 1) == 1 && !w.nightly { // a night of `onward run` lasts ten days
		if w.joinWorkers(2 + d.roll(0, 3)); throw(1, 1) == 1 {
			w.style.settings["claim-lease"] = "10m"
		}
	}
	return w
}

// agent adds an agent with a random character.
func (w *world) agent(id string) *agent {
	g := &agent{id: id, list: session.Name{Session: project}, wakes: true, marker: "CLAUDECODE"}
	g.actor = w.spawn("agent", func(*actor) {
		if k, ok := g.program.(*kept); ok {
			g.serve(k)
		}
		g.live()
	})
	if len(w.agents) > 0 {
		g.name = "agent2"
		if g.choice(1, 1) == 1 {
			w.count("agent", "works in a linked worktree")
			g.place, g.list = worktree, session.Name{Session: worktree.Session}
		}
		if w.roll(2, 3) == 1 {
			w.count("agent", "works on another machine")
			g.far, g.skew = true, []time.Duration{time.Second, -time.Second, 40 * time.Second, -40 * time.Second, 3 * time.Hour, -3 * time.Hour}[w.roll(2, 6)]
			w.jumped = w.jumped || g.skew.Abs() > time.Second
		}
	}
	g.honesty = []int{10, 7, 3, 0}[g.choice(2, 3, 2, 2)]
	g.lateby = g.choice(4, 1, 1)
	if g.choice(2, 1) == 1 {
		g.usual = g.upTo(ways)
	}
	return g
}

// draws chooses the program of an agent.
func (g *agent) draws() {
	w := g.world
	if w.nightly {
		g.isKept()
		return
	}
	switch g.choice(3, 1, 1) {
	case 1:
		g.program = &script{}
	case 2:
		g.program = &stream{}
		if w.crowd > 1 {
			g.program = &script{} // a loop around a second agent would not know which list is its own
		}
	default:
		name := agentNames()[g.choice(4, 1, 1, 1, 1)]
		g.program = &hooks{dialect: dialects[name], row: agents.Hook(name), gates: []time.Duration{10 * time.Minute, 10 * time.Second}[g.choice(5, 1)], echo: g.choice(2, 1) == 1}
		g.wakes, g.marker = dialects[name].wakes, dialects[name].marker
		w.count("program", "hooks of "+name)
	}
	w.count("program", strings.TrimPrefix(fmt.Sprintf("is %T", g.program), "is *simulate."))
}

// runWorld draws a world and runs it to its end.
func runWorld(d *dice) *world {
	w := draw(d)
	w.run()
	return w
}

func TestWorlds(t *testing.T) {
	if *only > 0 {
		w := runWorld(newDice(*only))
		t.Log("\n" + strings.Join(w.log, "\n"))
		if w.broken != nil {
			t.Errorf("seed %d: invariant %d: %s", *only, w.broken.number, w.broken.what)
		}
		return
	}
	for _, seed := range found {
		if os.Getenv("ONWARD_TORTURED") != "" {
			break // a mutant must be caught by the random worlds
		}
		if w := runWorld(newDice(seed)); w.broken != nil {
			t.Error(story(seed, w))
		}
	}
	var next, bad, runs, prompts atomic.Uint64
	var group sync.WaitGroup
	var all sync.Mutex
	tally := map[string]int{}
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for {
				seed := *from + next.Add(1) - 1
				if seed >= *from+uint64(*worlds) || bad.Load() > 2 {
					return
				}
				w := runWorld(newDice(seed))
				if w.broken != nil {
					bad.Add(1)
					t.Error(story(seed, w))
				}
				runs.Add(uint64(w.runs))
				prompts.Add(uint64(w.prompts))
				all.Lock()
				for what, n := range w.tally {
					tally[what] += n
				}
				all.Unlock()
			}
		})
	}
	group.Wait()
	t.Logf("%d worlds: %d runs of onward, %d continuations", *worlds, runs.Load(), prompts.Load())
	for _, what := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%8d  %s", tally[what], what)
	}
	for _, what := range stories() {
		if *worlds >= 2000 && bad.Load() == 0 && tally[what] == 0 {
			t.Errorf("in %d worlds it never occurred that %s", *worlds, what)
		}
	}
}

// stories returns what must occur at least once in 2,000 worlds: what agents, users, programs and stores do, and onward's answers.
func stories() (all []string) {
	add := func(who string, whats ...string) {
		for _, what := range whats {
			if what != "" {
				all = append(all, who+" "+what)
			}
		}
	}
	add("agent", wayWords[:]...)
	add("agent", "wakes itself up", "is killed", "tries to approve its own call", "works in a linked worktree", "works on another machine", "has a sub-agent")
	add("user", answerWords[:]...)
	add("user", userWords[:]...)
	add("user", "stop --now", "interrupts", "steers in the middle", "set, for the session", "set, for the project", "unset, for the session", "unset, for the project")
	add("onward", "runs a tool call")
	for _, outcome := range []run.Outcome{run.Done, run.Unproven, run.NeedsYou, run.AtLimit, run.WaitedTooLong, run.Stopped, run.Failed, run.Interrupted} {
		add("run", "ends "+string(outcome))
	}
	for _, text := range []run.PromptKind{run.Task, run.Prompt, run.ListOnly, run.Check, run.Handover} {
		add("run", "starts a turn: "+text.String())
	}
	add("run", "has 2 agents", "has 3 agents", "goes on with another agent", "waits with several agents")
	add("run", "is proven", "is checked", "is claimed", "waits", "is killed", "is taken up", "is stopped within a turn")
	add("agent", "cannot resume", "is limited on standard error", "has a conversation whose requests are refused")
	add("store", faultWords[:]...)
	add("store", "is silent")
	add("worker", "claims an item", "finds nothing ready", "releases its item", "blocks its item", "dies with an item in hand", "hangs longer than its lease", "is refused what another one holds", "renews its claim", "loses an item to a person", "is given an item that comes after another one", "has its run killed", "has its run suspended", "interrupts its run", "has a run that ends done", "has a run that ends needs_you", "has a run that ends stopped", "has a run that ends interrupted", "has its item completed while a run works on it", "has a gate that passes", "has a gate that fails", "has a gate that cannot be started", "has the gate of an item changed", "has an item with a gate completed by an agent's own write", "has its queue written anew by an agent")
	add("machine", "has its clock set", "is started again", "has a full disk")
	add("program", "hooks of claude", "hooks of codex", "hooks of gemini", "hooks of qwen", "hooks of opencode", "script", "stream", "runs its stop hook twice", "does not run its stop hook", "runs its stop hook late", "runs a hook late", "does not run a hook", "runs a hook twice")
	for _, reason := range []string{
		"continue", "message", "done", "no_list", "dropped", "stopped", "aborted", "paused", "question", "disabled", "blocked", "working", "background",
		"compaction", "rate_limited", "backoff", "failures", "host_error", "context_full", "total", "attempts", "stalled", "gate", "gate_broken", "unproven", "duplicate", "budget", "cooldown", "approval", "tools_pending",
	} {
		add("onward", "answers "+reason)
	}
	return all
}

// TestSeedRepeats runs worlds twice. Both runs must have the same log.
func TestSeedRepeats(t *testing.T) {
	for seed := range uint64(20) {
		first, second := runWorld(newDice(seed)), runWorld(newDice(seed))
		if !slices.Equal(first.log, second.log) {
			t.Errorf("seed %d: two nights differ\n%s\n\n%s", seed, strings.Join(first.log, "\n"), strings.Join(second.log, "\n"))
		}
	}
}
