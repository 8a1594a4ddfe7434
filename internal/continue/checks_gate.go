package continuation

import (
	"fmt"
	"slices"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// ReasonUnproven is the reason of a decision that only the gate can make:
// the list is finished, and whether the gate passes is not known.
const ReasonUnproven = "unproven"

// doneHint is the next step after a list that is done.
const doneHint = "`onward todo show` shows the list"

// done answers that the work is done: there was something to do, none of it is open, and the gate, if there is one, passes.
// After a failed turn an item must have been completed as well.
// If the result of the gate is not known, later checks ask for it, after those that end or wait in any case.
func done(q *question) *Decision {
	proof := q.facts.Gate
	switch {
	case q.counts.Open == 0 && q.gated && proof == nil && q.led.Error != nil && q.facts.Again && !q.finishedBeforeFailure():
		return q.nothingDone() // the gate's result is not about work of the turn that failed
	case q.counts.Open > 0, q.gated && proof == nil, q.itemGateToRun() >= 0:
		return nil
	case !q.gated && (q.closed.Total == 0 || q.led.Dropped != nil):
		return nil
	case q.gated:
		if q.rememberGateResult(); !proof.Passed() {
			return nil
		}
	}
	if q.led.Error != nil && q.closed.Of(todo.Completed) == 0 {
		// An agent that fails before it has completed anything has done nothing, even if the list or the gate says otherwise.
		return q.nothingDone()
	}
	if gate := LostGate(q.doc, q.set); gate != "" && !q.facts.InRun {
		return because(NeedsHuman, ReasonUnproven, "%s, but %s", q.allDoneText(), LostGateText(gate)).withHint(LostGateHint)
	}
	d := because(Finished, "done", "%s", q.allDoneText()).withHint(doneHint)
	d.Work = d.Message
	if q.gated {
		d.Message += ", and the gate passes"
	}
	if q.closed.Total == 0 {
		return d.withHint("`onward todo add TEXT` starts a list")
	}
	return d
}

// nothingDone answers that the last turn failed before it did anything for what is closed.
func (q *question) nothingDone() *Decision {
	return because(HostError, "failures", "%s, and no item was completed: %s", FailedText("the agent's last turn", q.led.Error.Class), q.allDoneText()).
		withHint("check the agent's own error; after %s the list counts as it is", q.continueCommand())
}

func (q *question) allDoneText() string {
	switch c := q.closed; {
	case q.led.Deleted != nil, c.Of(todo.Completed) < c.Total:
		return "nothing left: " + closedText(c, &q.led)
	case c.Total == 0:
		return "there is no list"
	case c.Total == 1:
		return "the only item is done"
	case c.Total == 2:
		return "both items are done"
	default:
		return fmt.Sprintf("all %s are done", items(c.Total))
	}
}

// closedText tells what became of the items of a list, and which of them the agent took off it without completing them:
// `1 completed, 2 cancelled, 3 deleted by the agent`.
func closedText(c todo.Counts, led *session.Ledger) string {
	cancelled, deleted := min(led.Cancelled.Count(), c.Of(todo.Cancelled)-c.Lost), led.Deleted.Count()
	var parts []string
	if text := c.Without(todo.Cancelled, cancelled).String(); text != "" {
		parts = append(parts, text)
	}
	switch {
	case cancelled > 0 && deleted > 0 && c.Of(todo.Cancelled) == cancelled:
		parts = append(parts, fmt.Sprintf("%d cancelled, %d deleted by the agent", cancelled, deleted))
		return strings.Join(parts, ", ")
	case cancelled > 0:
		parts = append(parts, fmt.Sprintf("%d cancelled by the agent", cancelled))
	}
	if deleted > 0 {
		parts = append(parts, fmt.Sprintf("%d deleted by the agent", deleted))
	}
	return strings.Join(parts, ", ")
}

// allCancelled reports whether nothing is left because the agent cancelled what there was, and completed nothing.
func (q *question) allCancelled() bool {
	return q.counts.Open == 0 && q.closed.Of(todo.Completed) == 0 && q.led.Cancelled != nil
}

// standsForList reports whether the gate says what is done if there is no list. A hook's question must be about
// work, so that a question of the user in a red tree makes no agent change code, and about a gate that was set
// for this project or session.
func (q *question) standsForList() bool {
	h := q.facts.Hook
	switch {
	case q.facts.Gate != nil:
		return true
	case q.set.Gate == "", q.led.ClearedAt != 0:
		return false
	case q.facts.TakesOver && q.facts.Again: // the next agent gets the task first, since the turn before it failed
		return false
	}
	return h == nil || h.Worked && q.set.GateIsOfProjectOrSession()
}

// rememberGateResult enters the gate's result in the ledger. A failure counts as one more
// in a row if the agent was continued after the last one and did nothing:
// no item changed, and no tool was called. A result is entered once, however often the question is decided while it waits.
func (q *question) rememberGateResult() {
	ran, was, digest := q.facts.Gate, q.led.Gate, todo.Digest(q.items)
	if ran.Rev != 0 && was != nil && was.Command == ran.Command && was.Items == digest {
		return // it was entered before, and a later result may have replaced it
	}
	is := session.GateResult{
		Command: ran.Command, Code: ran.Code, Problem: ran.Problem, Output: PlainTail(ran.Output),
		At: q.now, Rev: q.doc.Rev + 1, Items: digest, ToolCalls: q.led.ToolCalls, Given: q.set.GateFrom == FromFlag,
	}
	switch {
	case is.Failed() && (q.led.Error != nil || q.facts.TakesOver): // the turn that failed was no attempt to make it pass
		if was != nil && was.Command == is.Command {
			is.Failures = was.Failures
		}
	case is.Failed():
		is.Failures = 1
		if was != nil && was.Failed() && was.Command == is.Command && was.Items == is.Items && was.ToolCalls == is.ToolCalls {
			if is.Failures = was.Failures; was.Told || is.Failures == 0 {
				is.Failures++
			}
		}
	}
	if q.led.Gate = &is; is.Passed() {
		q.led.RunGate = ""
	}
}

// markTold records that the agent is informed of a failed gate, or asked after the items that its list lost.
func (q *question) markTold() {
	switch {
	case q.counts.Open > 0:
	case !q.gated:
		asked := *q.led.Dropped
		asked.Told = true
		q.led.Dropped = &asked
	case q.led.Gate != nil:
		told := *q.led.Gate
		told.Told, told.ToolCalls = true, 0
		q.led.Gate = &told
	}
}

// gate asks for the gate's result, or needs the user if there can be none.
func gate(q *question) *Decision {
	if q.counts.Open > 0 || !q.gated {
		return nil
	}
	switch p := q.facts.Gate; {
	case p == nil && q.set.GateElsewhere != "":
		return because(NeedsHuman, ReasonUnproven, "%s, but not proven: the gate runs only in %s: %s", q.allDoneText(), FoldLine(q.set.GateElsewhere), FoldLine(q.set.Gate)).
			withHint("ask again in that folder")
	case p == nil:
		return because(NeedsHuman, ReasonUnproven, "%s, but not proven: the gate has not run: %s", q.allDoneText(), FoldLine(q.set.Gate)).
			withHint("`onward todo assert --gate` runs it")
	case p.Problem != "":
		return noResult(p).withHint("%s changes it", q.settingAssignment("gate", "COMMAND"))
	}
	return nil
}

// noResult answers that the gate was run, and gave no result.
func noResult(g *session.GateResult) *Decision {
	return because(NeedsHuman, ReasonGateBroken, "the gate has no result: %s: %s", FoldLine(g.Command), FoldLine(g.Problem))
}

func maxGate(q *question) *Decision {
	g := q.led.Gate
	if q.counts.Open > 0 || !q.gated || g == nil || g.Failures < q.set.MaxGate {
		return nil
	}
	return because(Limit, "gate", "the agent was stopped after %s of the gate in a row without work: %s", todo.Plural(g.Failures, "failure"), FoldLine(g.Command)).
		withHint("%s", q.restartCountersText()+q.raiseLimitText("max-gate"))
}

// remainingWorkText describes what is left to do.
func (q *question) remainingWorkText() string { return remainingText(q.counts.Open, &q.led, q.gated) }

func remainingText(open int, led *session.Ledger, gated bool) string {
	switch {
	case open == 0 && gated && led.Gate != nil:
		return fmt.Sprintf("the gate fails with exit code %d", led.Gate.Code)
	case open == 0 && led.Dropped != nil:
		return "the agent's list lost " + lost(led.Dropped)
	}
	return items(open) + plural(open, " is open", " are open")
}

// resetGateFailures resets the count of gate failures.
func resetGateFailures(l *session.Ledger) {
	if l.Gate != nil && l.Gate.Failures > 0 {
		was := *l.Gate
		was.Failures, was.Told = 0, false
		l.Gate = &was
	}
}

// AddGateToPrompts returns events with the gate that a user's prompt must know: a finished list stays until that has passed.
func (s *Settings) AddGateToPrompts(events []Event) []Event {
	prompts := func(e Event) bool { return e.Type == UserPrompt }
	if s.Gate == "" || !slices.ContainsFunc(events, prompts) {
		return events
	}
	events = slices.Clone(events)
	for i := range events {
		if prompts(events[i]) {
			events[i].Gate = s.Gate
		}
	}
	return events
}

// GateIsOfProjectOrSession reports whether the gate was set for this project or session, and not for every project of the user.
func (s *Settings) GateIsOfProjectOrSession() bool {
	return s.GateFrom == FromProject || s.GateFrom == FromSession
}

// GateAppliesTo reports whether the gate that is in force is that of a list. That of a session is about
// its whole work, which is not done when a sub-agent is through with its part: its own list has a
// gate only where it was set for that.
func (s *Settings) GateAppliesTo(doc *session.Document) bool {
	if doc == nil || doc.Agent == session.Primary {
		return true
	}
	_, own := doc.Settings["gate"]
	return own
}
