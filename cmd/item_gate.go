package cmd

import (
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
	g := &gate.Runner{List: t, Note: a.printNote, Clock: a.Clock, ByAgent: func() bool { return !a.isPerson() }}
	if isTerminal(a.err) {
		g.Began = a.printNote
	}
	return g
}

// proveAndComplete completes items, after it has run the gates of those that have one.
func (a *app) proveAndComplete(t find.List, ranges []todo.Range, reason string, w todo.Worker) error {
	all := continuation.ItemCompletion{Ranges: ranges, Reason: reason, Worker: w, By: a.by(t)}
	g := a.gate(t)
	commit, failed, err := g.Complete(&all, a.update)
	a.committed = a.committed || commit.Changed
	switch {
	case err != nil:
		return err
	case failed != nil:
		return a.printUnproven(t, commit, failed, g.Now)
	}
	if a.JSON {
		a.writeJSON(output.ChangeJSON(t.Name, commit).AddIfSet("proof", continuation.LowestGrade(commit.Change)))
	} else {
		a.printChange(commit.Changed, commit.Change)
	}
	for _, text := range append(all.ProofTexts(), render.EarlyText(all.Edit)...) {
		a.printNote(text)
	}
	return nil
}

// printUnproven tells the user that the gate of an item has not passed.
func (a *app) printUnproven(t find.List, commit session.Commit, run *gate.ItemRun, now todo.Time) error {
	result := run.Result(now)
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
