package run

import (
	"cmp"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// CheckTurn is what the agent has made of a turn for the check alone: it changes only checks, and the gate fails on them, because the task
// is not done.
type CheckTurn struct {
	Checks  []string // that were added, changed or deleted
	Others  []string // other files that were
	Unknown string   // why these are not known
	Gate    string   // what the gate does on these files, as Before says it
	Problem string   // why it has no result
}

// whyWorkCannotBegin says what keeps the work from beginning; empty if a check fails because the task is not done.
func (is *CheckTurn) whyWorkCannotBegin() string {
	switch {
	case is.Unknown != "":
		return "nothing shows which files changed: " + is.Unknown
	case len(is.Others) > 0:
		return "other files than checks changed: " + FirstFilesText(is.Others)
	case is.Gate == PassedBefore:
		return "the gate still passes"
	case is.Gate == FlakyBefore:
		return flaky
	case is.Gate != FailedBefore:
		return "the gate has no result: " + cmp.Or(is.Problem, "it failed with "+highCode)
	case len(is.Checks) == 0:
		return "the gate fails, but no check changed"
	}
	return ""
}

const flaky = "the gate is flaky: it failed and passed on the same files"

// EndsCheckTurn reports whether a decision leads to what a turn for the check alone has made. Any other one, as for a message of the user,
// a pause, a failure or a limit, means the same as in other turns.
func EndsCheckTurn(d *continuation.Decision) bool {
	switch d.Outcome {
	case continuation.Finished:
		return true
	case continuation.Continue:
		return d.Reason != continuation.ReasonMessageSent
	case continuation.NotApplicable:
		return d.Reason == continuation.ReasonNoList
	case continuation.Limit:
		return d.Reason == "gate" // it fails, as it has to
	}
	return false
}

// ReasonNeverFailed is the reason of a run that ends because no check failed before the work.
const ReasonNeverFailed = "never_red"

// mostAsked is how often the agent is asked for a check that fails.
const mostAsked = 2

// RequireFailingCheck decides before the first turn of a run that accepts only what is proven. The gate did this before the work; a
// reason says why nothing can be proven. It returns the action instead of the first turn; nil if there is none.
func (m *Machine) RequireFailingCheck(before, why string) *Action {
	switch {
	case why != "":
	case before == FailedBefore:
		return nil
	case before == PassedBefore:
		m.Asked = 1
		return new(m.start(Check, m.resumable()))
	case before == CrashedBefore:
		why = "the gate failed with " + highCode
	case before == FlakyBefore:
		why = flaky
	default:
		why = "the gate did not run"
	}
	return &Action{
		Kind: EndRun, Outcome: NeedsYou, Answer: continuation.NeedsHuman, Reason: continuation.ReasonUnproven,
		Message: "nothing would be proven: " + why, Hint: "mend that",
	}
}

// decideCheckTurn decides after a turn for the check alone.
func (m *Machine) decideCheckTurn(a Answer) Action {
	if m.Unread || !m.Tried || a.Alone == nil {
		return m.start(Check, m.resumable())
	}
	lacks := a.Alone.whyWorkCannotBegin()
	switch {
	case lacks == "":
		if m.Asked = 0; m.Task {
			return m.start(Task, m.resumable())
		}
		return m.start(Prompt, m.resumable())
	case m.Asked < mostAsked:
		m.Asked++
		act := m.start(Check, m.resumable())
		act.Message, m.asked = lacks, lacks
		return act
	}
	hint := "name the task again to start anew without --require-proof, or write a check that fails"
	if m.Item {
		hint = "write the check yourself, or run without --require-proof"
	}
	return Action{
		Kind: EndRun, Outcome: AtLimit, Answer: continuation.Limit, Reason: ReasonNeverFailed,
		Message: "the agent was asked " + todo.Plural(m.Asked, "time") + " for a check that fails until the task is done, and " + lacks,
		Hint:    hint,
	}
}

// decideNotProven decides where the gate passes, and the work is not proven. An agent that changed checks is told once.
func (m *Machine) decideNotProven(act Action, a Answer) Action {
	if len(a.Proof.Checks) > 0 && !m.restoreAsked {
		return m.askToRestore(a.Proof.Checks)
	}
	act.Outcome, act.Answer, act.Reason = NeedsYou, continuation.NeedsHuman, continuation.ReasonUnproven
	act.Message += "; that is not proven"
	act.Hint = reportHint
	return act
}
