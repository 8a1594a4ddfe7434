package gate

import (
	"cmp"
	"errors"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// ItemRun is a run of an item's gate, with the data for reporting it.
type ItemRun struct {
	todo.GateRun
	At   int // the item's index
	Took time.Duration
	Ran  bool
}

// Result returns the run in the form of a list's gate.
func (r *ItemRun) Result(now todo.Time) *session.GateResult {
	return &session.GateResult{Command: r.Item.Gate.Command, Code: r.Code, Problem: r.Problem, Output: r.Output, At: now}
}

// ProveItem runs the gate of an item of the list as it was read.
func (g *Runner) ProveItem(doc *session.Document, at int) (ItemRun, error) {
	set, err := g.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return ItemRun{}, err
	}
	defer g.Release()
	it, began := doc.Todos.Items[at], time.Now()
	set = set.ForItem(&it)
	result, err := g.Prove(set, func() *session.GateResult { return nil })
	if err != nil {
		return ItemRun{}, err
	}
	run := ItemRun{continuation.NewItemGateRun(it, result), at, time.Since(began), result != nil}
	if run.Passed() && it.Claim != nil {
		shown := g.Grade(set, it.Claim.Start, result)
		run.Grade, run.Shows = string(shown.Grade()), shown.GateWords()
	}
	if result == nil {
		run.Problem, err = g.whyNot(set)
	}
	return run, err
}

// Update changes a list as the user of a command may.
type Update func(find.List, func(*session.Document) (session.Change, error)) (session.Commit, error)

// Complete completes items, after it has run the gates of those that have one. If a gate fails, it returns that run; its item is in
// progress afterwards, and nothing else changes.
func (g *Runner) Complete(all *continuation.ItemCompletion, update Update) (commit session.Commit, failed *ItemRun, err error) {
	var read *session.Document
	step := func(doc *session.Document) (session.Change, error) {
		read = doc
		return all.Apply(doc, g.Now)
	}
	if commit, err = update(g.List, step); err != nil || len(all.Gated) == 0 {
		return commit, nil, err
	}
	for _, at := range all.Gated {
		run, err := g.ProveItem(read, at)
		if err != nil {
			return commit, nil, err
		}
		if g.Now, err = g.Clock(); err != nil {
			return commit, nil, err
		}
		if !run.Passed() {
			commit, err = g.recordFailed(run, all.Worker)
			return commit, &run, err
		}
		all.AddPassedRun(run.GateRun, run.Took)
	}
	commit, err = update(g.List, step)
	return commit, nil, err
}

// recordFailed records that the gate of an item has not passed, unless the item has changed since. The command has not done what it was
// started for, so its --op can be used again.
func (g *Runner) recordFailed(run ItemRun, w todo.Worker) (commit session.Commit, err error) {
	if run.Problem != "" {
		return commit, nil
	}
	commit, err = g.Update("", func(doc *session.Document) (session.Change, error) {
		return continuation.SettleFailed(doc, run.GateRun, run.Took, w, g.Now)
	})
	if errors.Is(err, todo.ErrChanged) {
		err = nil
	}
	return commit, err
}

// inGate is why no gate runs within another one: it could be the same, without end.
const inGate = "no gate runs within a gate, and " + supervise.InGateVariable + " is set"

// whyNot returns the reason why the gate of an item cannot run here, or nil.
func (g *Runner) whyNot(set continuation.Settings) (string, error) {
	switch err := g.placeItem(&set); {
	case err != nil:
		return "", err
	case set.GateElsewhere != "":
		return "it runs only in a checkout of " + set.GateElsewhere, nil
	case supervise.InGate():
		return inGate, nil
	}
	return "another gate ran in this folder for longer than gate-timeout", nil
}

// StillUnproven runs the gates of items that are completed or claimed to be, if nothing else is open: a gate that passed before
// says nothing about the files as they are now. It returns the items that do not count as done, and the first result that did
// not pass. Nothing of it is saved.
func (g *Runner) StillUnproven(doc *session.Document, open []todo.Ref) ([]todo.Ref, *session.GateResult, error) {
	items := doc.Current()
	if slices.ContainsFunc(open, func(r todo.Ref) bool { return !items[r.Item].ClaimedDone() }) {
		return open, nil, nil
	}
	var passed []string // commands, to run each once
	for at := range items {
		it := &items[at]
		of := func(r todo.Ref) bool { return r.Item == at }
		completed := it.Gate != nil && it.Status == todo.Completed && !supervise.UnderGate()
		if !completed && !slices.ContainsFunc(open, of) {
			continue
		}
		if !slices.Contains(passed, it.Gate.Command) {
			run, err := g.ProveItem(doc, at)
			if err != nil {
				return open, nil, err
			}
			if !run.Passed() {
				if completed {
					open = append(open, todo.Ref{Item: at, Sub: -1})
					slices.SortFunc(open, func(a, b todo.Ref) int { return cmp.Compare(a.Item, b.Item) })
				}
				return open, run.Result(g.Now), nil
			}
			passed = append(passed, it.Gate.Command)
		}
		open = slices.DeleteFunc(open, of)
	}
	return open, nil, nil
}
