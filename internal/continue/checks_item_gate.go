package continuation

import (
	"slices"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// ForItem returns the settings under which the gate of an item runs.
func (s Settings) ForItem(it *todo.Item) Settings {
	s.Gate, s.GateFrom, s.GateItem, s.GateElsewhere = it.Gate.Command, FromItem, it.ID, ""
	return s
}

// NewItemGateRun returns a run of an item's gate; without a result nothing is proven.
func NewItemGateRun(it todo.Item, result *session.GateResult) todo.GateRun {
	if result == nil {
		return todo.GateRun{Item: it, Problem: "it has not run"}
	}
	return todo.GateRun{Item: it, Code: result.Code, Problem: result.Problem, Output: PlainTail(result.Output), ByAgent: result.Files().ByAgent}
}

// SettleItem records the result of an item's gate in a document and in its history.
func SettleItem(doc *session.Document, run todo.GateRun, took time.Duration, now todo.Time) (session.Change, error) {
	e, passed := todo.SettleGateRuns(doc.Todos.Current(), []todo.GateRun{run}, now)
	if e.What == "" {
		return session.Change{}, nil
	}
	did, err := Apply(doc, Event{Type: Edited, Items: e.Items, Touched: e.Touched, Passed: passed, Change: e.What, By: todo.ByUser}, now)
	did.By = session.Gated
	did.Events = append(did.Events, RecordItemGate(&run, took))
	return did, err
}

// itemGate asks for the gate of an item that is claimed to be done. It needs the user if only such items are left and their
// gates prove nothing.
func itemGate(q *question) *Decision {
	if i := q.itemGateToRun(); i >= 0 {
		d := because(NeedsHuman, ReasonUnproven, "the gate of item %d has not run: %s", i+1, FoldLine(q.items[i].Gate.Command)).
			withHint("`onward todo done %d` runs it", i+1)
		d.Claimed = &q.items[i]
		return d
	}
	i := todo.Unproven(q.items, func(*todo.Item) bool { return false })
	if i < 0 || todo.Next(q.items) >= 0 {
		return nil
	}
	g := q.items[i].Gate
	if g.Problem != "" {
		return because(NeedsHuman, "gate_broken", "the gate of item %d has no result: %s: %s", i+1, FoldLine(g.Command), FoldLine(g.Problem)).
			withHint("`onward todo edit %d --gate COMMAND` changes it, and `onward todo done %[1]d` runs it", i+1)
	}
	return because(NeedsHuman, ReasonUnproven, "item %d is claimed to be done, but not proven: its gate has not run: %s", i+1, FoldLine(g.Command)).
		withHint("`onward todo done %d` runs it, in a checkout of the project", i+1)
}

// itemGateToRun returns the index of an item that counts as done once its gate has run for this question; -1 if there is none, or if none
// can be run.
func (q *question) itemGateToRun() int {
	return todo.Unproven(q.items, func(it *todo.Item) bool { return !q.facts.ItemGates || slices.Contains(q.facts.Ran, it.ID) })
}

// itemGateFailed tells the agent that the gate of the next task fails; empty if it does not.
func itemGateFailed(doc *session.Document, d Decision) string {
	if d.Next < 0 || !doc.Todos.Items[d.Next].Gate.Failed() {
		return ""
	}
	return "\nThe gate command of this task fails, so the task is not done. Find the cause in the output below and fix it, then mark the task complete again."
}

// itemGateOutput shows how the gate of the next task failed, as data; empty if it did not.
func itemGateOutput(doc *session.Document, d Decision) string {
	if itemGateFailed(doc, d) == "" {
		return ""
	}
	g := doc.Todos.Items[d.Next].Gate
	return "\n" + frameGateResult(&session.GateResult{Command: g.Command, Code: g.Code, Output: g.Output})
}
