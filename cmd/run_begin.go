package cmd

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"onward/internal/agents/agent"
	"onward/internal/ask"
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

// begin records the run, or takes up one that was cut off.
func (r *runner) begin() (takenUp bool, err error) {
	now, err := r.now()
	if err != nil {
		return false, err
	}
	before, err := r.t.Store.ReadRun(r.t.Name)
	if err != nil {
		return false, err
	}
	if before != nil {
		if !r.ends(before) {
			return false, fmt.Errorf("take up a run: %w: what the last run of session %q started is still at work", store.ErrBusy, r.t.Name)
		}
	}
	var last *session.Run
	if before.Over() {
		last, before = before, nil
	}
	if takenUp, err = r.takesUp(before); err != nil || r.queue != nil && r.queue.settled != "" {
		return false, err
	}
	if goesOn, err := r.goesOn(last, now); err != nil {
		return false, err
	} else if !goesOn {
		last = nil
	}
	doc, err := r.t.Store.Load(r.t.Name)
	if err != nil {
		return false, err
	}
	set, err := r.settings(doc)
	if err != nil {
		return false, err
	}
	if err := r.free(doc, set, cmp.Or(before, last), now); err != nil {
		return false, err
	}
	r.record = session.Run{Agent: r.Agent, Task: r.task, Began: now, Process: process.Self(), Mark: newMark()}
	r.mark = r.record.Mark
	r.record.CountFrom(doc.Ledger())
	if q := r.queue; q != nil {
		r.record.Queue, r.record.Item, r.record.Claim = q.list.Name.String(), q.held.ID, q.held.Number
	}
	r.record.Gate, r.record.GateFrom, r.record.GateSince = set.Gate, set.GateFrom, now
	had := doc.Ledger().RunGate
	switch {
	case takenUp:
		err = r.takeUp(before, set)
	case last != nil:
		if err = r.follow(last, doc); err != nil {
			return false, err
		}
		err = r.prompted(doc, set, true)
	default:
		if err = r.prompted(doc, set, r.task == ""); err == nil && r.task != "" {
			err = r.hear()
		}
	}
	if err != nil {
		return false, err
	}
	r.continued = takenUp || last != nil
	r.machine.Acted = r.record.Acted
	r.machine.Known = r.program.CanResume(r.record.Conversation)
	r.machine.Unread = len(r.record.Messages) > 0
	if takenUp && r.record.Gate == "" && had != "" { // its record is that of an older version
		r.record.Gate, r.record.GateFrom = had, continuation.FromFlag
	}
	if set.Gate == "" && r.record.Gate == "" {
		r.note("no gate is set: the list alone says what is done; `--gate COMMAND` proves it")
	}
	if text := budgetNote(&r.program, set); text != "" {
		r.note(text)
	}
	if changed, _ := run.GateChange(&r.record, set); changed {
		r.note("the run " + map[bool]string{true: "that was cut off", false: "before"}[takenUp] + " had another gate: " + continuation.Fold(r.record.Gate))
	}
	return r.continued, r.save()
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
		return false, r.otherRun(r.otherTask(before), "the command that began it takes it up")
	}
	return true, nil
}

// otherTask names what a run that was cut off was about, with the first words of its task.
func (r *runner) otherTask(before *session.Run) string {
	if before.Task == "" {
		return "the list, without a task,"
	}
	style := r.a.style()
	style.Width = 80 // a task is cut in a log too
	return fmt.Sprintf("another task, %q,", style.Cut(strings.Join(strings.Fields(before.Task), " "), 40))
}

// otherRun returns an error if a run on another task or item was cut off here.
func (r *runner) otherRun(what, hint string) error {
	return cli.Hinted(fmt.Errorf("start a run: %w: a run of %s on session %q was cut off", store.ErrBusy, what, r.t.Name), hint+", and --new gives it up")
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
func (r *runner) free(doc *session.Document, set continuation.Settings, before *session.Run, now todo.Time) error {
	if doc == nil {
		return nil
	}
	ours := ""
	if before != nil {
		ours = before.Conversation
	}
	doc.Release("", r.t.Store.Gone, now)
	o := doc.Owner
	if !o.Excludes(ours, set.StaleAfter, now) {
		return nil
	}
	if !r.Take {
		return cli.Hinted(fmt.Errorf("start a run: %w: %s session %s is at work on the list of session %q", store.ErrBusy, o.Agent, o.Session, r.t.Name),
			"--take takes the list from it, and --session names another one")
	}
	_, err := r.t.Update("", func(doc *session.Document) (session.Change, error) {
		return doc.Take(session.Conversation{}, now), nil
	})
	return err
}

// goesOn reports whether this run continues the last one, which has ended: if no task is given, or if an answer to what that run
// needed waits for the same task.
func (r *runner) goesOn(last *session.Run, now todo.Time) (bool, error) {
	switch {
	case last == nil || r.New || r.queue != nil || last.Outdated(now):
		return false, nil
	case r.task == "":
		return true, nil
	case r.task != last.Task || last.Ended.State != string(run.NeedsYou):
		return false, nil
	}
	waiting, err := r.waiting()
	return len(waiting) > 0, err
}

// waiting returns the user's messages in the queue.
func (r *runner) waiting() ([]session.Message, error) {
	facts, _, err := ask.WithCalls(r.t.Calls(), r.t.Name, continuation.Facts{})
	if err != nil {
		return nil, fmt.Errorf("read the messages: %w", err)
	}
	var out []session.Message
	for _, m := range facts.Messages {
		if m.By == "" {
			out = append(out, session.Message{ID: m.ID, Text: m.Text})
		}
	}
	return out, nil
}

// hear makes the user's messages that wait a part of the first prompt. They are in the record before they leave the queue, so that
// a kill loses none.
func (r *runner) hear() error {
	messages, err := r.waiting()
	if err != nil || len(messages) == 0 {
		return err
	}
	r.record.Hear(messages)
	if err := r.save(); err != nil {
		return err
	}
	_, err = r.t.Update("", func(doc *session.Document) (session.Change, error) {
		return continuation.Deliver(doc, messages, r.t.Now), nil
	})
	if err != nil {
		return err
	}
	ids := render.Each(messages, func(_ int, m *session.Message) string { return m.ID })
	return r.t.Calls().Delivered(r.t.Name, ids, r.t.Now)
}

// follow continues a run that has ended, with counters and budgets of its own.
func (r *runner) follow(last *session.Run, doc *session.Document) error {
	if last.GateFrom != continuation.FromFlag && last.GateFrom != continuation.FromEnvironment {
		set, chosen, err := r.gates()
		if err != nil {
			return err
		}
		if changed, byPerson := run.GateChange(last, set, chosen...); changed && !byPerson {
			r.record.Gate, r.record.GateFrom, r.record.GateSince = last.Gate, last.GateFrom, last.GateSince
		}
	}
	r.record.Said, r.record.Tried, r.record.Acted, r.record.List = last.Said, last.Tried, last.Acted, last.List
	r.record.GateFailed, r.record.Start = last.GateFailed, last.Start
	r.record.Messages, r.record.Heard, r.record.Asked = last.Messages, last.Heard, last.Asked
	if p := doc.Ledger().Paused; p != nil {
		r.record.Asked = p.Reason
	} else if last.Ended.State == string(run.NeedsYou) {
		r.record.Asked = last.Ended.Message
	}
	if last.Agent == r.Agent {
		r.record.Conversation = last.Conversation
	}
	r.takes(last)
	r.tell(event{Type: "resumed"}, "continuing the last run, which ended after "+todo.Plural(last.Turns, "turn")+": "+run.Outcome(last.Ended.State).Words()+": "+last.Ended.Message)
	return nil
}

// takes takes over the task of an earlier process.
func (r *runner) takes(before *session.Run) {
	r.task, r.record.Task = before.Task, before.Task
	r.machine.Task, r.machine.Tried = before.Task != "", before.Tried
}

// prompted reports the user's prompt, which ends an interrupt and a pause, and resets the counters. A finished list stays, and is
// done, if the prompt asks for nothing new.
func (r *runner) prompted(doc *session.Document, set continuation.Settings, stays bool) error {
	if r.task == "" && len(doc.Current()) == 0 && set.Gate == "" {
		return cli.Hinted(cli.Failf(cli.ExitNotFound, "there is no task, and session %q has no list", r.t.Name),
			"`onward run "+r.Agent+" 'the task'` gives it one, and `onward todo add TEXT` starts a list")
	}
	if r.queue != nil {
		return r.beginItem(set)
	}
	prompt, known := continuation.Event{Type: continuation.UserPrompt, Source: "cli", Stays: stays}, r.record.List
	_, err := r.t.Update("", func(doc *session.Document) (session.Change, error) {
		change, err := continuation.ApplyAll(doc, set.WithGate([]continuation.Event{prompt}), doc.Rev == 0, nil, r.t.Now)
		r.record.List = cmp.Or(known, todo.Digest(doc.Current()))
		return change.Then(continuation.ExpectGate(doc, set)), err
	})
	return err
}

// takeUp continues the run that was cut off.
func (r *runner) takeUp(before *session.Run, set continuation.Settings) error {
	is := r.record
	r.record = *before
	r.record.Process, r.record.Mark, r.record.Keeper, r.record.Agent, r.record.Claim = is.Process, is.Mark, nil, is.Agent, is.Claim
	if before.Agent != is.Agent {
		r.record.Conversation = ""
	}
	r.record.GiveBack()
	r.takes(before)
	r.tell(event{Type: "resumed", Turn: before.Turns}, fmt.Sprintf("taking up the run that was cut off in turn %d", before.Turns))
	_, err := r.t.Update("", func(doc *session.Document) (session.Change, error) {
		change := session.Change{}
		if d := doc.Continuation.Delivering; d != nil && d.Turns == doc.Continuation.Turns {
			r.record.Hear(d.Messages) // it was cut off before the record had them
		}
		if doc.Rev != 0 && continuation.TakeUp(doc, before.Conversation, r.t.Now) {
			change = session.Change{What: "the turn was cut off with its run", By: "cli"}
		}
		return change.Then(continuation.ExpectGate(doc, set)), nil
	})
	return err
}

// budgetNote returns what the user should know at a run's start about what it may spend: that nothing limits it, or that a limit is
// compared only after a turn, or never; empty if there is nothing to say.
func budgetNote(p *agent.Program, set continuation.Settings) string {
	switch {
	case set.MaxTokens > 0 && p.Tokens == agent.Never:
		return p.Name + " does not tell its tokens: --max-tokens ends nothing, --max-duration does"
	case set.MaxTokens > 0 && p.Tokens == agent.AtEnd:
		return p.Name + " tells its tokens only at a turn's end: --max-tokens ends no turn before that"
	case set.MaxUSD > 0 && p.Costs && p.Money == agent.AtEnd && set.MaxTokens == 0:
		return p.Name + " tells what it costs only at a turn's end: --max-usd ends no turn before that, --max-tokens does"
	case set.MaxUSD > 0 || set.MaxTokens > 0 || p.Name == "generic", p.Tokens == agent.Never && set.MaxDuration > 0:
		return ""
	case p.Tokens == agent.Never:
		return "no budget: --max-duration ends a run that takes too long"
	case p.Costs:
		return "no budget: --max-usd or --max-tokens ends a run that costs too much"
	}
	return "no budget: --max-tokens ends a run that costs too much"
}
