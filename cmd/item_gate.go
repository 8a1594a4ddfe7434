package cmd

import (
	"errors"
	"fmt"
	"io"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// gate returns the runner of a list's gate, for a command.
func (a *app) gate(t find.List) *gate.Runner {
	g := &gate.Runner{List: t, Note: a.printNote, Clock: a.Clock}
	if isTerminal(a.err) {
		g.Began = a.printNote
	}
	return g
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
			run, err := a.gate(t).ProveItem(read, at)
			if err != nil {
				return err
			}
			if t.Now, err = a.Clock(); err != nil {
				return err
			}
			if !run.Passed() {
				return a.unproven(t, w, run)
			}
			runs, events = append(runs, run.GateRun), append(events, continuation.RecordItem(&run.GateRun, run.Took))
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
func (a *app) unproven(t find.List, w todo.Worker, run gate.ItemRun) error {
	var commit session.Commit
	var err error
	if run.Problem == "" {
		// The command has not done what it was started for, so its --op can be used again.
		commit, err = t.Update("", func(doc *session.Document) (session.Change, error) {
			if err := todo.CheckRuns(doc.Todos.Current(), []todo.GateRun{run.GateRun}); err != nil {
				return session.Change{}, err
			}
			did, err := continuation.SettleItem(doc, run.GateRun, run.Took, t.Now)
			doc.Todos.Items = w.Renew(doc.Todos.Items, t.Now, run.Item.ID)
			return did, err
		})
		a.committed = a.committed || commit.Changed
	}
	if err != nil && !errors.Is(err, todo.ErrChanged) {
		return err
	}
	result := run.Result(t.Now)
	if a.JSON {
		a.writeJSON(append(output.ChangeJSON(t.Name, commit), "gate", output.GateJSON(result, 0)))
	} else {
		place := todo.At([]todo.Item{run.Item}, todo.Ref{Item: 0, Sub: -1})
		a.printNote(fmt.Sprintf("item %d is not completed: %s", run.At+1, render.Text(place.Content)))
		io.WriteString(a.err, output.GateFailure(result))
		if run.Ran && run.Problem != "" {
			a.hint(fmt.Sprintf("`onward todo edit %d --gate COMMAND` changes the gate", run.At+1))
		}
	}
	return cli.ExitCode(cli.ExitNo)
}
