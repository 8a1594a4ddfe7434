package night

import (
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// Plan is what a run would begin with.
type Plan struct {
	Earlier      string // which run it goes on with, in words; empty if it is a new one
	Conversation string // that it resumes; empty if it begins one
	Prompt       string // of its first turn; empty if it would not start one now
	Why          string // instead of the prompt: why there is none, or when it is decided
}

// Plan returns what the run would begin with, by the rules by which it begins, and changes nothing.
func (r *Runner) Plan() (p Plan, err error) {
	r.planned = true
	now, err := r.now()
	if err != nil {
		return p, err
	}
	record, err := r.Store.ReadRun()
	if err != nil {
		return p, err
	}
	before, last, err := r.findEarlierRun(record, now)
	if err != nil {
		return p, err
	}
	doc, err := r.Store.Load()
	if err != nil {
		return p, err
	}
	r.record = session.Run{Agent: r.Agent, Task: r.Task, Began: now}
	switch {
	case before != nil:
		p.Earlier = "the run that was cut off after " + todo.Plural(before.Turns, "turn")
		r.UseLastAgent(before)
		r.record = *before
		r.record.AddIdle(now)
		if before.Agent != r.Agent {
			r.record.Conversation = ""
		}
		r.takeOverTask(before)
	case last != nil:
		p.Earlier = "the last run, which ended after " + todo.Plural(last.Turns, "turn")
		r.UseLastAgent(last)
		err = r.continueEnded(last, doc)
	case r.Task != "":
		var queued []session.Message
		queued, err = r.Store.Messages()
		r.record.AddMessages(queued)
	}
	if err != nil {
		return p, err
	}
	if before == nil {
		r.record.AddMessages(continuation.UnreadMessages(doc))
	}
	r.Machine.Acted, r.Machine.Asked = r.record.Acted, r.record.CheckAsked
	r.Machine.Known = r.Program.CanResume(r.record.Conversation)
	r.Machine.Unread = len(r.record.Messages) > 0
	restarts := before != nil && r.record.Conversation == "" && r.noTurnWorked()
	act, err := r.firstAction(p.Earlier != "" && !restarts)
	if err == nil && act.Kind == run.Ask {
		act, err = r.planNextAction(now)
	}
	if err != nil || act.Kind != run.Start {
		p.Why = "none now: " + act.Message
		switch l := doc.Ledger(); {
		case l.Stopped():
			p.Why += "; " + act.Hint
		case last != nil && l.Paused != nil:
			p.Why = "that of the list; before it, the run ends the pause: " + l.Paused.Reason
			if r.Machine.Known {
				p.Conversation = r.record.Conversation
			}
		}
		return p, err
	}
	if act.Resume && r.Machine.Known {
		p.Conversation = r.record.Conversation
	}
	words := r.unheardWords(act, p.Conversation)
	p.Prompt, err = r.promptText(act, words, p.Conversation == "" && act.Text != run.Task && act.Text != run.Check)
	return p, err
}

// planNextAction returns what follows the question whether the agent continues, without the gate and without a trace.
func (r *Runner) planNextAction(now todo.Time) (run.Action, error) {
	got, err := r.Store.WithQuestion(func(q ask.Question) (ask.Answer, error) {
		facts := r.spendingFacts(&r.record, now)
		facts.ToolCalls, facts.PendingToolCalls, facts.Ended = new(int), new(int), true
		facts.TaskWaits, facts.Again, facts.Idle = r.Machine.PromptWaits(), r.Machine.SendsTask(), r.Machine.Task && !r.Machine.Acted
		facts.InRun = true
		q.Said, q.Now, q.Gate, q.DryRun = facts, now, nil, true
		return q.Ask()
	})
	if err != nil {
		return run.Action{}, err
	}
	if r.answer = got.Prompt(); got.Decision.Reason == continuation.ReasonMessageSent {
		r.answer = ""
		r.record.AddMessages(got.Decision.Messages)
	}
	return r.Machine.Answered(run.Answer{Decision: got.Decision}, now), nil
}
