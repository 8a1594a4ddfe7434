package continuation

import (
	"slices"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// ItemCompletion completes items of a list on behalf of a worker. If some of them have a gate, it takes two steps: the first changes nothing
// and names them, and the second completes all of them once each gate has passed.
type ItemCompletion struct {
	Ranges []todo.Range
	Reason string
	Worker todo.Worker
	By     string // todo.ByUser if the user completes them

	Gated []int     // the items whose gates are to run before the second step
	Edit  todo.Edit // what the second step did

	runs   []todo.GateRun
	events []session.Event
}

// Apply takes the next step.
func (c *ItemCompletion) Apply(doc *session.Document, now todo.Time) (did session.Change, err error) {
	items := doc.Todos.Current()
	if c.Gated, err = todo.ItemsWithGate(items, c.Ranges, c.Worker, now); err != nil {
		return did, err
	}
	if len(c.Gated) > 0 && c.runs == nil {
		e, err := todo.SetStatusBy(items, c.Ranges, todo.Completed, c.Reason, c.Worker, now)
		next := *doc
		next.Todos.Items = e.Items
		return session.Change{Next: &next}, err
	}
	var passed []string
	if c.Edit, passed, err = todo.CompleteBy(items, c.Ranges, c.Reason, c.runs, c.Worker, now); err != nil {
		return did, err
	}
	did, err = Apply(doc, Event{Type: Edited, Items: c.Edit.Items, Touched: c.Edit.Touched, Passed: passed, Change: c.Edit.What, Source: "cli", By: c.By}, now)
	if did.What != "" {
		did.Events = append(did.Events, c.events...)
	}
	return did, err
}

// AddPassedRun takes that the gate of an item has passed.
func (c *ItemCompletion) AddPassedRun(run todo.GateRun, took time.Duration) {
	c.runs, c.events = append(c.runs, run), append(c.events, RecordItemGate(&run, took))
}

// LowestGrade returns the lowest grade that the gates of items showed in a change; empty if none showed one.
func LowestGrade(did session.Change) (lowest string) {
	for i := range did.Events {
		if is := did.Events[i].Proof; lowest == "" || is != "" && is < lowest { // in the order of the words: checked, proven
			lowest = is
		}
	}
	return lowest
}

// ProofTexts say what the gates of completed items show of the work.
func (c *ItemCompletion) ProofTexts() (texts []string) {
	for i := range c.runs {
		at := slices.IndexFunc(c.Edit.Touched, func(t todo.Touched) bool { return t.ID == c.runs[i].Item.ID })
		if c.runs[i].Shows != "" && at >= 0 {
			texts = append(texts, "item "+c.Edit.Touched[at].Position+": "+c.runs[i].Shows)
		}
	}
	return texts
}

// SettleFailed records that the gate of an item has not passed, unless the item has changed since, and renews the worker's claim of it.
func SettleFailed(doc *session.Document, run todo.GateRun, took time.Duration, w todo.Worker, now todo.Time) (session.Change, error) {
	if err := todo.CheckRuns(doc.Todos.Current(), []todo.GateRun{run}); err != nil {
		return session.Change{}, err
	}
	did, err := SettleItem(doc, run, took, now)
	doc.Todos.Items = w.Renew(doc.Todos.Items, now, run.Item.ID)
	return did, err
}
