package simulate

import (
	"fmt"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// agent is a model with its program. The model has a list of its own, which may differ from onward's. The program reports it
// to onward by hooks, by events of a script around the agent, or by the stream that `onward ingest` reads.
type agent struct {
	*actor
	program
	list      session.Name // the list in onward's store that the agent believes to be its own
	id        string       // the id of its conversation
	process   *session.Process
	todos     []todo.Item // the model's list
	really    int         // number of items whose work is really done
	lateby    int         // number of turns before it writes its first list
	usual     int         // what it does in a turn in which it does not work honestly
	honesty   int         // in how many of 10 turns it works honestly
	inbox     []string    // prompts of the user
	stopped   bool        // the user has interrupted it
	killed    bool        // its process was killed by its machine
	turns     int
	wakes     bool          // it can schedule a prompt for itself
	marker    string        // the environment variable that identifies it in the shells that it starts
	spent     int           // cost of its turns, in tenths of a dollar and in hundreds of tokens
	beside    []string      // the ids of its background work
	busy      bool          // a turn runs
	shift     *shift        // the runs of `onward run` that start it; nil if none do
	job       *job          // the turn that it was started for; nil if it is not running
	until     time.Duration // its host refuses requests until then
	failure   func(*truth)  // what its last failed turn means
	refused   int           // number of turns that its host refused before that time
	tokens    int           // tokens that its turns have used
	onlyReads bool          // its tools change no file
	finds     bool          // when its list is finished, it does the work that is still missing
}

// program reports to onward what an agent does.
type program interface {
	begins(g *agent, how string)            // a conversation starts or is resumed
	prompted(g *agent, text, source string) // the agent gets a prompt
	turn(g *agent)                          // a turn starts
	tool(g *agent)                          // the agent uses a tool
	wrote(g *agent)                         // the agent writes its list
	// Each function for an end of a turn returns whether onward sends the agent back to work.
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

// live runs an agent for the night.
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

// user gives the agent a prompt that the user types.
func (g *agent) user(text string) {
	g.stopped = false
	g.say("user", "prompts %s: %s", g.name, text)
	g.prompted(g, text, "user")
}

// idle waits for a prompt of the user, or for one that the agent has scheduled itself.
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

// spend runs a turn, and reports whether onward sends the agent back to work.
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
		// The user steers: a prompt in the middle of a turn is part of that turn.
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

// open returns the index of the first open item in the model's list, or -1.
func (g *agent) open() int {
	return slices.IndexFunc(g.todos, func(it todo.Item) bool { return it.Status.Open() })
}

// step starts the next item, or completes it.
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
		g.edits()
	}
	g.say(g.name, "marks %q as %s", it.Content, it.Status.Words())
	g.wrote(g)
}

// act runs the work of a turn. It returns the agent's last message, or a function that ends a turn without one.
func (g *agent) act(way int) (message string, end func() bool) {
	if j := g.job; j != nil && j.check && way == work && !g.writesCheck() {
		return "the check is written", nil
	}
	switch way {
	case work:
		for range 1 + g.upTo(3) {
			g.tool(g)
		}
		g.weakens()
		if g.finds && g.todos != nil && g.open() < 0 {
			g.edits()
			g.really++ // the gate, or the agent's own check, has shown that work is missing
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
			// The command names no conversation. If there are two, the list may be that of the other one.
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

// dies ends the agent's process and its turn.
func (g *agent) dies() {
	if g.process == nil {
		return // its machine has already ended it
	}
	delete(g.alive, g.process.PID)
	g.process = nil
	g.of(g.list.String()).running = false
}

// fail ends the turn with an error of the agent's host.
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

// split divides an item into subtasks with onward's own commands, and works on those.
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

// leave queues a message of the agent for its own next turn.
func (g *agent) leave() {
	m := &message{text: g.text("message"), by: "claude", list: g.list.String()}
	g.say(g.name, "runs `onward message push %q`", m.text)
	g.pushed(m, g.onward(g.list, func(c *command) error { return c.push(m) }))
}

// startBackground starts work that runs in the background of the conversation.
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
	_ = g.event(g.list, continuation.Event{Type: continuation.CompactionEnd}, compacted)
}
