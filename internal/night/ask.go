package night

import (
	"cmp"
	"fmt"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// decideNextAction decides whether the agent continues. Within a run, nothing else decides that.
func (r *Runner) decideNextAction() (run.Action, error) {
	now, err := r.now()
	if err != nil {
		return run.Action{}, err
	}
	if err := r.giveBackTurn(); err != nil {
		return run.Action{}, err
	}
	if err := r.recordSwitch(); err != nil {
		return run.Action{}, err
	}
	doc, err := r.Store.Load()
	if err != nil {
		return run.Action{}, err
	}
	r.record.CountSpending(doc.Ledger()) // the record may not have the last turn, where the store took its end and did not say so
	r.record.CountReset(doc.Ledger())
	facts := r.spendingFacts(&r.record, now)
	facts.ToolCalls = new(int)                           // the tool calls of the last turn were counted while it was read
	facts.PendingToolCalls, facts.Ended = new(int), true // the agent has ended, and so have its calls
	facts.Prompts = r.record.Prompts
	facts.TaskWaits, facts.Again, facts.Idle = r.Machine.PromptWaits(), r.Machine.SendsTask(), r.Machine.Task && !r.Machine.Acted
	facts.Switch, facts.InRun, facts.TakesOver = r.TodoToolSwitch, true, r.Machine.TakesOver
	r.result, r.still = nil, false
	got, err := r.Store.WithQuestion(func(q ask.Question) (ask.Answer, error) {
		q.Said, q.Now, q.Gate = facts, now, &gate{q.Gate, r}
		return q.Ask()
	})
	if err != nil {
		return run.Action{}, err
	}
	if err := r.checkNotReplaced(got.Doc); err != nil {
		return run.Action{}, err
	}
	r.tellGate(got.Settings)
	a := run.Answer{Decision: got.Decision, Over: continuation.BudgetUsedUp(got.Doc, facts, got.Settings, now)}
	if limit := got.Settings.MaxDuration; limit > 0 {
		a.Left = max(0, limit-r.record.Worked(now))
	}
	if f := got.Doc.Ledger().Error; f != nil {
		a.Class, a.Since = continuation.ErrorClass(f.Class), f.Since
	}
	if a.Reason == continuation.ReasonPermissions {
		a.Hint = r.Hints.AllowTools(got.Doc.Ledger().Denied.Tools)
	}
	if d := got.Doc.Ledger().Denied; d != nil {
		a.Denied = continuation.DeniedCallsText(d)
	}
	r.record.Listed = r.record.Listed || todo.Digest(got.Doc.Current()) != r.record.List
	r.noteWorkBegun(r.record.Listed)
	a.Listed = r.record.Listed
	if got.Decision.Outcome == continuation.Finished {
		a.Proof = r.proof(got.Settings)
	}
	a.Changed = got.Settings.Gate != "" && r.mayHaveProvenWork()
	if r.record.CheckAsked > 0 && got.Settings.Gate == "" { // it had one when the check was asked for
		end := r.Machine.RequireFailingCheck("", noGateSet)
		if r.record.Gate != "" {
			end.Hint = continuation.LostGateHint
		}
		return *end, nil
	}
	if r.record.CheckAsked > 0 && r.Machine.Tried && run.EndsCheckTurn(&got.Decision) {
		if a.Alone, err = r.judgeCheckTurn(got.Settings); err != nil {
			return run.Action{}, err
		}
	}
	r.record.CountPrompt(got.Decision.Outcome == continuation.Continue, got.Decision.Messages)
	r.answer = got.Prompt()
	if got.Decision.Reason == continuation.ReasonMessageSent {
		r.answer = "" // the record has it, until a turn has worked on it
		r.record.AddMessages(got.Decision.Messages)
		r.lost = got.Decision.Lost
		r.record.Asked = cmp.Or(got.Decision.Asked, r.record.Asked)
	}
	act := r.Machine.Answered(a, now)
	if r.record.CheckAsked > 0 && r.Machine.Asked == 0 {
		r.acceptFailingCheck(got.Settings.Gate)
	}
	r.record.CheckAsked = r.Machine.Asked
	r.recordRelay()
	return act, nil
}

// tellGate tells the user, as soon as it is seen, that the gate is not the one that the run began with. What that means for its end
// is decided there: it may be back by then.
func (r *Runner) tellGate(set continuation.Settings) {
	changed, _ := run.GateChange(&r.record, set)
	if changed && !r.toldGate && r.record.Turns > 0 {
		r.Tell.Note(run.GateChangeText(&r.record, set))
	}
	r.toldGate = changed
}

// noteWorkBegun notes that something shows that the work was begun, if it does.
func (r *Runner) noteWorkBegun(is bool) {
	r.record.Acted = r.record.Acted || is
	r.Machine.Acted = r.record.Acted
}

// spendingFacts returns the consumption that a budget is compared with, by the record of the run.
func (r *Runner) spendingFacts(record *session.Run, now todo.Time) continuation.Facts {
	facts := continuation.Facts{ElapsedMS: new(record.Worked(now).Milliseconds())}
	if r.Item == nil {
		facts.Command = r.Hints.Continue()
	}
	if record.Tokens > 0 {
		facts.SpendTokens = new(int64(record.Tokens))
	}
	if r.reportsCost() {
		facts.SpendUSD = new(float64(record.Micros) / 1e6)
	}
	return facts
}

// unheardWords returns the words of the user that are part of a prompt: those that no turn has worked on. A conversation that has
// them gets them again only if there is nothing else to say.
func (r *Runner) unheardWords(act run.Action, conversation string) string {
	if r.record.Heard && conversation != "" && (act.Text != run.Prompt || r.answer != "") {
		return ""
	}
	return continuation.JoinMessages(r.record.Messages)
}

// promptText returns the prompt of a turn, which may contain words of the user. A new conversation knows nothing of the one before;
// in one that is resumed, the words stand alone.
func (r *Runner) promptText(act run.Action, words string, anew bool) (string, error) {
	doc, set, err := r.load()
	if err != nil {
		return "", err
	}
	if doc == nil {
		doc = &session.Document{Session: r.Name.Session, Agent: r.Name.AgentID()}
	}
	text, check := "", ""
	switch act.Text {
	case run.Task:
		return continuation.TaskPrompt(doc, r.Task, words, r.TaughtElsewhere(), r.Machine.Proof, set), nil
	case run.Check:
		return continuation.CheckPrompt(r.Name, r.Task, words, act.Message, set), nil
	case run.Restore:
		text = continuation.RestorePrompt(doc, act.Message, r.record.BeforeCheck.Tree != "", r.record.Edited != "")
	case run.ListOnly:
		text = continuation.AskForListPrompt(doc)
	case run.Prompt:
		text = r.answer
	}
	if r.record.CheckAsked > 0 {
		check = continuation.CheckRequest(r.Name, "", set)
	}
	switch {
	case anew:
		text = continuation.HandoverPrompt(doc, continuation.Handover{Task: r.Task, Said: r.record.Said, Read: continuation.JoinMessages(r.record.Read), Asked: r.record.Asked, Words: words, Prompt: text, Check: check}, set)
	case words != "":
		text = continuation.WithLost(words, r.lost)
	}
	r.lost = nil
	if anew && r.tells == continuation.BackgroundEnded {
		r.tells = continuation.EarlierBackgroundEnded
	}
	told := false
	if text, told = continuation.WithTurnEnd(text, r.tells); told || anew { // a new conversation has no last turn
		r.tells = ""
	}
	if r.Item != nil && !anew { // the handover of an item has the task already
		text = continuation.WithItem(text, r.Item.Text)
	}
	return text, nil
}

// progressText describes how far the list has come.
func (r *Runner) progressText() string {
	doc, err := r.Store.Load()
	counts := todo.Count(doc.Current())
	switch dropped := doc.Ledger().Dropped; {
	case err != nil:
		return ""
	case counts.Open == 0 && dropped != nil:
		return ", " + todo.Plural(dropped.Count(), "item") + " lost"
	case counts.Total == 0:
		return ""
	}
	return fmt.Sprintf(", %d of %s open", counts.Open, todo.Plural(counts.Total, "item"))
}
