package continuation

import (
	"fmt"

	"onward/internal/session"
	"onward/internal/todo"
)

// Unproven is the reason of a decision that only the gate can make:
// the list is finished, and whether the gate passes is not known.
const Unproven = "unproven"

// doneHint is the next step after a list that is done.
const doneHint = "`onward todo show` shows the list"

// done ends where no item is open, and the gate passes where there is one.
// A gate whose result is not known is asked for after the checks that would
// end or wait with any result of it.
func done(q *question) *Decision {
	proof := q.facts.Gate
	if q.counts.Open > 0 || proof == nil && q.set.Gate != "" {
		return nil
	}
	if proof == nil {
		return because(Finished, "done", "%s", q.allDone()).hinted(doneHint)
	}
	q.remember()
	if !proof.Passed() {
		return nil
	}
	return because(Finished, "done", "%s, and the gate passes", q.allDone()).hinted(doneHint)
}

func (q *question) allDone() string {
	if q.counts.Total == 1 {
		return "the only item is done"
	}
	return fmt.Sprintf("all %s done", items(q.counts.Total))
}

// remember enters the gate's result in the ledger. A failure counts as one more
// in a row if the agent was continued after the last one and did nothing:
// no item changed, and no tool was called.
func (q *question) remember() {
	ran := q.facts.Gate
	is := session.Proof{
		Command: ran.Command, Code: ran.Code, Problem: ran.Problem, Output: Tail(ran.Output),
		At: q.now, Rev: q.doc.Rev + 1, Items: todo.Digest(q.items), ToolCalls: q.led.ToolCalls,
	}
	if is.Failed() {
		is.Failures = 1
		if was := q.led.Gate; was != nil && was.Failed() && was.Command == is.Command && was.Items == is.Items && was.ToolCalls == is.ToolCalls {
			if is.Failures = was.Failures; was.Told || is.Failures == 0 {
				is.Failures++
			}
		}
	}
	q.led.Gate = &is
}

// markTold records that the agent is informed of a failed gate.
func (q *question) markTold() {
	if q.counts.Open == 0 && q.led.Gate != nil {
		told := *q.led.Gate
		told.Told, told.ToolCalls = true, 0
		q.led.Gate = &told
	}
}

// gate asks for the gate's result, or for the user where there can be none.
func gate(q *question) *Decision {
	if q.counts.Open > 0 {
		return nil
	}
	switch p := q.facts.Gate; {
	case p == nil:
		return because(NeedsHuman, Unproven, "%s, but not proven: the gate has not run: %s", q.allDone(), Fold(q.set.Gate)).
			hinted("`onward todo assert --gate` runs it")
	case p.Problem != "":
		return because(NeedsHuman, "gate_broken", "the gate proves nothing: %s: %s", Fold(p.Command), Fold(p.Problem)).
			hinted("`onward get gate` shows the gate, and `onward set gate COMMAND` changes it")
	}
	return nil
}

func maxGate(q *question) *Decision {
	g := q.led.Gate
	if q.counts.Open > 0 || g == nil || g.Failures < q.set.MaxGate {
		return nil
	}
	return because(Limit, "gate", "stopped after %s of the gate in a row without work: %s", todo.Plural(g.Failures, "failure"), Fold(g.Command)).
		hinted(resumeHint, "max-gate")
}

// left describes what is left to do.
func (q *question) left() string { return left(q.counts.Open, q.led.Gate) }

func left(open int, gate *session.Proof) string {
	if open == 0 && gate != nil {
		return fmt.Sprintf("the gate fails with exit code %d", gate.Code)
	}
	return items(open) + " open"
}

// forgive resets the count of gate failures.
func forgive(l *session.Ledger) {
	if l.Gate != nil && l.Gate.Failures > 0 {
		was := *l.Gate
		was.Failures, was.Told = 0, false
		l.Gate = &was
	}
}

// GateHolds reports whether the gate that is in force is that of a list. That of a session is about
// its whole work, which is not done when a sub-agent is through with its part: its own list has a
// gate only where it was set for that.
func (s *Settings) GateHolds(doc *session.Document) bool {
	if doc == nil || doc.Agent == session.Primary {
		return true
	}
	_, own := doc.Settings["gate"]
	return own
}
