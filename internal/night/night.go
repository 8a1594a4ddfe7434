// Package night carries out what package run decides: it starts or resumes a run, starts the agent's program for each turn and reads
// its output, asks whether the agent continues, waits, keeps the claim on an item, and ends. The caller passes in the store, the clock,
// the programs and the user, so that `onward run` and the simulator of nights share all of it.
package night

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// ChangeCause is what a change of the list is made for.
type ChangeCause int

// The causes.
const (
	Prompted    ChangeCause = iota // the run begins with its user's prompt
	Delivered                      // messages of the user became a part of the first prompt
	TakenUp                        // the run continues one that was cut off
	TurnEnded                      // a turn has ended that did not report its end
	Refused                        // the agent's host refused a turn whose end could not be saved
	PassedOn                       // another agent goes on, so what the host of the last one said does not count
	GivenBack                      // what a turn has cost is given back, since it could not be saved
	Taken                          // the list is taken from another conversation
	Interrupted                    // the user interrupted the run between two turns
	RunEnded                       // the end of the run is noted
)

// Store is the list of a run, with its settings, its messages and the record of the run, in a store that may fail.
type Store interface {
	Load() (*session.Document, error)
	Update(why ChangeCause, now todo.Time, change func(*session.Document) (session.Change, error)) error
	Settings(doc *session.Document) (continuation.Settings, error)     // by the flags of the run
	ChosenGates(doc *session.Document) ([]*session.ChosenGate, error)  // what a person last chose as the gate, of the list and of its project
	Standing() (standing continuation.Standing, doc *session.Document) // of the session, without the flags of the run; the document is nil if there is none
	Messages() ([]session.Message, error)                              // of the user that wait
	RemoveMessages(ids []string, now todo.Time) error                  // takes messages out of the queue

	ReadRun() (*session.Run, error)
	Hold(patience time.Duration) (store.Held, error) // holds the session for the run, at once if patience is 0
	Remote() bool                                    // servers keep the hold of a process that was killed until its lease is over
	IsAlive(p *session.Process) bool
	Gone(p *session.Process) bool

	// WithQuestion calls a function with the question whether the agent continues, which lacks what the run knows.
	WithQuestion(ask func(ask.Question) (ask.Answer, error)) (ask.Answer, error)

	// WithGate calls a function with what runs the gate.
	WithGate(prove func(ask.Gate) error) error

	// WithSaver calls a function with what saves the output of one turn.
	WithSaver(read func(*ask.Saver) error) error
}

// Clock is the time of a run, with what may come in the time.
type Clock interface {
	Now() (todo.Time, error) // the time of changes, which the user may set
	Wall() time.Time         // the machine's
	Elapsed() time.Duration  // since some moment; it only grows

	After(d time.Duration, do func()) (stop func())   // calls a function once the time has passed, unless it is stopped before
	OnChange(do func()) (stop func())                 // calls a function whenever the list may have changed, until it is stopped
	Wait(d time.Duration, watches bool) (s os.Signal) // lets time pass until a signal comes, or if it watches, until the list changes

	PendingSignal() os.Signal                  // a signal that has come; nil if none has
	HandledSignal() os.Signal                  // the signal that has ended something else already
	OnSignal(do func(os.Signal)) (stop func()) // calls a function at each signal, until it is stopped
	Send(s os.Signal, over <-chan struct{})    // sends a signal to the run, unless that is over before
}

// Programs starts the agent's program.
type Programs interface {
	Start(act run.Action, conversation, prompt string) (Process, error) // which waits for Begin
	WaitForEnd(before *session.Run) bool                                // waits until nothing that a run has started is at work any more
	SubAgentUsage(conversation string) (continuation.Usage, error)      // asks the program what all sub-agents of a conversation have used
}

// Process is the agent's program in one turn.
type Process interface {
	Keeper() *session.Process // the process that keeps the program
	Begin()                   // lets the program start
	// Output is what the program prints. It calls idle before it waits for more, and ends when leave is closed, or when all is known
	// that the program wrote to standard error.
	Output(idle func() error, leave <-chan struct{}) io.Reader
	Problems() string                      // the end of what the program wrote to standard error
	Complaint(within time.Duration) string // the last line of that, if it was written in this time
	Printed() string                       // the end of what a program of the user's own wrote to standard output
	// OnSilence calls a function each time that the program has printed nothing for so long, with how long that is in all, until that is
	// enough.
	OnSilence(limit time.Duration, do func(silent time.Duration) (enough bool)) (stop func())
	Interrupt(patience time.Duration) // asks it to end, and ends it after that time
	Terminate(patience time.Duration)
	Kill()
	Abandon()    // kills it, and drops what it prints
	Wait() int   // its exit code
	Left() bool  // whether processes that it had left at work were ended with it; not every system shows that
	Lost() error // why its output is not in the log any more, once
}

// Reporter tells the user what happens.
type Reporter interface {
	RunBegan(r *session.Run, now todo.Time) // the run has begun, so that its view can be opened
	RunEnded(err error) error               // it has ended with this error, or another one where what follows fails
	Tell(e Event, text string)
	Note(text string)
	Hint(text string)
	ShowActivity(r *session.Run, now todo.Time, doing string, left time.Duration) // left is the longest time that it takes; 0 is unknown
	ShowTalk(is stream.Talk)                                                      // the agent says or does something
	ShowTurnEnding(how string)                                                    // of the turn
	CloseView()                                                                   // what comes is below the last view
	NoteLongWait()                                                                // a long wait begins
	Problem(err error)
	AbandonOutput() // nobody reads events any more
}

// Hints name the next command of the user.
type Hints interface {
	Answer(act run.Action) string     // after a run that needs its user
	Done(grade run.Grade) string      // after a run that is done
	AllowTools(tools []string) string // lets the agent use tools that were denied, and continues the run
	SkipPermissions() string          // lets the agent work without being asked, and continues the run
	AddGate() string                  // continues the run with a gate
	Continue() string                 // continues the run
	Resume(last *session.Run) string  // continues an earlier run, as its record has it, between backticks
}

// FailureTable are the errors of the program as its user sees them.
type FailureTable interface {
	Code(err error) int    // the exit code
	Hint(err error) string // what to do about it; may be empty
}

// Checkout tells the states of the files, in the folder where the gate of the settings runs. A state that is empty cannot be told, and
// unknown says why files cannot be compared.
type Checkout interface {
	State(set continuation.Settings) (state, noTree string)
	// ChangedChecks returns the check files that differ between a state and one of the others.
	ChangedChecks(set continuation.Settings, from string, to ...string) (changed []string, unknown string)
	// ChecksAndOthers returns the check files that differ, new ones too, and the other files that do.
	ChecksAndOthers(set continuation.Settings, from, to string) (checks, others []string, unknown string)
	ChangedProtected(set continuation.Settings, from string, to ...string) (changed []string, unknown string)
	// AddChanges returns a state with what differs between two others, except for some files.
	AddChanges(set continuation.Settings, state, from, to string, except []string) string
	// Evidence returns what git knows about the files before the work, which began at a commit, and at its end.
	Evidence(set continuation.Settings, start, commit, end string) (before, after session.Files, changed session.Changed)
}

// Runner is one process of `onward run`.
type Runner struct {
	Name    session.Name
	Agent   string // its name, as the user gave it
	Program agent.Program
	Words   []string // of the user, for the program
	Relay   []Agent  // those that go on for each other, in their order; nil or one if there is only one
	Task    string   // empty if the list is the task
	Take    bool     // the list is taken from another conversation that is at work on it
	New     bool     // a run that was cut off is given up
	Silence time.Duration
	Fresh   bool // every turn begins a new conversation, also with an agent that resumes them
	Machine run.Machine
	Item    *Item    // that the run works on; nil for a list
	Folder  string   // where it was started
	Command []string // the words after "onward" that continue it

	Self *session.Process
	Mark string // the value of ONWARD_RUN in all that the run starts: no other run has it

	Store    Store
	Clock    Clock
	Programs Programs
	Tell     Reporter
	Hints    Hints
	Errors   FailureTable
	Style    render.Style // for the words of an error

	TodoToolSwitch  string                                                                                  // how the agent's own todo tool is switched on, unless it is known to be
	TaughtElsewhere func() bool                                                                             // whether the model is told elsewhere how to keep the list
	Checkout        Checkout                                                                                // with the files that the agent works on
	ChangedSince    func(since time.Time) bool                                                              // whether a file may have changed since
	LastCommit      func() string                                                                           // of the checkout
	ReadUsage       func(file *agent.UsageFile, conversation string) (total continuation.Usage, known bool) // what a conversation has used, by a file of the agent
	NoteLineLength  func(bytes int)                                                                         // is told the length of long lines
	NoteTurnEnd     func(act run.Action, is run.EndedTurn)                                                  // is told how each turn has ended; may be nil
	Print           func([]byte)                                                                            // takes the events of the agent's output; nil if they are not printed

	Version string           // of onward
	Receipt *session.Receipt // of the run, once it has ended; nil if it was cut off

	holding sync.Mutex // protects held, which the store may end while the run is at work
	held    store.Held
	at      todo.Time // of the next change
	record  session.Run

	answer     string              // the prompt of the last decision
	checks     []string            // check files that were changed, where the gate was last asked
	result     *session.GateResult // of the gate in the last question; nil if it did not run
	still      bool                // nothing in the checkout had changed when it ran
	tells      string              // to the conversation, how its last turn ended
	lost       []session.LostItem  // items that the list had lost when the user's message was sent
	hinted     bool                // whether the user was told how the agent may change files
	toldGate   bool                // the user was told that the gate is another one
	toldDenied bool                // the user was told of calls that were denied
	toldUsage  bool                // the user was told that what sub-agents use is not counted
	uncounted  bool                // sub-agents of an earlier process may have used more than is counted

	wrote     bool           // a tool was called that may have changed something
	unseen    bool           // so may a turn of an earlier process have done
	waits     string         // the reason of the wait that the user was told of since the last turn
	restarts  bool           // it resumes a run that was cut off before its first turn
	continued bool           // it continues an earlier process, and no turn has begun yet
	passing   *session.Event // that another agent goes on, which the list does not know yet; else nil
	mute      bool           // the last turn was ended because it printed nothing at all
	givesTurn bool           // the store failed, so the last turn may be on record as one that was not made
	silent    bool           // it failed because its servers did not answer
	gave      bool           // the list has that turn given back, and the record of the run does not yet
	refused   *refusal       // of the last turn, if the store failed before it was recorded

	planned bool      // it is only asked what it would do
	rev     uint64    // of the list's document when this process last saw it
	op      string    // of the commit that had written it then
	created todo.Time // when that was begun
}

// Run keeps the agent going until the work is done and proven, in a session that Acquire holds. The error is a cli.ExitCode where the
// run has ended as package run decides, and where the user was told of it.
func (r *Runner) Run() error {
	defer func() { r.held.Release() }()
	takenUp, err := r.beginOrResume()
	if err != nil {
		if r.continued { // and was told to be
			err = r.tellFailure(err)
		}
		return err
	}
	defer r.keepHold()()
	if r.Item != nil {
		if r.Item.settled != "" {
			return r.tellFailure(r.finish(run.Action{Outcome: run.Done, Reason: "done", Message: "the item was completed before"}, cli.ExitOK))
		}
		defer r.keepClaim()()
	}
	r.Tell.RunBegan(&r.record, r.at)
	err = r.loop(takenUp)
	err = r.giveBackItem(err)
	return r.Tell.RunEnded(r.tellFailure(err))
}

// save counts what was spent since, and writes the record of the run.
func (r *Runner) save() error {
	now, err := r.now()
	if err != nil {
		return err
	}
	doc, err := r.Store.Load()
	if err != nil {
		return err
	}
	if err := r.checkNotReplaced(doc); err != nil {
		return err
	}
	r.record.CountSpending(doc.Ledger())
	return r.write(&r.record, now)
}

// now returns the time, and uses it for the next changes.
func (r *Runner) now() (todo.Time, error) {
	now, err := r.Clock.Now()
	r.at = now
	return now, err
}

// load reads the list, and the settings that hold for it.
func (r *Runner) load() (doc *session.Document, set continuation.Settings, err error) {
	if doc, err = r.Store.Load(); err == nil {
		set, err = r.Store.Settings(doc)
	}
	return doc, set, err
}

// loop carries out one action after another.
func (r *Runner) loop(takenUp bool) error {
	act, err := r.firstAction(takenUp)
	for err == nil {
		if s := r.Clock.PendingSignal(); s != nil {
			return r.endBySignal(s)
		}
		switch act.Kind {
		case run.Ask:
			act, err = r.decideNextAction()
		case run.Start:
			var turn run.EndedTurn
			var by os.Signal
			instead, failed := r.runGateBeforeWork()
			if err = failed; err != nil {
				break
			}
			if instead != nil {
				if act = *instead; act.Kind == run.EndRun {
					continue
				}
			}
			if turn, by, err = r.turn(act); by != nil && (err == nil || storeFails(err)) {
				return r.endBySignal(by)
			}
			if err == nil {
				if r.NoteTurnEnd != nil {
					r.NoteTurnEnd(act, turn)
				}
				act = r.Machine.TurnEnded(turn)
			}
		case run.WaitFor:
			if by := r.wait(act); by != nil {
				return r.endBySignal(by)
			}
			act = run.Action{Kind: run.Ask}
		case run.SwitchAgent:
			r.switchAgent(act)
			act = run.Action{Kind: run.Ask}
		case run.EndRun:
			if err = r.end(act); err == nil || r.Item != nil || errors.As(err, new(cli.ExitCode)) {
				return err
			}
		}
		if err != nil {
			last := act
			if gone := r.endOfRemoved(err); gone != nil && last.Kind != run.EndRun {
				act, err = *gone, nil
				continue
			}
			if act, err = r.retryAfterStoreFailure(err); err != nil && last.Kind == run.EndRun {
				return r.endUnrecorded(last, err)
			}
		}
	}
	if code := cli.ExitCode(0); errors.Is(err, ask.ErrStopped) || errors.As(err, &code) && int(code) == cli.ExitInterrupted {
		return r.endBySignal(r.Clock.HandledSignal())
	}
	return err
}

// retryAfterStoreFailure waits where the store fails, and then asks again. What the turn that could not be saved has cost is given back.
func (r *Runner) retryAfterStoreFailure(failed error) (run.Action, error) {
	if !storeFails(failed) {
		return run.Action{}, failed
	}
	now, err := r.now()
	if err != nil {
		return run.Action{}, err
	}
	act := r.Machine.StoreFailed(failed, now)
	if act == nil {
		return run.Action{}, failed
	}
	r.record.Keeper, r.givesTurn, r.silent = nil, true, errors.Is(failed, store.ErrUnavailable)
	return *act, nil
}

// refusal is the end of a turn that the agent's host refused, and how many turns had ended before it.
type refusal struct {
	end    continuation.Event
	before int
}

// applyTurnEnd records the end of a turn that the agent's own events did not bring to the list, and what came before it in the turn.
func (r *Runner) applyTurnEnd(doc *session.Document, end continuation.Event, now todo.Time, before ...continuation.Event) (session.Change, error) {
	events := slices.Concat([]continuation.Event{{Type: continuation.TurnStart, Source: r.Agent}}, before, []continuation.Event{end})
	return continuation.ApplyAll(doc, events, doc.Rev == 0, continuation.ErrNothingOpen, now) // a pause counts only while something is open
}

// recordRefusal records a refusal that the store did not take. If only the store's answer was lost, it is on record.
func (r *Runner) recordRefusal() error {
	f := r.refused
	if f == nil {
		return nil
	}
	doc, err := r.Store.Load()
	if err == nil {
		err = r.checkNotReplaced(doc) // else the refusal would begin a list instead of the one that was removed
	}
	if err == nil && doc.Ledger().Turns == f.before {
		err = r.Store.Update(Refused, r.at, func(doc *session.Document) (session.Change, error) { return r.applyTurnEnd(doc, f.end, r.at) })
	}
	if err == nil {
		r.refused = nil
	}
	return err
}

// giveBackTurn gives back what a turn has cost that the store could not save.
func (r *Runner) giveBackTurn() error {
	if !r.givesTurn {
		return nil
	}
	if err := r.recordRefusal(); err != nil {
		return err
	}
	err := r.Store.Update(GivenBack, r.at, func(doc *session.Document) (session.Change, error) {
		if doc.Rev == 0 || !continuation.GiveBackTurn(doc) {
			return session.Change{}, nil
		}
		r.gave = true // also where the store takes it and does not say so
		return session.Change{What: "the turn was cut off when the store failed", By: "cli"}, nil
	})
	if r.givesTurn = err != nil; r.gave && err == nil {
		r.record.GiveBackContinuation()
		r.gave = false
	}
	return err
}

// storeFails reports whether a store that answers again may end an error. A folder that was removed does not come back, nor does
// a session that another run holds by now.
func storeFails(err error) bool {
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrHoldLost) && slices.ContainsFunc([]error{store.ErrUnavailable, store.ErrUnknown, store.ErrBusy, store.ErrIO, store.ErrNotDurable},
		func(kind error) bool { return errors.Is(err, kind) })
}

// firstAction returns the first action. A session that is switched off or stopped starts no agent.
func (r *Runner) firstAction(takenUp bool) (run.Action, error) {
	doc, err := r.Store.Load()
	if err != nil || doc == nil {
		return r.Machine.Begin(takenUp && !r.restarts), err
	}
	set, err := r.Store.Settings(doc)
	if err != nil {
		return run.Action{}, err
	}
	if d, _ := continuation.Decide(doc, continuation.Facts{}, set, r.at); d.Reason == "disabled" || d.Reason == "stopped" {
		return r.Machine.Answered(run.Answer{Decision: d}, r.at), nil
	}
	return r.Machine.Begin(takenUp && !r.restarts), nil
}

// waitHint is how the user ends a wait early; empty if only the store does.
func waitHint(act run.Action) string {
	if act.Reason == run.ReasonStoreFails {
		return ""
	}
	return "`onward resume` tries now"
}

// waitText describes a wait, with the time until when it lasts or with its length.
func waitText(act run.Action) string {
	if act.Named {
		return act.Message
	}
	return act.Message + "; waiting " + todo.SpanText(max(act.For.Round(time.Second), min(act.For, time.Second)))
}

// longWait is the least length of a wait that the user is notified of.
const longWait = 10 * time.Minute

// wait waits for a time, or until the list changes or a signal comes, which is returned.
func (r *Runner) wait(act run.Action) os.Signal {
	until := r.at + todo.Time(act.For.Milliseconds())
	left := act.For
	if act.Named {
		left = 0 // the message names the time
	}
	r.Tell.ShowActivity(&r.record, r.at, act.Message, left)
	if act.Reason != r.waits || act.Reason == run.ReasonStoreFails { // else it only looks again
		r.tell(Event{Type: "waiting", Turn: r.record.Turns, Reason: act.Reason, Until: until.String(), Hint: waitHint(act)}, waitText(act))
		if act.For >= longWait {
			r.Tell.NoteLongWait()
		}
	}
	r.waits = act.Reason
	var by os.Signal
	if act.Reason == run.ReasonStoreFails {
		by = r.waitForStore(act.For)
	} else {
		by = r.Clock.Wait(act.For, true)
	}
	_, _ = r.now()
	return by
}

// asksStore is how often a run that waits for silent servers looks whether they answer again.
const asksStore = time.Minute

// waitForStore waits for a time, or until a signal comes, which is returned, or servers that did not answer do again.
func (r *Runner) waitForStore(left time.Duration) os.Signal {
	for ; r.silent && left > asksStore; left -= asksStore {
		if by := r.Clock.Wait(asksStore, false); by != nil {
			return by
		}
		if _, err := r.Store.Load(); !errors.Is(err, store.ErrUnavailable) {
			return nil
		}
	}
	return r.Clock.Wait(left, false)
}
