package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/agent"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/process"
	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/supervise"
	"onward/internal/todo"
)

type runCmd struct {
	Agent string `arg:"" complete:"program" ask:"which agent?" help:"The agent: ${agents}; generic is the program whose words follow --."`
	Task  string `arg:"" optional:"" quote:"" help:"The task; - reads it from standard input; default: the existing list."`

	File      string  `placeholder:"FILE" complete:"file" help:"Read the task from a file."`
	Item      *string `placeholder:"SESSION:ID" complete:"claimed" help:"Work on an item that this worker has claimed: its text is the task, and the end settles it."`
	As        string  `placeholder:"NAME" needs:"item" help:"The worker's name; default ONWARD_WORKER."`
	MaxWait   *string `placeholder:"D" help:"The longest wait in a row; a longer one ends the run with 13."`
	MaxOutage *string `placeholder:"D" help:"How long servers and the network may fail; default 6h."`
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
	a       *app
	t       target
	program agent.Program
	task    string
	silence time.Duration
	machine run.Machine
	held    store.Held
	record  session.Run
	signals chan os.Signal
	log     io.Writer
	reports string // the format of the report, as the ending of its file says
	news    *news
	shown   *runView
	answer  string // the prompt of the last decision
	hinted  bool   // whether the user was told how the agent may change files
	queue   *queued
}

// Run keeps the agent going until the work is done and proven.
func (c *runCmd) Run(a *app, t target) error {
	if err := personOnly("start an agent"); err != nil {
		return err
	}
	r := &runner{runCmd: c, a: a, t: t, log: io.Discard}
	if err := r.prepare(); err != nil {
		return err
	}
	if c.Log != "" {
		f, err := os.OpenFile(c.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return fileError("write", c.Log, err)
		}
		defer f.Close()
		r.log = f
	}
	var err error
	if r.held, err = r.t.files.Hold(session.RunKey(r.t.name), true); errors.Is(err, store.ErrBusy) {
		return r.atWork()
	}
	if err != nil {
		return fmt.Errorf("start a run: %w", err)
	}
	defer r.held.Release()
	r.signals = interrupts()
	defer signal.Stop(r.signals)
	takenUp, err := r.begin()
	if err != nil {
		return err
	}
	if r.queue != nil {
		if r.queue.settled != "" {
			return r.over(run.Done, "done", "the item was completed before", "", exitOK)
		}
		defer r.keepClaim()()
	}
	r.news = (&watching{}).newNews(c.Notify, false)
	r.shown = r.view()
	defer r.shown.end()
	return r.ended(r.givesBack(r.loop(takenUp)))
}

// prepare reads the flags, and finds the task and the agent's program.
func (r *runner) prepare() error {
	var err error
	if r.machine.MaxWait, err = duration("--max-wait", r.MaxWait, 0); err != nil {
		return err
	}
	if r.machine.MaxOutage, err = duration("--max-outage", r.MaxOutage, 6*time.Hour); err != nil {
		return err
	}
	if r.silence, err = duration("--silence", r.Silence, time.Hour); err != nil {
		return err
	}
	if r.reports, err = (&fileFlags{Output: r.Report}).formatFor(r.a, "", "markdown", "html", "json"); err != nil {
		return err
	}
	if r.Report != "" {
		if _, err := os.Stat(filepath.Dir(r.Report)); err != nil {
			return fileError("write", r.Report, err)
		}
	}
	if err := r.findProgram(); err != nil {
		return err
	}
	if r.task, err = r.readTask(); err != nil {
		return err
	}
	if err = r.findItem(); err != nil {
		return err
	}
	r.task = strings.ToValidUTF8(r.task, "\uFFFD")
	r.machine.Task = r.task != ""
	r.machine.Fresh = r.Fresh || !r.program.Resumes()
	return nil
}

// findProgram finds the program that the run starts.
func (r *runner) findProgram() error {
	var known bool
	if r.Agent == "generic" {
		r.program = agent.Generic(r.words)
		if len(r.words) == 0 {
			return cli.Hinted(cli.Usagef("generic: the program is missing"), "name it after --, as in `onward run generic 'the task' -- my-agent {prompt}`; without {prompt} the prompt is its standard input")
		}
	} else if r.program, known = agents.ProgramOf(r.Agent); !known {
		return cli.Hinted(cli.Usagef("unknown agent %q (one of %s)", r.Agent, strings.Join(programNames(), ", ")),
			"`onward run generic 'the task' -- PROGRAM` starts any other program")
	}
	if r.MaxUSD != nil && *r.MaxUSD != "0" && !r.program.Costs {
		return cli.Hinted(cli.Usagef("--max-usd: %s does not report what it costs", r.Agent), "--max-tokens and --max-duration limit it")
	}
	if _, err := exec.LookPath(r.program.Command[0]); err != nil && !errors.Is(err, exec.ErrNotFound) {
		return fileError("start", r.program.Command[0], errors.Unwrap(err))
	} else if err != nil {
		hint := "name a program that is on PATH"
		if r.program.Install != "" {
			hint = "to install it: " + r.program.Install
		}
		return cli.Hinted(cli.Failf(exitNotFound, "find the program %q: it is not on PATH", r.program.Command[0]), hint)
	}
	return nil
}

// programNames lists the names that `onward run` accepts.
func programNames() []string {
	return append(render.Each(agents.Programs(), func(_ int, p *agent.Program) string { return p.Name }), "generic")
}

// maxTask is how long the task may be, in bytes; an argument of a program is never longer than that on Linux.
const maxTask = 100_000

// readTask returns the task; empty if there is none.
func (r *runner) readTask() (string, error) {
	var data []byte
	var err error
	switch {
	case r.File != "" && r.Task != "":
		return "", cli.Usagef("the task and --file exclude each other")
	case r.File != "":
		if data, err = os.ReadFile(r.File); err != nil {
			return "", fileError("read", r.File, err)
		}
	case r.Task == "-":
		if data, err = r.a.readStdin(); err != nil {
			return "", err
		}
	case r.Task == "":
		return "", nil
	default:
		data = []byte(r.Task)
	}
	task := strings.TrimSpace(string(data))
	switch {
	case task == "":
		return "", cli.Failf(exitData, "the task is empty")
	case len(task) > maxTask:
		return "", cli.Failf(exitData, "the task has more than %d bytes", maxTask)
	}
	return task, nil
}

// atWork reports who holds the session.
func (r *runner) atWork() error {
	who := "another run"
	if other, _ := r.t.store.ReadRun(r.t.name); other != nil && other.Process != nil {
		who = fmt.Sprintf("process %d on %s", other.Process.PID, other.Process.Host)
	}
	return cli.Hinted(fmt.Errorf("start a run: %w: %s keeps an agent going on session %q", store.ErrBusy, who, r.t.name),
		"`onward watch --session "+r.t.name.Session+"` shows it, and Ctrl-C there ends it; another session is named with --session")
}

// begin records the run, or takes up one that was cut off.
func (r *runner) begin() (takenUp bool, err error) {
	now, err := r.now()
	if err != nil {
		return false, err
	}
	before, err := r.t.store.ReadRun(r.t.name)
	if err != nil {
		return false, fmt.Errorf("read the run: %w", err)
	}
	if before != nil {
		if !r.ends(before) {
			return false, fmt.Errorf("take up a run: %w: what the last run of session %q started is still at work", store.ErrBusy, r.t.name)
		}
	}
	if takenUp, err = r.takesUp(before); err != nil || r.queue != nil && r.queue.settled != "" {
		return false, err
	}
	doc, err := r.t.store.Load(r.t.name)
	if err != nil {
		return false, err
	}
	if err := r.free(doc, before, now); err != nil {
		return false, err
	}
	r.record = session.Run{Agent: r.Agent, Task: r.task, Began: now, Process: process.Self(), Mark: newMark()}
	r.record.CountFrom(doc.Ledger())
	if q := r.queue; q != nil {
		r.record.Queue, r.record.Item, r.record.Claim = q.list.name.String(), q.held.ID, q.held.Number
	}
	if takenUp {
		if err := r.takeUp(before); err != nil {
			return false, err
		}
	} else if err := r.prompted(doc); err != nil {
		return false, err
	}
	return takenUp, r.save()
}

// takesUp reports whether this run continues the one that was cut off, if there is one.
func (r *runner) takesUp(before *session.Run) (bool, error) {
	switch {
	case r.queue != nil:
		return r.takesUpItem(before)
	case before == nil || r.New:
		return false, nil
	case before.Queue != "":
		return false, r.otherRun("the item "+before.Queue+":"+before.Item, "`onward run "+r.Agent+" --item "+before.Queue+":"+before.Item+"` takes it up")
	case r.task != "" && r.task != before.Task:
		return false, r.otherRun("another task", "`onward run "+r.Agent+"` takes it up")
	}
	return true, nil
}

// otherRun returns an error if a run on another task or item was cut off here.
func (r *runner) otherRun(what, hint string) error {
	return cli.Hinted(fmt.Errorf("start a run: %w: a run of %s on session %q was cut off", store.ErrBusy, what, r.t.name), hint+", and --new gives it up")
}

// save counts what was spent since, and writes the record of the run.
func (r *runner) save() error {
	now, err := r.now()
	if err != nil {
		return err
	}
	doc, err := r.t.store.Load(r.t.name)
	if err != nil {
		return err
	}
	r.record.Spend(doc.Ledger())
	return session.WriteRun(r.held, r.t.name, &r.record, now)
}

// newMark returns a value that identifies the run: no other run has it.
func newMark() string {
	start, _ := process.Start(os.Getpid())
	return strconv.Itoa(os.Getpid()) + "." + start + "." + strconv.FormatInt(time.Now().UnixNano(), 10)
}

// ends waits until no process of a run that was cut off is at work any more, and reports whether that is so.
func (r *runner) ends(before *session.Run) bool {
	for began := time.Now(); before.Keeper != nil && process.Of(before.Keeper.PID).Is(before.Keeper); time.Sleep(keeperLook) {
		if time.Since(began) > keeperLimit {
			return false
		}
	}
	return supervise.EndMarked("ONWARD_RUN", before.Mark)
}

// How long the keeper of a run that was cut off may take to end its agent.
const (
	keeperLimit = 10 * time.Second
	keeperLook  = 20 * time.Millisecond
)

// free returns an error if another live conversation owns the list.
func (r *runner) free(doc *session.Document, before *session.Run, now todo.Time) error {
	if doc == nil {
		return nil
	}
	set, err := r.settings(doc)
	if err != nil {
		return err
	}
	ours := ""
	if before != nil {
		ours = before.Conversation
	}
	doc.Release("", r.t.store.Gone, now)
	o := doc.Owner
	if !o.Excludes(ours, set.StaleAfter, now) {
		return nil
	}
	if !r.Take {
		return cli.Hinted(fmt.Errorf("start a run: %w: %s session %s is at work on the list of session %q", store.ErrBusy, o.Agent, o.Session, r.t.name),
			"--take takes the list from it, and --session names another one")
	}
	_, err = r.t.update("", func(doc *session.Document) (session.Change, error) {
		return doc.Take(session.Conversation{}, now), nil
	})
	return err
}

// prompted reports the user's prompt, which ends an interrupt and a pause, and starts the counters anew.
func (r *runner) prompted(doc *session.Document) error {
	set, err := r.settings(doc)
	if err != nil {
		return err
	}
	if r.task == "" && len(doc.Current()) == 0 && set.Gate == "" {
		return cli.Hinted(cli.Failf(exitNotFound, "there is no task, and session %q has no list", r.t.name),
			"`onward run "+r.Agent+" 'the task'` gives it one, and `onward todo add TEXT` starts a list")
	}
	if set.Gate == "" {
		r.note("no gate is set: the list alone says what is done; `--gate COMMAND` proves it")
	}
	if r.queue != nil {
		return r.beginItem()
	}
	// Without a task there is nothing new, so a finished list stays, and is done.
	prompt := continuation.Event{Type: continuation.UserPrompt, Source: "cli", Stays: r.task == ""}
	_, err = r.t.update("", func(doc *session.Document) (session.Change, error) {
		return continuation.ApplyAll(doc, set.WithGate([]continuation.Event{prompt}), doc.Rev == 0, nil, r.t.now)
	})
	return err
}

// takeUp continues the run that was cut off.
func (r *runner) takeUp(before *session.Run) error {
	is := r.record
	r.record = *before
	r.record.Process, r.record.Mark, r.record.Keeper, r.record.Agent = is.Process, is.Mark, nil, is.Agent
	if before.Agent != is.Agent {
		r.record.Conversation = ""
	}
	r.task, r.machine.Task = before.Task, before.Task != ""
	r.tell(event{Type: "resumed", Turn: before.Turns}, fmt.Sprintf("taking up the run that was cut off in turn %d", before.Turns))
	_, err := r.t.update("", func(doc *session.Document) (session.Change, error) {
		if doc.Rev == 0 || !continuation.TakeUp(doc, before.Conversation, r.t.now) {
			return session.Change{}, nil
		}
		return session.Change{What: "the turn was cut off with its run", By: "cli"}, nil
	})
	return err
}

// settings returns the settings that are in force.
func (r *runner) settings(doc *session.Document) (continuation.Settings, error) {
	return r.t.settings(readConfigFile(), r.values(), doc)
}

// now returns the time, and uses it for the next changes.
func (r *runner) now() (todo.Time, error) {
	now, err := r.a.clock()
	r.t.now = now
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
			if turn, by, err = r.turn(act); err == nil && by != nil {
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
			return r.end(act)
		}
	}
	if code := cli.ExitCode(0); errors.As(err, &code) && int(code) == exitInterrupted {
		return r.stopped(os.Interrupt) // the interrupt came while the gate ran
	}
	return err
}

// first returns the first action. A session that is switched off or stopped starts no agent.
func (r *runner) first(takenUp bool) (run.Action, error) {
	doc, err := r.t.store.Load(r.t.name)
	if err != nil || doc == nil {
		return r.machine.Begin(takenUp), err
	}
	set, err := r.settings(doc)
	if err != nil {
		return run.Action{}, err
	}
	if d, _ := continuation.Decide(doc, continuation.Facts{}, set, r.t.now); d.Reason == "disabled" || d.Reason == "stopped" {
		return r.machine.Answered(run.Answer{Decision: d}, r.t.now), nil
	}
	return r.machine.Begin(takenUp), nil
}

// wait waits for a time, or until the list changes or a signal comes, which is returned.
func (r *runner) wait(act run.Action) os.Signal {
	until := r.t.now + todo.Time(act.For.Milliseconds())
	doing, _, _ := strings.Cut(act.Message, ",") // the text after the comma changes while waiting
	r.shown.does(&r.record, r.t.now, doing, act.For)
	r.tell(event{Type: "waiting", Turn: r.record.Turns, Reason: act.Reason, Until: until.String()},
		act.Message+"; waiting "+act.For.Round(time.Second).String())
	if act.For >= longWait {
		r.notify()
	}
	if r.a.jump(act.For) {
		return nil
	}
	watch := r.t.watch()
	defer watch.Close()
	for {
		now, err := r.now()
		if err != nil || now >= until {
			return nil
		}
		// The machine may have slept meanwhile, so the clock is read again.
		select {
		case s := <-r.signals:
			return s
		case <-watch.Changes:
			return nil
		case <-time.After(min(now.Since(until), time.Minute)):
		}
	}
}

// end ends the run, and marks its record as ended.
func (r *runner) end(act run.Action) error {
	if r.queue != nil {
		return r.endItem(act)
	}
	code := outcomeCode(act.Answer)
	if act.Outcome == run.Done {
		code = exitOK
	}
	return r.over(act.Outcome, act.Reason, act.Message, act.Hint, code)
}

func (r *runner) over(outcome run.Outcome, reason, message, hint string, code int) error {
	now, err := r.now()
	if err == nil {
		err = session.WriteRun(r.held, r.t.name, nil, now)
	}
	if err != nil {
		return fmt.Errorf("end the run: %w", err)
	}
	r.last(event{Type: "ended", Turn: r.record.Turns, Code: &code, Outcome: string(outcome), Reason: cmp.Or(reason, string(outcome)), Message: message, Hint: hint},
		outcome.Words()+" after "+todo.Plural(r.record.Turns, "turn")+": "+message+r.queue.became())
	if code == exitOK {
		return nil
	}
	return cli.ExitCode(code)
}

// stopped ends the run by a signal: the user's own interrupt is the end, and after any other signal the run can be taken up.
func (r *runner) stopped(by os.Signal) error {
	switch lost, is := by.(claimLost); {
	case is:
		return r.lostClaim(lost.why)
	case by == os.Interrupt:
		act := run.Action{Outcome: run.Interrupted, Reason: "interrupt", Message: "the user interrupted the run", Hint: "`onward run` starts again"}
		if r.queue != nil {
			act.Hint = ""
			return r.settleItem(todo.Pending, act, exitInterrupted)
		}
		return r.over(act.Outcome, act.Reason, act.Message, act.Hint, exitInterrupted)
	}
	code := exitTerminated
	r.last(event{Type: "ended", Turn: r.record.Turns, Code: &code, Outcome: string(run.Interrupted), Reason: by.String(), Hint: "`" + r.typed() + "` takes the run up"},
		"cut off by a signal: "+by.String())
	return cli.ExitCode(code)
}
