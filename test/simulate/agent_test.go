package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// agent is a model with its program. It has a list of its own in its head, and tells onward about it as its program does:
// by hooks, by events of a script around it, or by the stream that `onward ingest` reads.
type agent struct {
	*actor
	program
	list    session.Name // where onward keeps its list, as far as it knows
	id      string       // of its conversation
	process *session.Process
	todos   []todo.Item // its list, as it believes it to be
	really  int         // how many items it has really done
	lateby  int         // turns until it writes its first list
	usual   int         // what it does when it does not work honestly
	honesty int         // how often it does, of 10 turns
	inbox   []string    // prompts of the user
	stopped bool        // the user has interrupted it
	killed  bool        // its machine has ended it
	turns   int
	wakes   bool          // it can wake itself up
	marker  string        // the variable in the shells that it starts
	spent   int           // on them, in tenths of a dollar, and hundreds of tokens
	beside  []string      // its background work
	busy    bool          // a turn runs
	shift   *shift        // the runs that start it; nil: it is its own
	job     *job          // that it was started for; nil: it is not at work
	until   time.Duration // its host takes no requests
	refused int           // turns before that
	tokens  int           // that its turns have cost
	finds   bool          // it does what is missing once its list is finished
}

// program is what brings an agent's doings to onward.
type program interface {
	begins(g *agent, how string)            // a conversation begins, or comes back
	prompted(g *agent, text, source string) // the agent is given a prompt
	turn(g *agent)                          // a turn begins
	tool(g *agent)                          // the agent uses a tool
	wrote(g *agent)                         // it writes its list
	// Each end of a turn reports whether onward continues the agent.
	ended(g *agent, message string) bool
	failed(g *agent, class continuation.ErrorClass, after time.Duration) bool
	crashed(g *agent) bool
	aborted(g *agent)
}

// The ways to spend a turn.
const (
	work = iota
	lazy
	lies
	loops
	empties
	drops
	cancels
	grows
	splits
	pauses
	asks
	background
	compacts
	limitedUntil
	limited
	overflows
	refused
	serverFails
	crashes
	sleeps
	leaves
	schedules
	ways
)

var wayWords = [ways]string{
	work: "works", lazy: "is lazy", lies: "lies", loops: "loops", empties: "empties its list", drops: "drops an item",
	cancels: "cancels everything", grows: "grows its list", splits: "splits an item", pauses: "pauses", asks: "asks the user",
	background: "works in the background", compacts: "compacts", limitedUntil: "is limited until a time", limited: "is limited",
	overflows: "overflows its context", refused: "is refused", serverFails: "meets a server that fails", crashes: "crashes",
	sleeps: "hangs", leaves: "leaves a message for the next turn", schedules: "schedules tool calls",
}

// live is the night of an agent.
func (g *agent) live() {
	g.pass(time.Second)
	g.process = g.starts()
	g.begins(g, "startup")
	g.user("make a plan and do it")
	for {
		if !g.spend() {
			g.idle()
		}
	}
}

// user is a prompt that the user types.
func (g *agent) user(text string) {
	g.stopped = false
	g.say("user", "prompts %s: %s", g.name, text)
	g.prompted(g, text, "user")
}

// idle waits for the user, or for what the agent has scheduled itself.
func (g *agent) idle() {
	g.busy = false
	for {
		if len(g.inbox) > 0 {
			text := g.inbox[0]
			g.inbox = g.inbox[1:]
			g.user(text)
			return
		}
		switch g.choice(8, 1, 1) {
		case 1:
			if len(g.beside) > 0 {
				g.endBackground()
			}
		case 2:
			if g.process != nil && g.wakes {
				g.count("agent", "wakes itself up")
				g.say(g.name, "wakes itself up")
				g.prompted(g, "time to look again", "program")
				return
			}
		}
		g.pass(5 * time.Minute)
	}
}

// spend spends a turn, and reports whether onward continues the agent.
func (g *agent) spend() (goes bool) {
	if g.process == nil {
		g.process = g.starts()
		g.begins(g, "resume")
	}
	g.turns++
	g.spent += 1 + g.upTo(3)
	g.busy = true
	g.turn(g)
	g.pass(10 * time.Second)
	way := work
	if g.upTo(10) >= g.honesty {
		if way = g.usual; way == work {
			way = g.choice(slices.Repeat([]int{1}, ways)...)
		}
	}
	if g.turns > g.lateby && g.todos == nil && way != lazy {
		g.plan()
	}
	g.count("agent", wayWords[way])
	message, end := g.act(way)
	defer func() { g.busy = goes }()
	switch {
	case g.killed:
		g.count("agent", "is killed")
		g.killed = false
		g.dies()
		return false
	case g.stopped:
		g.count("user", "interrupts")
		g.say("user", "interrupts %s", g.name)
		g.aborted(g)
		return false
	case end != nil:
		return end()
	case len(g.inbox) > 0 && g.choice(1, 1) == 1:
		// The user steers in the middle: the prompt is part of the turn.
		g.count("user", "steers in the middle")
		text := g.inbox[0]
		g.inbox = g.inbox[1:]
		g.user(text)
	}
	return g.ended(g, message)
}

// plan writes the first list.
func (g *agent) plan() {
	for range 2 + g.upTo(4) {
		g.todos = append(g.todos, todo.Item{Content: g.text("item"), Status: todo.Pending})
	}
	g.say(g.name, "writes a list of %d items", len(g.todos))
	g.wrote(g)
}

// open returns the index of the first open item in the agent's head, or -1.
func (g *agent) open() int {
	return slices.IndexFunc(g.todos, func(it todo.Item) bool { return it.Status.Open() })
}

// step moves the next item on: it begins it, or completes it.
func (g *agent) step(really bool) {
	at := g.open()
	if at < 0 {
		return
	}
	it := &g.todos[at]
	if it.Status != todo.InProgress {
		it.Status = todo.InProgress
	} else if it.Status = todo.Completed; really {
		g.really++
	}
	g.say(g.name, "marks %q as %s", it.Content, it.Status.Words())
	g.wrote(g)
}

// act does what the agent does in a turn. It returns its last message, or how the turn ends without one.
func (g *agent) act(way int) (message string, end func() bool) {
	switch way {
	case work:
		for range 1 + g.upTo(3) {
			g.tool(g)
		}
		if g.finds && g.todos != nil && g.open() < 0 {
			g.really++ // as the gate or its own look has shown
		}
		g.step(true)
	case lazy:
		g.say(g.name, "only talks")
	case lies:
		g.say(g.name, "does nothing, and says that it did")
		g.step(false)
	case loops:
		if at := g.open(); at >= 0 {
			g.todos[at].Status = map[bool]todo.Status{true: todo.InProgress, false: todo.Pending}[g.todos[at].Status == todo.Pending]
			g.say(g.name, "marks %q as %s, once more", g.todos[at].Content, g.todos[at].Status.Words())
			g.tool(g)
			g.wrote(g)
		}
	case empties:
		if g.todos != nil {
			g.say(g.name, "writes an empty list")
			g.todos = []todo.Item{}
			g.wrote(g)
			g.todos = nil
		}
	case drops:
		if at := g.open(); at >= 0 {
			g.say(g.name, "leaves %q out of its list", g.todos[at].Content)
			g.todos = slices.Delete(slices.Clone(g.todos), at, at+1)
			g.wrote(g)
		}
	case cancels:
		g.say(g.name, "cancels everything")
		for i := range g.todos {
			if g.todos[i].Status.Open() {
				g.todos[i].Status = todo.Cancelled
			}
		}
		g.wrote(g)
	case grows:
		g.todos = append(g.todos, todo.Item{Content: g.text("item"), Status: todo.Pending})
		g.say(g.name, "adds an item")
		g.tool(g)
		g.step(true)
	case splits:
		g.split()
	case pauses:
		g.say(g.name, "pauses: it has no key")
		return "ONWARD-PAUSE: I have no key", nil
	case asks:
		g.say(g.name, "asks the user something")
		_ = g.event(g.list, continuation.Event{Type: continuation.QuestionAsked}, func(t *truth) {
			// The command names no conversation. Of two, it may be the other one that has the list.
			t.asked, t.unclear = true, t.unclear || g.todos == nil && len(g.agents) > 1
		})
	case background:
		g.tool(g)
		if h, ok := g.program.(*hooks); ok && h.row.Name == "claude" && g.roll(2, 2) == 1 {
			h.delegates(g)
			break
		}
		g.startBackground()
	case compacts:
		g.compact()
	case limitedUntil, limited, overflows, refused, serverFails:
		return "", func() bool { return g.fail(way) }
	case crashes:
		g.say(g.name, "crashes")
		g.dies()
		return "", func() bool { return g.crashed(g) }
	case schedules:
		g.submits()
	case leaves:
		g.leave()
	case sleeps:
		g.say(g.name, "hangs")
		g.pass(20 * time.Minute)
	}
	return "I did some work.", nil
}

// dies ends the agent's process, and with it its turn.
func (g *agent) dies() {
	if g.process == nil {
		return // it was ended with its machine
	}
	delete(g.alive, g.process.PID)
	g.process = nil
	g.of(g.list.String()).running = false
}

// fail ends the turn with an error of the host.
func (g *agent) fail(way int) bool {
	var after time.Duration
	class := map[int]continuation.ErrorClass{
		limitedUntil: continuation.ErrorRateLimit, limited: continuation.ErrorRateLimit, overflows: continuation.ErrorContext,
		refused: continuation.ErrorAuth, serverFails: continuation.ErrorServer,
	}[way]
	words := map[int]string{
		limited: "reaches a usage limit, and is not told until when", overflows: "has a conversation that is too long",
		refused: "is refused: its login has ended", serverFails: "fails, since its host's server does",
	}[way]
	if way == limitedUntil {
		after = time.Duration(1+g.upTo(120)) * time.Minute
		words = fmt.Sprintf("reaches a usage limit for %v", after)
	}
	g.say(g.name, "%s", words)
	return g.failed(g, class, after)
}

// split works on an item by subtasks, which it keeps with onward's own commands.
func (g *agent) split() {
	at := g.open()
	if at < 0 {
		return
	}
	place, _ := todo.ParsePosition(fmt.Sprintf("%d.last", at+1))
	g.tool(g)
	_ = g.onward(g.list, func(c *command) error {
		doc, err := c.lists.Load(c.name)
		if err != nil || doc == nil || at >= len(doc.Current()) {
			return err
		}
		subs := doc.Current()[at].Subtasks
		if i := slices.IndexFunc(subs, func(s todo.Subtask) bool { return s.StatusOrPending().Open() }); i >= 0 {
			done, err := todo.ParseRange(fmt.Sprintf("%d.%d", at+1, i+1))
			if err != nil {
				return err
			}
			g.say(g.name, "completes the subtask %d.%d", at+1, i+1)
			return c.edit("", "", func(items []todo.Item, now todo.Time) (todo.Edit, error) {
				return todo.SetStatus(items, []todo.Range{done}, todo.Completed, "", now)
			})
		}
		g.say(g.name, "adds two subtasks to item %d", at+1)
		return c.edit("", "", func(items []todo.Item, now todo.Time) (todo.Edit, error) {
			return todo.Add(items, place, []todo.Draft{{Content: g.text("part")}, {Content: g.text("part")}}, now)
		})
	})
}

// leave queues a message for the agent's own next turn.
func (g *agent) leave() {
	m := &message{text: g.text("message"), by: "claude", list: g.list.String()}
	g.say(g.name, "runs `onward message push %q`", m.text)
	g.pushed(m, g.onward(g.list, func(c *command) error { return c.push(m) }))
}

// startBackground starts work that goes on beside the conversation.
func (g *agent) startBackground() {
	id := g.text("b")
	g.say(g.name, "starts background work")
	g.beside = append(g.beside, id)
	_ = g.event(g.list, continuation.Event{Type: continuation.BackgroundStart, ID: id}, func(t *truth) {
		if len(t.background) == 0 {
			t.busy = g.at
		}
		t.background = append(slices.Clip(t.background), id)
	})
}

func (g *agent) endBackground() {
	id := g.beside[0]
	g.beside = g.beside[1:]
	g.say(g.name, "has done its background work")
	_ = g.event(g.list, continuation.Event{Type: continuation.BackgroundEnd, ID: id}, func(t *truth) {
		t.background = slices.DeleteFunc(slices.Clone(t.background), func(one string) bool { return one == id })
	})
}

func (g *agent) compact() {
	g.say(g.name, "compacts its context")
	_ = g.event(g.list, continuation.Event{Type: continuation.CompactionStart}, func(*truth) {})
	g.pass(20 * time.Second)
	_ = g.event(g.list, continuation.Event{Type: continuation.CompactionEnd}, func(*truth) {})
}

// spoken is what a prompt of the user means.
func (w *world) spoken(key string) func(*truth) {
	at := w.wall()
	return func(t *truth) {
		if key != "" && key == t.key {
			return
		}
		t.key, t.fresh, t.sent, t.failed = key, true, false, false
		t.aborted, t.paused, t.asked = false, false, false
		t.refunded = 0
		t.limited, t.failing, t.spent, t.most, t.unexcused, t.dropped = 0, 0, 0, 0, 0, nil
		t.heard = at
	}
}

// fails is what a failed turn means.
func (g *agent) fails(class continuation.ErrorClass, after time.Duration) func(*truth) {
	now := g.clock()
	return func(t *truth) {
		t.running = false
		t.failed = class == continuation.ErrorAuth || class == continuation.ErrorContext
		if t.limited != t.reset || t.failed {
			t.limited = 0
		}
		if t.inTurn {
			t.unexcused, t.inTurn = max(0, t.unexcused-1), false
			// The host refused the turn: it may have cost nothing.
			if (class == continuation.ErrorRateLimit || class == continuation.ErrorServer || t.limited > now) && t.refunded < 50 {
				t.spent, t.refunded = max(0, t.spent-1), t.refunded+1
			}
		}
		if t.failing = cmp.Or(t.failing, g.at); class == continuation.ErrorRateLimit || t.failed {
			t.failing = 0
		}
		switch {
		case class != continuation.ErrorRateLimit:
		case after > 0:
			t.limited = now + todo.Time(after.Milliseconds())
			t.reset = t.limited
		default:
			t.limited = max(t.limited, now+todo.Time(time.Minute.Milliseconds()))
		}
	}
}

// ends is what the end of a turn means.
func ends(t *truth) { t.failed, t.inTurn, t.running, t.limited, t.failing = false, false, false, 0, 0 }

// paused is what the agent's pause means. Where nothing is open, it counts only if a gate fails.
func paused(t *truth) { t.paused, t.fresh = t.paused || t.open > 0, false }

// endsPaused is what the end of a turn means in which the agent paused.
func endsPaused(t *truth) {
	ends(t)
	paused(t)
}

// begun is what the beginning of a turn means.
// Of two conversations that have no list yet, it is not said whose turn counts.
func (w *world) begun(t *truth) { t.running, t.since = t.listed || len(w.agents) == 1, w.at }
