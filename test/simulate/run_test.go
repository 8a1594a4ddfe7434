package simulate

import (
	"cmp"
	"errors"
	"io"
	"time"

	"onward/internal/agents"
	streams "onward/internal/agents/stream"
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

const (
	task    = "make a plan and do it"
	silence = time.Hour // a turn that prints nothing for so long is ended
)

// runner is one process of `onward run`. As package cmd does, it carries out the actions that the machine of package run returns.
type runner struct {
	*command
	*shift
	machine run.Machine
	self    *session.Process
	held    store.Held
	record  session.Run
	prompt  string     // the prompt of the last answer
	speaks  bool       // words of the user are a part of the turn's prompt
	last    ask.Answer // the answer to the last question
}

// errOver is returned by a run that has ended by itself.
var errOver = errors.New("the run has ended")

// errAtWork is the error of a second run while the agent of the last one is working.
var errAtWork = errors.New("what the last run started is still at work")

// onwardRun runs a process of `onward run` to its end, and reports whether the run is over.
func (a *actor) onwardRun(s *shift) bool {
	r := &runner{command: newCommand(a, s.agent.list), shift: s, self: a.starts()}
	r.machine.Rules = s.rules
	a.say(a.name, "runs `onward run`")
	s.on, s.interrupted = true, false
	err := r.run(never, func(c *command) error {
		r.command = c
		var err error
		if r.held, err = c.store.Hold(session.RunKey(c.name), true); err != nil {
			return err
		}
		takenUp, err := r.begin()
		if err != nil {
			return err
		}
		return r.loop(takenUp)
	})
	delete(a.alive, r.self.PID)
	a.struck, s.on = false, false
	s.abandon(a)
	if err != nil && !errors.Is(err, errOver) {
		a.say(a.name, "is cut off: %v", err)
		a.count("run", "is cut off")
	}
	return errors.Is(err, errOver)
}

// part runs one command of the run on the store. It waits for the store as long as any other command does.
func (r *runner) part(do func(*command) error) error {
	err := newCommand(r.actor, r.name).run(10*time.Second, do)
	if errors.Is(err, errKilled) {
		panic(killed{}) // the command is part of this process, which was killed
	}
	return err
}

// save adds the spending since the last save, and writes the record of the run.
func (r *runner) save() error {
	return r.part(func(c *command) error {
		doc, err := c.lists.Load(c.name)
		if err != nil {
			return err
		}
		r.record.Spend(doc.Ledger())
		return r.write(&r.record)
	})
}

// write writes the record of the run; nil removes it.
func (r *runner) write(record *session.Run) error {
	return session.WriteRun(r.held, r.name, record, r.clock())
}

// begin records a new run, or resumes one that was cut off.
func (r *runner) begin() (takenUp bool, err error) {
	var before *session.Run
	var doc *session.Document
	r.knew = r.of(r.name.String()).stopped
	err = r.part(func(c *command) (err error) {
		if before, err = c.lists.ReadRun(c.name); err == nil {
			doc, err = c.lists.Load(c.name)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	ours := ""
	if before != nil {
		ours = before.Conversation
		if !r.settles(before) {
			return false, errAtWork
		}
	}
	var last *session.Run
	if before.Over() {
		if last, before = before, nil; last.Outdated(r.clock()) || last.Ended.State != string(run.NeedsYou) {
			last = nil
		} else if waiting, err := r.queued(); err != nil || len(waiting) == 0 {
			if last = nil; err != nil {
				return false, err
			}
		}
	}
	if doc != nil {
		doc.Release("", r.gone, r.clock())
		if doc.Owner.Excludes(ours, 2*time.Hour, r.clock()) {
			return false, errAtWork
		}
	}
	r.record = session.Run{Agent: "claude", Task: store.Sum([]byte(task)), Began: r.clock(), Process: r.self, Mark: r.text("mark")}
	r.record.CountFrom(doc.Ledger())
	switch takenUp = before != nil; {
	case takenUp:
		err = r.takeUp(before)
	case last != nil:
		r.follow(last)
		err = r.prompted(true)
	default:
		if err = r.prompted(false); err == nil {
			err = r.hear()
		}
	}
	if err == nil && r.record.List == "" {
		err = r.part(func(c *command) error {
			doc, err := c.lists.Load(c.name)
			r.record.List = todo.Digest(doc.Current())
			return err
		})
	}
	r.machine.Acted = r.record.Acted
	r.machine.Known = r.record.Conversation != ""
	r.machine.Unread = len(r.record.Messages) > 0
	if err == nil {
		err = r.save()
	}
	return takenUp || last != nil, err
}

// queued returns the user's messages in the queue.
func (r *runner) queued() (out []session.Message, err error) {
	err = r.part(func(c *command) error {
		facts, _, err := asked{c}.Facts(continuation.Facts{})
		out = nil
		for _, m := range facts.Messages {
			if m.By == "" {
				out = append(out, session.Message{ID: m.ID, Text: m.Text})
			}
		}
		return err
	})
	return out, err
}

// follow continues a run that has ended, for which an answer waits.
func (r *runner) follow(last *session.Run) {
	r.count("run", "is continued with an answer")
	r.say("run", "continues the one that ended in turn %d", last.Turns)
	r.record.Conversation, r.record.Said, r.record.Tried = last.Conversation, last.Said, last.Tried
	r.record.Acted, r.record.List = last.Acted, last.List
	r.record.Messages, r.record.Heard, r.record.Asked = last.Messages, last.Heard, last.Asked
	r.machine.Tried = last.Tried
}

// hear makes the user's messages that wait a part of the first prompt.
func (r *runner) hear() error {
	messages, err := r.queued()
	if err != nil || len(messages) == 0 {
		return err
	}
	r.record.Hear(messages)
	if err := r.save(); err != nil {
		return err
	}
	r.count("run", "begins with a message")
	return r.part(func(c *command) error {
		c.means = func(*truth) { c.deliver(continuation.Words(messages)) }
		err := c.update("", func(doc *session.Document) (session.Change, error) {
			return continuation.Deliver(doc, messages, c.now), nil
		})
		if err != nil {
			return err
		}
		ids := make([]string, len(messages))
		for i, m := range messages {
			ids[i] = m.ID
		}
		return asked{c}.Delivered(ids)
	})
}

// settles waits until all processes of a run that was cut off have ended, and reports whether they have.
func (r *runner) settles(before *session.Run) bool {
	for began := r.at; before.Keeper != nil && r.alive[before.Keeper.PID]; r.sleep(100 * time.Millisecond) {
		if r.at-began > 10*time.Second {
			return false
		}
	}
	return true
}

// prompted reports the user's prompt.
func (r *runner) prompted(stays bool) error {
	return r.part(func(c *command) error {
		set, err := c.settings()
		if err != nil {
			return err
		}
		spoken := c.spoken("")
		c.means = func(t *truth) {
			spoken(t)
			r.beginsRun()
		}
		return c.update("", func(doc *session.Document) (session.Change, error) {
			return continuation.ApplyAll(doc, set.WithGate([]continuation.Event{{Type: continuation.UserPrompt, Source: "cli", Stays: stays}}), doc.Rev == 0, nil, c.now)
		})
	})
}

// takeUp resumes a run that was cut off.
func (r *runner) takeUp(before *session.Run) error {
	is := r.record
	r.record = *before
	r.record.GiveBack()
	r.record.Process, r.record.Mark, r.record.Keeper = is.Process, is.Mark, nil
	r.count("run", "is taken up")
	r.say("run", "takes up the one that was cut off in turn %d", before.Turns)
	r.machine.Tried, r.machine.Acted = before.Tried, before.Acted
	r.takenUp(before)
	r.of(r.name.String()).aborted = false // a user who types the command again wants the work to go on
	return r.part(func(c *command) error {
		c.means = func(t *truth) {
			if t.inTurn {
				t.inTurn, t.spent, t.most, t.unexcused = false, max(0, t.spent-1), max(0, t.most-1), max(0, t.unexcused-1)
			}
		}
		return c.update("", func(doc *session.Document) (session.Change, error) {
			if d := doc.Continuation.Delivering; d != nil && d.Turns == doc.Continuation.Turns {
				r.record.Hear(d.Messages)
			}
			if doc.Rev == 0 || !continuation.TakeUp(doc, before.Conversation, c.now) {
				return session.Change{}, nil
			}
			return session.Change{What: "the turn was cut off with its run", By: "cli"}, nil
		})
	})
}

// loop carries out one action after another until the run ends.
func (r *runner) loop(takenUp bool) error {
	act, err := r.first(takenUp)
	for err == nil {
		if r.interrupted {
			return r.over(run.Interrupted, "interrupt")
		}
		switch act.Kind {
		case run.Ask:
			act, err = r.ask()
		case run.Start:
			var turn run.Turn
			if turn, err = r.turn(act); err == nil {
				r.follows(act, turn)
				act = r.machine.TurnEnded(turn)
			}
		case run.WaitFor:
			r.count("run", "waits")
			r.say("run", "waits %v: %s", act.For.Round(time.Second), act.Reason)
			(&waiting{command: r.command, since: r.at, watches: true}).Wait(act.For)
			act = run.Action{Kind: run.Ask}
		case run.EndsHere:
			r.proven(r, act)
			return r.over(act.Outcome, act.Reason)
		}
	}
	return err
}

// over ends the run. Its record is kept if there is something to go on with.
func (r *runner) over(outcome run.Outcome, reason string) error {
	var left *session.Run
	if outcome != run.Done {
		r.record.Keeper, r.record.Ended = nil, &session.RunEnd{At: r.clock(), State: string(outcome), Reason: reason}
		left = &r.record
	}
	if err := r.write(left); err != nil {
		return err
	}
	r.count("run", "ends "+string(outcome))
	r.say("run", "ends %s: %s, after %s", outcome, reason, todo.Plural(r.record.Turns, "turn"))
	r.ends(outcome)
	return errOver
}

// first returns the first action. If the session is disabled or stopped, no agent is started.
func (r *runner) first(takenUp bool) (act run.Action, err error) {
	act = r.machine.Begin(takenUp)
	err = r.part(func(c *command) error {
		doc, err := c.lists.Load(c.name)
		if err != nil || doc == nil {
			return err
		}
		set, err := c.settings(doc)
		if err != nil {
			return err
		}
		if d, _ := continuation.Decide(doc, continuation.Facts{}, set, c.now); d.Reason == "disabled" || d.Reason == "stopped" {
			act = r.machine.Answered(run.Answer{Decision: d}, c.now)
		}
		return nil
	})
	return act, err
}

// ask asks whether the agent continues.
func (r *runner) ask() (act run.Action, err error) {
	r.knew = r.of(r.name.String()).stopped
	err = r.part(func(c *command) error {
		facts := continuation.Facts{ToolCalls: new(int), ElapsedMS: new(int64(c.now - r.record.Began)), TaskWaits: r.machine.Waits(), Again: r.machine.Tasked(), Idle: r.machine.Task && !r.machine.Acted}
		facts.PendingToolCalls, facts.Ended = new(int), true
		facts.SpendTokens, facts.SpendUSD = new(int64(r.record.Tokens)), new(float64(r.record.Micros)/1e6)
		facts.Prompts = r.record.Prompts
		c.spent, c.since = r.spending(), r.record.Began
		q := ask.Question{
			List: asked{c}, Name: c.name, Said: facts, Now: c.now,
			Waiting: &waiting{command: c, since: c.at}, Notes: asked{c}, Gate: &gate{command: c},
		}
		got, err := q.Ask()
		if err != nil {
			return err
		}
		c.answers(got, false)
		c.say("onward", "answers the run: %s", c.told(got))
		a := run.Answer{Decision: got.Decision, Over: continuation.UsedUp(got.Doc, facts, got.Settings, c.now)}
		if limit := got.Settings.MaxDuration; limit > 0 {
			a.Left = max(0, limit-r.record.Began.Since(c.now))
		}
		if f := got.Doc.Ledger().Error; f != nil {
			a.Class, a.Since = continuation.ErrorClass(f.Class), f.Since
		}
		r.record.Acted = r.record.Acted || todo.Digest(got.Doc.Current()) != r.record.List || got.Decision.Gate != nil && !got.Decision.Gate.Passed()
		r.machine.Acted = r.record.Acted
		r.record.Count(got.Decision.Outcome == continuation.Continue, got.Decision.Messages)
		r.prompt, r.last = got.Prompt(), got
		if got.Decision.Reason == continuation.Sent {
			r.prompt = ""
			r.record.Hear(got.Decision.Messages)
		}
		act = r.machine.Answered(a, c.now)
		return nil
	})
	return act, err
}

// turn starts the agent's program, and reads its output to the end.
func (r *runner) turn(act run.Action) (is run.Turn, err error) {
	conversation := ""
	if act.Resume {
		conversation = r.record.Conversation
	}
	r.speaks = len(r.record.Messages) > 0 && (!r.record.Heard || conversation == "" || act.Text == run.Prompt && r.prompt == "")
	if r.record.Turns++; conversation == "" {
		r.record.Heard = false
	}
	keeper := r.starts()
	j := &job{conversation: conversation, keeper: keeper.PID, pipe: &pipe{}}
	r.startsTurn(r, act)
	r.keeper, r.record.Keeper = keeper.PID, keeper
	if err := r.save(); err != nil {
		delete(r.alive, keeper.PID)
		return is, err
	}
	r.agent.start(j)
	r.sure = r.record.Turns
	reported, err := r.read(j, &is)
	if err != nil {
		return is, err
	}
	r.waits(j)
	return is, r.conclude(j, &is, reported)
}

// waits waits for the end of the agent's process.
func (r *runner) waits(j *job) {
	for r.agent.job == j {
		r.sleep(100 * time.Millisecond)
	}
}

// read reads the agent's output, and saves it as it arrives. It reports whether it contained the end of the turn.
func (r *runner) read(j *job, is *run.Turn) (ended bool, err error) {
	err = r.part(func(c *command) error {
		c.writes = true
		doc, err := c.lists.Load(c.name)
		if err != nil {
			return err
		}
		set, err := c.settings(doc)
		if err != nil {
			return err
		}
		saver := &ask.Saver{InRun: true, Reader: r.self, Store: c.lists, Name: c.name, Named: true, Project: "/project", StaleAfter: set.StaleAfter, Now: c.now}
		j.reader = r.actor
		flush := func() error {
			c.store.patience, saver.Now = 10*time.Second, c.clock()
			return saver.Flush()
		}
		heard := &input{pipe: j.pipe, c: c, idle: flush, limit: func() (time.Duration, func()) {
			left := set.MaxDuration - r.record.Began.Since(c.clock())
			if set.MaxDuration == 0 || left > silence || is.Over != nil {
				return silence, r.agent.strike
			}
			return max(0, left), func() {
				is.Over = continuation.UsedUp(doc, continuation.Facts{ElapsedMS: new(set.MaxDuration.Milliseconds())}, set, c.clock())
				r.agent.strike()
			}
		}}
		reader := agents.NewReader(heard, streams.Options{Saved: saver.Saved, Problems: func() string { return j.errors }})
		heard.stopped = func() {
			if r.interrupted {
				reader.Interrupt()
			}
		}
		for {
			updates, err := reader.Next()
			if len(updates) > 0 {
				ended = r.saw(updates, is, ended)
				if err := saver.Add(ask.Kept(updates)); err != nil {
					return err
				}
			}
			switch {
			case errors.Is(err, io.EOF):
				if err := flush(); err != nil {
					return err
				}
				return saver.End()
			case err != nil:
				return err
			}
		}
	})
	return ended, err
}

// saw records the updates in the agent's output.
func (r *runner) saw(updates []streams.Update, is *run.Turn, ended bool) bool {
	for _, u := range updates {
		if u.Session != "" && u.Session != r.record.Conversation {
			r.record.Conversation = u.Session
			_ = r.write(&r.record)
		}
		if r.speaks && !r.record.Heard {
			r.record.Heard = true
			_ = r.write(&r.record)
		}
		switch e := u.Event; e.Type {
		case continuation.Todos:
			is.Worked, is.Acted = true, is.Acted || !e.Partial
		case continuation.TurnStart:
			ended = false
		case continuation.TurnEnd:
			ended = true
			is.Worked, is.Acted = is.Worked || e.ToolCalls > 0, is.Acted || e.Acted
			is.Failed, is.Class = e.Status == continuation.Failed || e.Status == continuation.CutOff, e.ErrorClass
		}
	}
	return ended
}

// conclude records how the turn ended if the agent did not report it.
func (r *runner) conclude(j *job, is *run.Turn, reported bool) error {
	r.record.Keeper = nil
	status, problem := continuation.Done, agents.Texts().Problem(j.errors)
	switch {
	case r.interrupted:
		status = continuation.Aborted
	case is.Over != nil:
		status = continuation.CutOff
	case j.code != 0:
		status, is.Failed = continuation.Failed, true
		is.Class = cmp.Or(is.Class, problem.Class, continuation.ErrorUnknown)
	case is.Failed:
		status = continuation.Failed
	}
	if !reported {
		err := r.part(func(c *command) error {
			c.means = r.agent.concluded(status, is.Class)
			return c.update("", func(doc *session.Document) (session.Change, error) {
				return continuation.ApplyAll(doc, []continuation.Event{
					{Type: continuation.TurnStart, Source: "claude"}, {Type: continuation.TurnEnd, Status: status, ErrorClass: is.Class, Reset: problem.Reset, Source: "claude"},
				}, doc.Rev == 0, nil, c.now)
			})
		})
		if err != nil {
			return err
		}
	}
	if r.record.Heard = false; is.Tried() {
		r.record.Tried = true
		r.record.Worked()
	} else {
		r.record.GiveBack()
	}
	r.record.Acted = r.record.Acted || is.Acted
	return r.save()
}
