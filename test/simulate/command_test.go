package simulate

import (
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"onward/internal/ask"
	"onward/internal/calls/schedule"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// command is one run of onward. It calls the same use cases as package cmd.
type command struct {
	*actor
	store    *backend
	lists    *session.Store
	calls    *schedule.Store
	name     session.Name // the list that it reads or changes
	now      todo.Time    // the time of the machine's clock
	began    time.Duration
	calm     bool // its calls to the store do not fail, and no other actor runs in the meantime
	unsure   bool // an answer was lost, so it is unknown whether the change was made
	troubled bool // a call to the store has failed
	holds    []store.Held

	means      func(*truth) // what the command changes in the truth of its list once it has committed
	meant      bool         // means was called
	single     bool         // it makes at most one commit
	writes     bool         // it is an agent's own write of its list
	removes    bool         // it may remove the user's items
	adds       *added       // the item that it adds
	worker     todo.Worker  // the worker that runs it; without a name if no worker does
	sub        string       // the sub-agent whose list it changes
	stop       string       // the name of the turn's end at which it asks
	sights     map[string]sight
	sharedSeen int       // the index of the project's settings that it read last
	marker     string    // the variable that shows that an agent runs the command
	awaits     bool      // a call awaited approval when it last read the schedule
	busy       bool      // a call was running when it last read the schedule
	spent      spending  // the spending that the caller reported
	since      todo.Time // start of the run of `onward run` that asks; 0 if another caller asks
	went       *truth    // the truth when it committed a continuation; nil if it committed none
	commits    int       // number of its commits of lists
	did        session.Change
}

// errKilled is returned for a run of onward that was killed.
var errKilled = errors.New("killed")

// errLacks is the shell's error if onward is not installed.
var errLacks = errors.New("command not found")

// onward runs a command on a list.
func (a *actor) onward(list session.Name, do func(*command) error) error {
	if a.lacks {
		return errLacks
	}
	return newCommand(a, list).run(10*time.Second, do)
}

func newCommand(a *actor, list session.Name) *command {
	return &command{actor: a, name: list, now: a.clock(), began: a.at, sights: map[string]sight{}, sharedSeen: len(a.shared) - 1}
}

func (c *command) run(patience time.Duration, do func(*command) error) (err error) {
	c.runs++
	c.store = &backend{c.memory, c, patience}
	c.lists = &session.Store{Backend: c.store, Notes: c.store, Gone: c.gone, IsAlive: c.lives, RemoveDependents: func(b store.Backend, n session.Name) (bool, error) {
		return (&schedule.Store{Backend: b}).Delete(n)
	}}
	c.calls = &schedule.Store{Backend: c.store}
	defer func() {
		for _, h := range c.holds {
			h.Release()
		}
		switch why := recover(); why {
		case nil:
			c.acknowledge(err)
		case killed{}:
			err, c.unsure = errKilled, true
		case over{}:
			panic(why)
		default:
			c.breaks(10, "onward crashes: %v\n%s", why, debug.Stack())
		}
		if err != nil && c.went != nil {
			c.forget() // the prompt was lost, and the next activity may count as its turn
		}
	}()
	return do(c)
}

// gone reports whether a process has ended.
func (c *command) gone(p *session.Process) bool {
	return p != nil && p.Host == c.host() && !c.alive[p.PID] // the processes of other machines are unknown
}

// lives reports whether a process is known to be running.
func (c *command) lives(p *session.Process) bool {
	return p != nil && p.Host == c.host() && c.alive[p.PID]
}

// starts starts a process and returns its identity.
func (a *actor) starts() *session.Process {
	a.serial++
	a.alive[a.serial] = true
	return &session.Process{Host: a.host(), PID: a.serial}
}

// settings resolves the settings of lists; a list that does not exist is nil.
func (c *command) settings(docs ...*session.Document) (continuation.Settings, error) {
	shared, err := c.lists.ProjectSettings(c.place)
	if err != nil {
		return continuation.Settings{}, err
	}
	var own []map[string]string
	for _, doc := range docs {
		if doc != nil {
			own = append(own, doc.Settings)
		}
	}
	set, err := c.resolve(shared.Current(), own...)
	set.GateDir = c.place.Dir
	if where := c.gates[c.name.String()+" "+set.Gate]; set.GateFrom == continuation.FromSession && where != c.place.Dir {
		set.GateElsewhere = where // the gate of a session runs in the checkout where it was set
	}
	return set, err
}

// resolve looks settings up in all places where they can be, in their order of precedence.
func (w *world) resolve(shared map[string]string, own ...map[string]string) (continuation.Settings, error) {
	source := func(where string, values map[string]string) continuation.Source {
		return continuation.Source{Where: where, Get: func(key string) (string, bool) { v, ok := values[key]; return v, ok }}
	}
	var sources []continuation.Source
	for _, values := range own {
		sources = append(sources, source(continuation.FromSession, values))
	}
	set, _, err := continuation.Resolve(append(sources, source(continuation.FromProject, shared), source("configuration", w.style.settings))...)
	set.Countdown = set.CountdownFor(false)
	return set, err
}

// update changes the list under an operation id, as `--op` does.
func (c *command) update(op string, change func(*session.Document) (session.Change, error)) error {
	commit, err := c.lists.Update(c.name, op, c.now, change)
	c.did = commit.Change
	return err
}

// apply applies an event to the list.
func (c *command) apply(op string, e continuation.Event) error {
	return c.update(op, func(doc *session.Document) (session.Change, error) {
		return continuation.Apply(doc, e, c.now)
	})
}

// edit changes the items of the list, as the todo commands do.
func (c *command) edit(op, by string, change func([]todo.Item, todo.Time) (todo.Edit, error)) error {
	return c.update(op, func(doc *session.Document) (session.Change, error) {
		e, err := change(doc.Todos.Current(), c.now)
		if err != nil {
			return session.Change{}, err
		}
		return continuation.Apply(doc, continuation.Event{
			Type: continuation.Edited, Items: e.Items, Touched: e.Touched, Change: e.What, Source: "cli", By: by,
		}, c.now)
	})
}

// event reports an event, as `onward event` does.
func (a *actor) event(list session.Name, e continuation.Event, means func(*truth)) error {
	return a.onward(list, func(c *command) error {
		e.Source, c.means = "cli", means
		reported := ask.ReportedEvents(slices.Values([][]continuation.Event{{e}}))
		_, err := reported.Apply(c.lists, c.name, c.now, func(change func(*session.Document) (session.Change, error)) (session.Commit, error) {
			return c.lists.Update(c.name, "", c.now, change)
		})
		return err
	})
}

// asked is the list of a command as package ask needs it.
type asked struct{ *command }

func (l asked) Load() (*session.Document, error) { return l.lists.Load(l.name) }

func (l asked) Activity() session.Activity { return l.lists.Activity(l.name) }

func (l asked) Settings(doc *session.Document) (continuation.Settings, error) {
	set, err := l.settings(doc)
	if l.calm {
		set.Countdown = 0
	}
	return set, err
}

func (l asked) Facts(said continuation.Facts) (continuation.Facts, int, error) {
	return ask.AddCallFacts(l.calls, l.name, said)
}

func (l asked) Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	return l.lists.Update(l.name, op, now, change)
}

func (l asked) FindOperation(doc *session.Document, op string) error {
	return l.lists.FindOperation(doc, op, l.now)
}

func (l asked) AtWork() (bool, error) { return l.lists.AtWork(l.name) }

func (l asked) Removed(*session.Document) (bool, error) { return false, nil }

func (l asked) RemoveMessages(ids []string) error { return l.calls.RemoveMessages(l.name, ids, l.now) }

func (l asked) Gone(p *session.Process) bool { return l.gone(p) }

// NoteWaiting, NoteCountdown and NoteIdleCalls would print messages for a user.
func (l asked) NoteWaiting(continuation.Decision) {}
func (l asked) NoteCountdown(int, int)            {}
func (l asked) NoteIdleCalls(int)                 {}

// question contains the arguments of `onward check-continue`.
type question struct {
	op      string
	dry     bool
	patient time.Duration
	facts   continuation.Facts
}

// check runs `onward check-continue`.
func (c *command) check(q question) (ask.Answer, error) {
	c.spent = spending{q.facts.SpendUSD, q.facts.SpendTokens}
	asks := ask.Question{
		List: asked{c}, Name: c.name, Said: q.facts, Op: q.op, Now: c.now, DryRun: q.dry, Patient: q.patient,
		Waiting: &waiting{command: c, since: c.at}, Notes: asked{c}, Gate: &gate{command: c},
	}
	got, err := asks.Ask()
	switch {
	case err == nil && !q.dry:
		c.answers(got, q.op != "")
	case q.dry && c.commits > 0:
		c.breaks(9, "a dry run changes the list")
	}
	if left := q.patient - (c.at - c.began); q.patient > 0 && left < -c.longest() {
		c.breaks(10, "a wait of at most %v has lasted %v", q.patient, c.at-c.began)
	}
	return got, err
}

// longest is the time that a question may take in addition to its wait: for the store, for the gate of another question
// that is running when the wait ends, and for its own gate after that.
func (c *command) longest() time.Duration { return time.Minute + 2*gateLimit }

// waiting waits in the world's time until the list changes.
type waiting struct {
	*command
	since   time.Duration
	watches bool
}

func (w *waiting) Elapsed() time.Duration { return w.at - w.since }

func (w *waiting) DropInput() {}

func (w *waiting) Wait(d time.Duration) ask.WakeReason {
	if !w.watches {
		w.watches = true
		return ask.Changed
	}
	until := w.at + d
	w.waits = append(w.waits, wait{w.name.String(), w.actor})
	defer func() {
		w.waits = slices.DeleteFunc(w.waits, func(one wait) bool { return one.a == w.actor })
	}()
	w.sleep(d)
	if w.at < until {
		return ask.Changed
	}
	return ask.WokeAtLimit
}

// wait is an actor that waits for a change of a list.
type wait struct {
	list string
	a    *actor
}

// woken wakes all actors that wait for a change of a list.
func (w *world) woken(list string) {
	for _, one := range w.waits {
		if one.list == list {
			one.a.wake()
		}
	}
}
