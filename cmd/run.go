package cmd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"sync"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/agent"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

type runCmd struct {
	Agent string `arg:"" complete:"program" ask:"which agent?" help:"The agent: ${agents}; generic is the program whose words follow --."`
	Task  string `arg:"" optional:"" quote:"" help:"The task; - reads it from standard input; default: the existing list."`

	File      string  `placeholder:"FILE" complete:"file" help:"Read the task from a file."`
	Item      *string `placeholder:"SESSION:ID" complete:"claimed" help:"Work on an item that this worker has claimed: its text is the task, and the end settles it."`
	As        string  `placeholder:"NAME" needs:"item" help:"The worker's name; default ONWARD_WORKER."`
	MaxWait   *string `placeholder:"D" help:"The longest wait in a row; a longer one ends the run with 13."`
	MaxOutage *string `placeholder:"D" help:"How long servers, the network and the store may fail; default 6h."`
	Silence   *string `placeholder:"D" help:"End a turn that prints nothing for so long, as failed; 0 is never; default 1h."`
	Fresh     bool    `help:"Start a new conversation for each turn, instead of resuming the last one."`
	Take      bool    `help:"Take the list from another conversation that is at work on it."`
	New       bool    `help:"Give up a run that was cut off, and start this one."`
	Report    string  `placeholder:"FILE" complete:"file" help:"Write the report on the session to a file at the end, however the run ends; it replaces the file."`
	Notify    *string `placeholder:"CMD" help:"Run a shell command at the end, and when a wait of ten minutes or more starts."`
	Log       string  `placeholder:"FILE" complete:"file" help:"Write everything that the agent prints to a file, as it arrives."`

	settingFlags `embed:"" group:"Settings, for this run:"`

	words []string // the words after --
}

// after receives the words that follow --.
func (c *runCmd) after(words []string) { c.words = words }

// PassesOn returns the next step after a flag that is not onward's.
func (c *runCmd) PassesOn() string {
	first := agents.Programs()[0]
	return "flags of the agent follow --, as in `onward run " + first.Name + " 'the task' -- " + first.Rights + "`"
}

// Words are the names of the programs, for the help.
func (*runCmd) Words() map[string]string {
	names := programNames()
	return map[string]string{"agents": alternatives(names[:len(names)-1])}
}

// Example returns an agent and a task, for a message.
func (*runCmd) Example([]string) string { return programNames()[0] + " 'make the tests pass'" }

// runner carries out the actions of a run.
type runner struct {
	*runCmd
	a          *app
	t          find.List
	program    agent.Program
	task       string
	silence    time.Duration
	machine    run.Machine
	holding    sync.Mutex // protects held, which the store may end while the run is at work
	held       store.Held
	mark       string // of the record
	record     session.Run
	signals    chan os.Signal
	log        *runLog
	reports    string // the format of the report, as the ending of its file says
	news       *news
	shown      *runView
	answer     string         // the prompt of the last decision
	lost       []session.Lost // items that the list had lost when the user's message was sent
	hinted     bool           // whether the user was told how the agent may change files
	toldDenied bool           // the user was told of calls that were denied
	queue      *queued
	out        *cli.Printer

	waits     string // the reason of the wait that the user was told of since the last turn
	continued bool   // it continues an earlier process, and no turn has begun yet
	givesTurn bool   // the store failed, so the last turn may be on record as one that was not made
	unread    func() // gives up events that nobody reads

	rev     uint64    // of the list's document when this process last saw it
	created todo.Time // when that was begun
}

// Run keeps the agent going until the work is done and proven.
func (c *runCmd) Run(a *app, t find.List) error {
	if err := personOnly("start an agent"); err != nil {
		return err
	}
	r := &runner{runCmd: c, a: a, t: t, log: &runLog{in: io.Discard}}
	if err := r.prepare(); err != nil {
		return err
	}
	if c.Log != "" {
		f, err := os.OpenFile(c.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return fileError("write", c.Log, err)
		}
		defer f.Close()
		r.log.in = f
	}
	if err := r.acquire(); err != nil {
		return err
	}
	defer func() { r.held.Release() }()
	r.signals = interrupts()
	defer signal.Stop(r.signals)
	r.out = cli.NewPrinter(a.rawOut)
	r.unread = sync.OnceFunc(r.out.Abandon)
	defer r.printed()
	takenUp, err := r.begin()
	if err != nil {
		return err
	}
	defer r.keepHold()()
	if r.queue != nil {
		if r.queue.settled != "" {
			return r.over(run.Done, "done", "the item was completed before", "", cli.ExitOK)
		}
		defer r.keepClaim()()
	}
	r.news = (&watching{}).newNews(c.Notify, false)
	r.shown = r.view()
	defer r.shown.end()
	return r.ended(r.givesBack(r.loop(takenUp)))
}

// save counts what was spent since, and writes the record of the run.
func (r *runner) save() error {
	now, err := r.now()
	if err != nil {
		return err
	}
	doc, err := r.t.Store.Load(r.t.Name)
	if err != nil {
		return err
	}
	if err := r.stillThere(doc); err != nil {
		return err
	}
	r.record.Spend(doc.Ledger())
	return r.write(&r.record, now)
}

// settings returns the settings that are in force.
func (r *runner) settings(doc *session.Document) (continuation.Settings, error) {
	return r.t.Settings(find.ReadConfig(), r.values(), doc)
}

// now returns the time, and uses it for the next changes.
func (r *runner) now() (todo.Time, error) {
	now, err := r.a.Clock()
	r.t.Now = now
	return now, err
}

// loop carries out one action after another.
func (r *runner) loop(takenUp bool) error {
	act, err := r.first(takenUp)
	for err == nil {
		select {
		case s := <-r.signals:
			return r.stopped(s)
		default:
		}
		switch act.Kind {
		case run.Ask:
			act, err = r.ask()
		case run.Start:
			var turn run.Turn
			var by os.Signal
			if turn, by, err = r.turn(act); by != nil && (err == nil || storeFails(err)) {
				return r.stopped(by)
			}
			if err == nil {
				act = r.machine.TurnEnded(turn)
			}
		case run.WaitFor:
			if by := r.wait(act); by != nil {
				return r.stopped(by)
			}
			act = run.Action{Kind: run.Ask}
		case run.EndsHere:
			if err = r.end(act); err == nil || r.queue != nil || errors.As(err, new(cli.ExitCode)) {
				return err
			}
		}
		if err != nil {
			last := act
			if gone := r.removed(err); gone != nil && last.Kind != run.EndsHere {
				act, err = *gone, nil
				continue
			}
			if act, err = r.outlast(err); err != nil && last.Kind == run.EndsHere {
				return r.unrecorded(last, err)
			}
		}
	}
	if code := cli.ExitCode(0); errors.Is(err, ask.ErrStopped) || errors.As(err, &code) && int(code) == cli.ExitInterrupted {
		return r.stopped(r.sawSignal())
	}
	return err
}

// sawSignal returns the signal that ended a countdown or the gate. The gate has a channel of its own, and the signal is sent
// to both.
func (r *runner) sawSignal() os.Signal {
	select {
	case s := <-r.signals:
		return s
	case <-time.After(time.Second):
		return os.Interrupt
	}
}

// outlast waits where the store fails, and then asks again. What the turn that could not be saved has cost is given back.
func (r *runner) outlast(failed error) (run.Action, error) {
	if !storeFails(failed) {
		return run.Action{}, failed
	}
	now, err := r.now()
	if err != nil {
		return run.Action{}, err
	}
	act := r.machine.StoreFailed(failed, now)
	if act == nil {
		return run.Action{}, failed
	}
	r.record.Keeper, r.givesTurn = nil, true
	return *act, nil
}

// giveTurn gives back what a turn has cost that the store could not save.
func (r *runner) giveTurn() error {
	if !r.givesTurn {
		return nil
	}
	gave := false
	_, err := r.t.Update("", func(doc *session.Document) (session.Change, error) {
		if gave = doc.Rev != 0 && continuation.GiveBack(doc); !gave {
			return session.Change{}, nil
		}
		return session.Change{What: "the turn was cut off when the store failed", By: "cli"}, nil
	})
	if r.givesTurn = err != nil; gave && err == nil {
		r.record.GiveBack()
	}
	return err
}

// storeFails reports whether a store that answers again may end an error. A folder that was removed does not come back, nor does
// a session that another run holds by now.
func storeFails(err error) bool {
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrLost) && slices.ContainsFunc([]error{store.ErrUnavailable, store.ErrUnknown, store.ErrBusy, store.ErrIO, store.ErrNotDurable},
		func(kind error) bool { return errors.Is(err, kind) })
}

// first returns the first action. A session that is switched off or stopped starts no agent.
func (r *runner) first(takenUp bool) (run.Action, error) {
	doc, err := r.t.Store.Load(r.t.Name)
	if err != nil || doc == nil {
		return r.machine.Begin(takenUp), err
	}
	set, err := r.settings(doc)
	if err != nil {
		return run.Action{}, err
	}
	if d, _ := continuation.Decide(doc, continuation.Facts{}, set, r.t.Now); d.Reason == "disabled" || d.Reason == "stopped" {
		return r.machine.Answered(run.Answer{Decision: d}, r.t.Now), nil
	}
	act := r.machine.Begin(takenUp)
	if act.Kind != run.Start || set.Gate == "" {
		return act, nil
	}
	if !r.program.ShowsCalls() {
		if err := r.passesAlready(set); err != nil {
			return act, err
		}
	}
	r.record.Start = stateOf(set.GateDir)
	return act, r.save()
}

// passesAlready runs the gate before the first turn of a program whose tool calls cannot be read: if it passes then, its
// passing shows nothing about the task.
func (r *runner) passesAlready(set continuation.Settings) error {
	gate := &runGate{gate: r.a.gate(r.t), run: r}
	defer gate.Release()
	proof, err := gate.Prove(set, func() *session.GateResult { return nil })
	if err != nil {
		return err
	}
	if r.acted(proof == nil); !r.record.Acted {
		r.note("so it shows that the task is done only with a todo list")
	}
	return r.save()
}

// waitText describes a wait, with the time until when it lasts or with its length.
func waitText(act run.Action) string {
	if act.Named {
		return act.Message
	}
	return act.Message + "; waiting " + todo.Span(max(act.For.Round(time.Second), min(act.For, time.Second)))
}

// wait waits for a time, or until the list changes or a signal comes, which is returned.
func (r *runner) wait(act run.Action) os.Signal {
	until := r.t.Now + todo.Time(act.For.Milliseconds())
	left := act.For
	if act.Named {
		left = 0 // the message names the time
	}
	r.shown.does(&r.record, r.t.Now, act.Message, left)
	if act.Reason != r.waits || act.Reason == run.StoreFails { // else it only looks again
		r.tell(event{Type: "waiting", Turn: r.record.Turns, Reason: act.Reason, Until: until.String()},
			waitText(act))
		if act.For >= longWait {
			r.notify()
		}
	}
	r.waits = act.Reason
	if r.a.jump(act.For) {
		return nil
	}
	var watch store.Watch
	if act.Reason != run.StoreFails {
		watch = r.t.Watch()
		defer watch.Close()
	}
	for began := time.Now(); ; {
		left := act.For - since(began)
		if _, err := r.now(); err != nil || left <= 0 {
			return nil
		}
		// The machine may sleep meanwhile, so the clock is read again.
		select {
		case s := <-r.signals:
			return s
		case <-watch.Changes:
			return nil
		case <-time.After(min(left, time.Minute)):
		}
	}
}
