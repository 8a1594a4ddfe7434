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

// proveAndComplete completes items, after it has run the gates of those that have one. If a gate fails, its item is in
// progress afterwards, and nothing else changes.
func (a *app) proveAndComplete(t find.List, ranges []todo.Range, reason string, w todo.Worker) error {
	all := continuation.Completion{Ranges: ranges, Reason: reason, Worker: w, By: a.by(t)}
	var read *session.Document
	step := func(doc *session.Document) (session.Change, error) {
		read = doc
		return all.Apply(doc, t.Now)
	}
	commit, err := a.update(t, step)
	if err == nil && len(all.Gated) > 0 {
		for _, at := range all.Gated {
			run, err := a.gate(t).ProveItem(read, at)
			if err != nil {
				return err
			}
			if t.Now, err = a.Clock(); err != nil {
				return err
			}
			if !run.Passed() {
				return a.recordUnproven(t, w, run)
			}
			all.AddPassedRun(run.GateRun, run.Took)
		}
		commit, err = a.update(t, step)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		a.writeJSON(output.ChangeJSON(t.Name, commit).AddIfSet("proof", all.Grade()))
	} else {
		a.printChange(commit.Changed, commit.Change)
	}
	for _, text := range append(all.ProofTexts(), render.EarlyText(all.Edit)...) {
		a.printNote(text)
	}
	return nil
}

// recordUnproven records that the gate of an item has not passed, and tells the user.
func (a *app) recordUnproven(t find.List, w todo.Worker, run gate.ItemRun) error {
	var commit session.Commit
	var err error
	if run.Problem == "" {
		// The command has not done what it was started for, so its --op can be used again.
		commit, err = t.Update("", func(doc *session.Document) (session.Change, error) {
			return continuation.SettleFailed(doc, run.GateRun, run.Took, w, t.Now)
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
		place := todo.TouchedAt([]todo.Item{run.Item}, todo.Ref{Item: 0, Sub: -1})
		a.printNote(fmt.Sprintf("item %d is not completed: %s", run.At+1, render.Text(place.Content)))
		io.WriteString(a.err, output.GateFailure(result))
		if run.Ran && run.Problem != "" {
			a.hint(fmt.Sprintf("`onward todo edit %d --gate COMMAND` changes the gate", run.At+1))
		}
	}
	return cli.ExitCode(cli.ExitNo)
}
