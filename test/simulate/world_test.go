package simulate

import (
	"fmt"
	"iter"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/storetest"
)

const (
	// noon is the time at which every world starts.
	noon todo.Time = 1_767_258_000_000

	night = 12 * time.Hour // how long a world lasts
	never = time.Duration(math.MaxInt64)
)

var (
	home     = session.NewProject("/project", "project") // the folder in which the agents work
	project  = home.Session
	worktree = linked("/worktree", "worktree") // a second checkout of its repository
)

// linked returns a linked worktree of the project, which has its own lists and shares the settings of the repository.
func linked(dir, base string) session.Project {
	p := session.NewProject(dir, base)
	p.Repository = home.Repository
	return p
}

// world is one night, in which agents, their programs and their user work on the lists of a project, in a store that fails.
type world struct {
	*dice
	at        time.Duration // the time since noon
	offset    time.Duration // the difference between the machine's clock and the time that really passed
	memory    *storetest.Memory
	actors    []*actor
	agents    []*agent
	editor    *actor            // a person who tends the queue
	mind      string            // the item whose gate this person is about to change
	crowd     int               // the number of agents
	alive     map[int]bool      // the ids of the running processes
	gates     map[string]string // the checkouts in which gates of sessions were set, by the list and the command
	checkouts map[string]*files
	proving   map[string]bool // the checkouts in which a gate runs
	executing map[string]int  // the number of running tool calls of each list
	full      time.Duration   // the store's disk is full until then
	down      time.Duration   // the store does not answer until then
	trouble   int             // how many of 1,000 calls to the store fail
	slow      int             // the longest duration of a call to the store in milliseconds
	style     plan
	lasts     time.Duration // the length of the night
	runs      int           // number of runs of onward
	steps     int           // number of steps of actors
	prompts   int           // number of continuations
	most      int           // the number of runs after which the world ends
	nightly   bool          // `onward run` keeps its agent going
	shifts    []*shift
	log       []string
	silent    bool // nothing is logged
	jumped    bool // the machine's clock was set
	serial    int  // the number of the last text, so that each text is unique
	tally     map[string]int

	*referee
}

// plan contains the choices that are made once for a world.
type plan struct {
	settings map[string]string // the settings in the configuration file
	gate     int               // the behaviour of the gate
	costs    bool              // the loops around agents report what was spent
	bare     bool              // the checkouts are not git's
	writes   bool              // the gate writes a file
	need     int               // the number of items that must really be done for the gate to pass
}

// actor does one thing after another: an agent, its user, a machine. It runs until it sleeps, and only one actor runs
// at a time.
type actor struct {
	*world
	name  string
	place session.Project // the checkout in which it runs commands
	skew  time.Duration   // the difference between its machine's clock and that of the others
	far   bool            // it is on another machine
	id    int
	due   time.Duration
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	struck bool // its process is killed at its next step
	lacks  bool // onward is not installed on its machine
}

// over is the value of the panic that ends an actor when its world ends.
type over struct{}

// spawn adds an actor.
func (w *world) spawn(name string, live func(*actor)) *actor {
	a := &actor{world: w, name: name, id: len(w.actors) + 1, place: home}
	a.next, a.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if why := recover(); why != nil && why != (over{}) {
				w.breaks(0, "%v\n%s", why, debug.Stack())
			}
		}()
		a.yield = yield
		live(a)
	})
	w.actors = append(w.actors, a)
	return a
}

// run runs the actors in the order of their times until the night ends.
func (w *world) run() {
	defer func() {
		for _, a := range w.actors {
			a.stop()
		}
	}()
	for w.broken == nil && w.runs < w.most {
		first := slices.MinFunc(w.actors, func(a, b *actor) int { return int(min(max(a.due-b.due, -1), 1)) })
		if first.due >= w.lasts {
			break
		}
		w.at = max(w.at, first.due)
		first.due = never
		first.next()
		if w.steps++; w.steps > 100_000 {
			w.breaks(10, "%s never comes to an end", first.name)
		}
	}
	if w.broken == nil {
		w.end()
	}
}

// sleep lets the other actors run for some time.
func (a *actor) sleep(d time.Duration) {
	a.due = never
	if d < never-a.at {
		a.due = a.at + max(d, 0)
	}
	if !a.yield(struct{}{}) {
		panic(over{})
	}
	if a.struck {
		panic(killed{})
	}
}

// wake ends an actor's sleep.
func (a *actor) wake() { a.due = min(a.due, a.at) }

// The streams of an actor's throws.
const (
	acts = iota
	faults
	delays
	perActor
)

func (a *actor) choice(weights ...int) int { return a.choose(a.id*perActor+acts, weights...) }

func (a *actor) upTo(n int) int { return a.roll(a.id*perActor+acts, n) }

// pass sleeps for a random time from d to 10*d.
func (a *actor) pass(d time.Duration) {
	a.sleep(d + d*time.Duration(a.roll(a.id*perActor+delays, 900))/100)
}

// wall returns the time of the machine's clock.
func (w *world) wall() todo.Time { return noon + todo.Time((w.at + w.offset).Milliseconds()) }

// clock returns the time of the clock of the actor's machine.
func (a *actor) clock() todo.Time { return a.wall() + todo.Time(a.skew.Milliseconds()) }

// host returns the name of the actor's machine.
func (a *actor) host() string { return map[bool]string{false: "here", true: "there"}[a.far] }

// joins adds an actor on the same machine, which starts immediately.
func (a *actor) joins(name string, live func(*actor)) {
	b := a.spawn(name, live)
	b.place, b.skew, b.far, b.due = a.place, a.skew, a.far, a.at
}

// count counts that something has occurred, for the table that -v prints.
func (w *world) count(who, what string) { w.tally[who+" "+what]++ }

// say adds a line to the log of the night.
func (w *world) say(who, format string, args ...any) {
	if w.silent {
		return
	}
	at := noon.Time().UTC().Add(w.at).Format("15:04:05")
	w.log = append(w.log, fmt.Sprintf("%s  %-7s %s", at, who, fmt.Sprintf(format, args...)))
}

// text returns a text that is unique in the world.
func (w *world) text(what string) string {
	w.serial++
	return fmt.Sprintf("%s %d", what, w.serial)
}
