package cmd

import (
	"errors"
	"fmt"
	"io"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// itemRun is a run of an item's gate, with the data for reporting it.
type itemRun struct {
	todo.GateRun
	at   int // the item's index
	took time.Duration
	ran  bool
}

// result returns the run in the form of a list's gate.
func (r *itemRun) result(now todo.Time) *session.GateResult {
	return &session.GateResult{Command: r.Item.Gate.Command, Code: r.Code, Problem: r.Problem, Output: r.Output, At: now}
}

// proveItem runs the gate of an item of the list as it was read: anew, or only if it has not passed on the same files.
func (a *app) proveItem(t find.List, doc *session.Document, at int, anew bool) (itemRun, error) {
	set, err := t.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return itemRun{}, err
	}
	it, began := doc.Todos.Items[at], time.Now()
	g := a.gate(t)
	g.anew = anew
	defer g.Release()
	set = set.ForItem(&it)
	result, err := g.Prove(set, func() *session.GateResult { return nil })
	if err != nil {
		return itemRun{}, err
	}
	run := itemRun{continuation.ItemRun(it, result), at, time.Since(began), result != nil}
	if result == nil {
		run.Problem, err = g.whyNot(set)
	}
	return run, err
}

// whyNot returns the reason why the gate of an item cannot run here, or nil.
func (g *gate) whyNot(set continuation.Settings) (string, error) {
	switch err := g.placeItem(&set); {
	case err != nil:
		return "", err
	case set.GateElsewhere != "":
		return "it runs only in a checkout of " + set.GateElsewhere, nil
	case supervise.InGate():
		return "this command is part of a gate that runs", nil
	}
	return "another gate ran in this folder for longer than gate-timeout", nil
}

// completeItems completes items, after it has run the gates of those that have one. If a gate fails, its item is in
// progress afterwards, and nothing else changes.
func (a *app) completeItems(t find.List, ranges []todo.Range, reason string, w todo.Worker) error {
	var runs []todo.GateRun
	var events []session.Event
	var read *session.Document
	var gated []int // the items whose gates are to be run first
	var edit todo.Edit
	complete := func(doc *session.Document) (did session.Change, err error) {
		read = doc
		if gated, err = todo.Gated(doc.Todos.Current(), ranges, w, t.Now); err != nil || len(gated) > 0 && runs == nil {
			return did, err
		}
		var passed []string
		if edit, passed, err = todo.CompleteBy(doc.Todos.Current(), ranges, reason, runs, w, t.Now); err != nil {
			return did, err
		}
		did, err = continuation.Apply(doc, continuation.Event{
			Type: continuation.Edited, Items: edit.Items, Touched: edit.Touched, Passed: passed, Change: edit.What, Source: "cli", By: a.by(t),
		}, t.Now)
		if did.What != "" {
			did.Events = append(did.Events, events...)
		}
		return did, err
	}
	commit, err := a.update(t, complete)
	if err == nil && len(gated) > 0 {
		for _, at := range gated {
			run, err := a.proveItem(t, read, at, false)
			if err != nil {
				return err
			}
			if t.Now, err = a.Clock(); err != nil {
				return err
			}
			if !run.Passed() {
				return a.unproven(t, w, run)
			}
			runs, events = append(runs, run.GateRun), append(events, continuation.RecordItem(&run.GateRun, run.took))
		}
		commit, err = a.update(t, complete)
	}
	if err == nil {
		err = a.changed(t, commit)
	}
	if err == nil {
		for _, text := range render.Early(edit) {
			a.printNote(text)
		}
	}
	return err
}

// unproven records that the gate of an item has not passed, and tells the user.
func (a *app) unproven(t find.List, w todo.Worker, run itemRun) error {
	var commit session.Commit
	var err error
	if run.Problem == "" {
		// The command has not done what it was started for, so its --op can be used again.
		commit, err = t.Update("", func(doc *session.Document) (session.Change, error) {
			if err := todo.CheckRuns(doc.Todos.Current(), []todo.GateRun{run.GateRun}); err != nil {
				return session.Change{}, err
			}
			did, err := continuation.SettleItem(doc, run.GateRun, run.took, t.Now)
			doc.Todos.Items = w.Renew(doc.Todos.Items, t.Now, run.Item.ID)
			return did, err
		})
		a.committed = a.committed || commit.Changed
	}
	if err != nil && !errors.Is(err, todo.ErrChanged) {
		return err
	}
	result := run.result(t.Now)
	if a.JSON {
		a.writeJSON(append(output.ChangeJSON(t.Name, commit), "gate", output.GateJSON(result, 0)))
	} else {
		place := todo.At([]todo.Item{run.Item}, todo.Ref{Item: 0, Sub: -1})
		a.printNote(fmt.Sprintf("item %d is not completed: %s", run.at+1, render.Text(place.Content)))
		io.WriteString(a.err, output.GateFailure(result))
		if run.ran && run.Problem != "" {
			a.hint(fmt.Sprintf("`onward todo edit %d --gate COMMAND` changes the gate", run.at+1))
		}
	}
	return cli.ExitCode(cli.ExitNo)
}
