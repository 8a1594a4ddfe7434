package simulate

import (
	"errors"
	"io"
	"os"
	"time"

	"onward/internal/agents"
	agentstream "onward/internal/agents/stream"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	nights "onward/internal/night"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

const (
	task    = "make a plan and do it"
	silence = time.Hour // a turn that prints nothing for so long is ended
)

// runner is one process of `onward run`: package night drives it, and gets the store, the clock and the agent of the world.
type runner struct {
	*command // of the process, which holds the session
	*shift
	before *session.Run // the record that it found when it began
	found  bool         // that record, if there is one, was read
	start  todo.Time    // when the run began
	words  string       // the messages that wait, as they are sent
	last   ask.Answer   // the answer to the last question
	job    *job         // the turn
	keeps  *nights.Runner
	reads  *command // what saves the output of the turn; nil between turns
	silent func()   // called where the agent prints nothing for too long
	alarms []*alarm
	signal func(os.Signal) // called at an interrupt; nil between turns
}

// alarm is a call that is due at a time.
type alarm struct {
	at time.Duration
	do func()
}

// onwardRun runs a process of `onward run` to its end, and reports whether the run is over.
func (a *actor) onwardRun(s *shift) bool {
	r := &runner{command: newCommand(a, s.agent.list), shift: s}
	self := a.starts()
	a.say(a.name, "runs `onward run`")
	s.on, s.interrupted = true, false
	err := r.run(never, func(c *command) error {
		r.command = c
		program, _ := agents.ProgramOf("claude")
		n := &nights.Runner{
			Relay: s.agents(program), Fresh: s.rules.Fresh,
			Name: c.name, Agent: "claude", Program: program, Task: task, Silence: silence, Machine: run.Machine{Rules: s.rules},
			Self: self, Mark: r.text("mark"), Store: runStore{r}, Clock: runClock{r}, Programs: r, Tell: runTeller{r}, Hints: runHints{}, Errors: runErrors{}, NoteTurnEnd: r.follows,
			TaughtElsewhere: func() bool { return true },
			ChangedSince:    func(time.Time) bool { return true },
			Checkout:        checkout{runner: r},
			LastCommit:      func() string { return "" },
		}
		r.keeps = n
		if n.Relay != nil {
			n.UseAgent(0)
		}
		if err := n.Acquire(); err != nil {
			return err
		}
		return n.Run()
	})
	delete(a.alive, self.PID)
	a.struck, s.on, s.changed = false, false, nil
	s.abandon(a)
	if err == nil || errors.As(err, new(cli.ExitCode)) {
		return true
	}
	a.say(a.name, "is cut off: %v", err)
	a.count("run", "is cut off")
	return false
}

// noCheckout is a folder without a repository.
type noCheckout struct{}

func (noCheckout) State(continuation.Settings) (state, noTree string) {
	return "", "this is not a git repository"
}

func (noCheckout) ChangedChecks(continuation.Settings, string, ...string) (changed []string, unknown string) {
	return nil, ""
}

func (noCheckout) ChecksAndOthers(_ continuation.Settings, _, _ string) (checks, others []string, unknown string) {
	return nil, nil, ""
}

func (noCheckout) ChangedProtected(continuation.Settings, string, ...string) (changed []string, unknown string) {
	return nil, ""
}

func (noCheckout) AddChanges(_ continuation.Settings, _, _, _ string, _ []string) string { return "" }

func (noCheckout) Evidence(_ continuation.Settings, _, _, _ string) (before, after session.Files, changed session.Changed) {
	return before, after, changed
}

// checkout has the simulated files of a run.
type checkout struct {
	noCheckout
	*runner
}

func (c checkout) State(set continuation.Settings) (state, noTree string) {
	c.startsWith(set.GateDir)
	return c.state(set.GateDir)
}

func (checkout) ChangedChecks(_ continuation.Settings, from string, to ...string) (changed []string, unknown string) {
	for _, to := range to {
		differ, _, _ := apart(from, to)
		changed = append(changed, differ...)
	}
	return changed, ""
}

func (checkout) ChecksAndOthers(_ continuation.Settings, from, to string) (checks, others []string, unknown string) {
	_, checks, others = apart(from, to)
	return checks, others, ""
}

// part runs one command of the run on the store. It waits for the store as long as any other command does.
func (r *runner) part(do func(*command) error) error {
	err := newCommand(r.actor, r.name).run(10*time.Second, do)
	if errors.Is(err, errKilled) {
		panic(killed{}) // the command is part of this process, which was killed
	}
	return err
}

// runStore is the store of a run: each call is a command of its own.
type runStore struct{ *runner }

func (r runStore) Load() (doc *session.Document, err error) {
	return doc, r.part(func(c *command) error {
		doc, err = c.lists.Load(c.name)
		return err
	})
}

func (r runStore) Update(why nights.ChangeCause, now todo.Time, change func(*session.Document) (session.Change, error)) error {
	return r.part(func(c *command) error {
		c.means = r.means(c, why)
		return c.update("", change)
	})
}

// means returns what a change of the run means.
func (r *runner) means(c *command, why nights.ChangeCause) func(*truth) {
	switch why {
	case nights.Prompted:
		spoken := c.spoken("")
		return func(t *truth) {
			spoken(t)
			r.beginsRun()
		}
	case nights.Delivered:
		r.count("run", "begins with a message")
		return func(*truth) { c.deliver(r.words) }
	case nights.TakenUp:
		r.count("run", "is taken up")
		r.say("run", "takes up the one that was cut off in turn %d", r.before.Turns)
		r.takenUp(r.before)
		r.of(r.name.String()).aborted = false // a user who types the command again wants the work to go on
		handed := r.before.HandedOn
		return func(t *truth) {
			if givesBack(t); handed {
				passedOn(t)
			}
		}
	case nights.Refused:
		return r.agent.failure
	case nights.PassedOn:
		return passedOn
	case nights.GivenBack:
		return givesBack
	case nights.Interrupted:
		return interrupted
	case nights.TurnEnded:
		return r.agent.concluded(r.status(), r.class())
	}
	return nil
}

// givesBack changes the truth where a turn has cost nothing.
func givesBack(t *truth) {
	if t.inTurn {
		t.inTurn, t.spent, t.most, t.unexcused = false, max(0, t.spent-1), max(0, t.most-1), max(0, t.unexcused-1)
	}
}

// status returns how a turn has ended that did not report its end.
func (r *runner) status() continuation.TurnStatus {
	switch {
	case r.interrupted:
		return continuation.Aborted
	case r.job.over:
		return continuation.CutOff
	case r.job.code != 0:
		return continuation.Failed
	}
	return continuation.Done
}

// class returns what a turn has failed of, as its program wrote it to standard error.
func (r *runner) class() continuation.ErrorClass {
	return agents.FailureTexts().ProblemIn(r.job.errors).Class
}

func (r runStore) Settings(doc *session.Document) (set continuation.Settings, err error) {
	return set, r.part(func(c *command) error {
		set, err = c.settings(doc)
		return err
	})
}

func (r runStore) ChosenGates(doc *session.Document) (chosen []*session.ChosenGate, err error) {
	return chosen, r.part(func(c *command) error {
		shared, err := c.lists.ProjectSettings(c.place)
		chosen = session.ChosenGates(shared, doc)
		return err
	})
}

func (r runStore) Standing() (standing continuation.Standing, doc *session.Document) {
	_ = r.part(func(c *command) (err error) {
		if doc, err = c.lists.Load(c.name); err != nil || doc == nil {
			return err
		}
		q := ask.Question{List: asked{c}, Name: c.name, Now: c.now, DryRun: true}
		_, standing, err = q.Standing(doc, doc.Owner != nil && c.gone(doc.Owner.Process))
		return err
	})
	return standing, doc
}

func (r runStore) Messages() (out []session.Message, err error) {
	return out, r.part(func(c *command) error {
		facts, _, err := asked{c}.Facts(continuation.Facts{})
		out = facts.UserMessages()
		r.words = continuation.JoinMessages(out)
		return err
	})
}

func (r runStore) RemoveMessages(ids []string, _ todo.Time) error {
	return r.part(func(c *command) error { return asked{c}.RemoveMessages(ids) })
}

func (r runStore) ReadRun() (record *session.Run, err error) {
	err = r.part(func(c *command) error {
		record, err = c.lists.ReadRun(c.name)
		return err
	})
	if err == nil && !r.found { // what it reads later is its own
		r.before, r.found = record, true
	}
	return record, err
}

// Hold is of the process and not of a part, so that it lasts.
func (r runStore) Hold(time.Duration) (store.Held, error) {
	r.knew = r.of(r.name.String()).stopped
	return r.store.Hold(session.RunKey(r.name), true)
}

func (r runStore) Remote() bool                    { return false }
func (r runStore) IsAlive(p *session.Process) bool { return r.lives(p) }
func (r runStore) Gone(p *session.Process) bool    { return r.gone(p) }

func (r runStore) WithQuestion(do func(ask.Question) (ask.Answer, error)) (got ask.Answer, err error) {
	r.knew = r.of(r.name.String()).stopped
	return got, r.part(func(c *command) error {
		c.spent, c.since = r.spending(), r.start
		defer r.startsWith(r.place.Dir)
		got, err = do(ask.Question{List: asked{c}, Name: c.name, Waiting: &waiting{command: c, since: c.at}, Notes: asked{c}, Gate: &gate{command: c}})
		if err != nil {
			return err
		}
		c.answers(got, false)
		c.say("onward", "answers the run: %s", c.told(got))
		r.last = got
		return nil
	})
}

func (r runStore) WithGate(prove func(ask.Gate) error) error {
	defer r.startsWith(r.place.Dir)
	return r.part(func(c *command) error { return prove(&gate{command: c}) })
}

func (r runStore) WithSaver(read func(*ask.Saver) error) error {
	return r.part(func(c *command) error {
		c.writes, r.reads = true, c
		defer func() { r.reads, r.signal, r.silent, r.alarms = nil, nil, nil, nil }()
		return read(&ask.Saver{Store: c.lists, Project: "/project"})
	})
}

// runClock is the clock of a run.
type runClock struct{ *runner }

func (r runClock) Now() (todo.Time, error) {
	if r.reads != nil {
		r.reads.store.patience = 10 * time.Second // each commit of a turn's output waits for the store
	}
	return r.clock(), nil
}

func (r runClock) Wall() time.Time        { return r.clock().Time() }
func (r runClock) Elapsed() time.Duration { return r.at }

func (r runClock) After(d time.Duration, do func()) (stop func()) {
	r.alarms = append(r.alarms, &alarm{r.at + max(0, d), do})
	return func() {}
}

// OnChange calls the function after the changes that end a turn: those of `onward stop --now`.
func (r runClock) OnChange(do func()) (stop func()) {
	r.changed = func() {
		r.alarms = append(r.alarms, &alarm{r.at, do})
		r.night.wake()
	}
	return func() { r.changed = nil }
}

func (r runClock) Wait(d time.Duration, watches bool) os.Signal {
	r.count("run", "waits")
	if watches {
		(&waiting{command: r.command, since: r.at, watches: true}).Wait(d)
	} else {
		r.sleep(d)
	}
	return r.PendingSignal()
}

func (r runClock) PendingSignal() os.Signal {
	if r.interrupted {
		return os.Interrupt
	}
	return nil
}

func (r runClock) HandledSignal() os.Signal { return os.Interrupt }

func (r runClock) OnSignal(do func(os.Signal)) (stop func()) {
	r.signal = do
	return func() {}
}

func (r runClock) Send(os.Signal, <-chan struct{}) {}

// Start starts the agent's program once it may begin.
func (r *runner) Start(act run.Action, conversation, _ string) (nights.Process, error) {
	keeper := r.starts()
	r.startsTurn(r, act)
	prompt := act.Text
	if r.goesOn(r, conversation) && prompt == run.Handover {
		prompt = run.Prompt // no conversation was given up
	}
	if r.owed != "" && conversation != r.owed && act.Text != run.Handover && r.before.Agent == r.keeps.Agent {
		r.breaks(6, "a run is taken up, and does not resume its conversation")
	}
	r.owed = ""
	r.job = &job{conversation: conversation, keeper: keeper.PID, pipe: &pipe{}, check: act.Text == run.Check}
	r.keeper = keeper.PID
	return &process{r, r.job, keeper, prompt}, nil
}

// WaitForEnd waits until all processes of a run that was cut off have ended, and reports whether they have.
func (r *runner) WaitForEnd(before *session.Run) bool {
	for began := r.at; before.Keeper != nil && r.alive[before.Keeper.PID]; r.sleep(100 * time.Millisecond) {
		if r.at-began > 10*time.Second {
			return false
		}
	}
	return true
}

func (r *runner) SubAgentUsage(string) (used continuation.Usage, err error) { return used, nil }

// process is the agent's program in one turn.
type process struct {
	run *runner
	*job
	is     *session.Process
	prompt run.PromptKind
}

func (p *process) Keeper() *session.Process { return p.is }

func (p *process) Begin() {
	p.begins = true
	if p.prompt == run.Handover {
		p.run.handed++
	}
	if p.run.handed > 3 {
		p.run.breaks(2, "%d new conversations in a row without progress", p.run.handed)
	}
	p.run.agent.start(p.job)
	p.run.sure = p.run.turns
}

func (p *process) Output(idle func() error, _ <-chan struct{}) io.Reader {
	r := p.run
	p.reader = r.actor
	if !r.once && r.choose(stopStream, 15, 1) == 1 { // in the nights that are compared, the user sleeps
		r.alarms = append(r.alarms, &alarm{r.at + time.Duration(r.roll(stopStream, 60))*time.Second, r.stopsNow})
	}
	return &input{pipe: p.pipe, c: r.reads, idle: idle, limit: r.limit, stopped: func() {
		if r.interrupted {
			r.signal(os.Interrupt)
		}
	}}
}

// limit returns how long the run waits for more output, and what it does then.
func (r *runner) limit() (time.Duration, func()) {
	patient, late := silence, r.silent
	for i, one := range r.alarms {
		if left := one.at - r.at; left < patient {
			patient, late = max(0, left), func() {
				r.alarms = append(r.alarms[:i:i], r.alarms[i+1:]...)
				one.do()
			}
		}
	}
	return patient, late
}

func (p *process) Problems() string { return p.errors }

func (p *process) Printed() string { return "" }

func (p *process) Complaint(time.Duration) string { return "" }

func (p *process) OnSilence(limit time.Duration, do func(time.Duration) bool) (stop func()) {
	p.run.silent = func() { do(limit) }
	return func() {}
}

func (p *process) Interrupt(time.Duration) {
	p.over = !p.run.interrupted
	p.run.agent.strike()
}

func (p *process) Terminate(time.Duration) { p.run.agent.strike() }

func (p *process) Kill() {
	if !p.begins {
		delete(p.run.alive, p.is.PID)
		return
	}
	p.run.agent.strike()
}

func (p *process) Left() bool { return false }
func (p *process) Abandon() {
	p.unread = true
	p.run.of(p.run.name.String()).running = false // the program is ended, whatever it would have printed
	p.Kill()
}

func (p *process) Wait() int {
	for p.run.agent.job == p.job {
		p.run.sleep(100 * time.Millisecond)
	}
	return p.code
}

func (p *process) Lost() error { return nil }

// runTeller follows the events of a run.
type runTeller struct{ *runner }

func (r runTeller) Tell(e nights.Event, text string) {
	r.say("run", "%s", text)
	switch {
	case e.Type == "resumed" && r.before.HasEnded():
		r.continues = true
		r.count("run", "is continued with an answer")
	case e.Type == "relay":
		r.relay.told = r.relay.named(e.Agent)
	case e.Type == "waiting":
		r.waits(e)
	case e.Type == "ended" && e.Reason != "error": // with that it is cut off
		outcome := run.Outcome(e.Outcome)
		if outcome != run.Interrupted {
			r.proven(r.runner, outcome, e.Reason)
		}
		if outcome == run.Done {
			r.graded(r.runner, run.Grade(e.Proof))
			if kept, err := r.lists.ReadReceipt(r.name); err == nil && e.Proof != "" && (kept == nil || kept.Grade != e.Proof) {
				r.breaks(15, "the run is %s, and its receipt does not say so", e.Proof)
			}
		}
		if t := &r.of(r.name.String()).truth; t.stopped && r.knew && outcome != run.Stopped && outcome != run.Interrupted {
			r.breaks(5, "the run ends as %s, though its user has stopped it", outcome)
		}
		r.count("run", "ends "+e.Outcome)
		r.ends(outcome)
	}
}

func (r runTeller) RunBegan(record *session.Run, _ todo.Time) {
	r.start = record.Began + todo.Time(record.Idle)
}

func (r runTeller) RunEnded(err error) error                                    { return err }
func (r runTeller) Note(string)                                                 {}
func (r runTeller) Hint(string)                                                 {}
func (r runTeller) ShowTalk(agentstream.Talk)                                   {}
func (r runTeller) ShowActivity(*session.Run, todo.Time, string, time.Duration) {}
func (r runTeller) ShowTurnEnding(string)                                       {}
func (r runTeller) CloseView()                                                  {}
func (r runTeller) NoteLongWait()                                               {}
func (r runTeller) Problem(error)                                               {}
func (r runTeller) AbandonOutput()                                              {}

// runHints has no user to give hints to.
type runHints struct{}

func (runHints) Answer(run.Action) string   { return "" }
func (runHints) AllowTools([]string) string { return "" }
func (runHints) SkipPermissions() string    { return "" }
func (runHints) AddGate() string            { return "" }
func (runHints) Done(run.Grade) string      { return "" }
func (runHints) Continue() string           { return "" }
func (runHints) Resume(*session.Run) string { return "" }

// runErrors are errors that nobody sees.
type runErrors struct{}

func (runErrors) Code(error) int    { return cli.ExitInternal }
func (runErrors) Hint(error) string { return "" }
