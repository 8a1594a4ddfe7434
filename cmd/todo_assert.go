package cmd

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

type todoAssertCmd struct {
	ofSaved `embed:""`

	Status       []string `placeholder:"S" complete:"status" help:"The statuses that count as open; default pending, in_progress, blocked."`
	Allow        []string `placeholder:"S" complete:"status" help:"Statuses that do not count as open."`
	RequireList  bool     `help:"Fail if there is no list, or an empty one, unless a gate is set."`
	Gate         bool     `without:"no-gate" help:"Run the gate also while an item is open; no gate is an error."`
	NoGate       bool     `help:"Do not run the gate."`
	RequireProof bool     `help:"Fail unless the files are as the last run left them, and that run is proven, on this machine."`
	Format       string   `placeholder:"F" complete:"=text|github|junit" help:"text, github or junit."`
}

// Run exits with 0 if no item is open or lost, and the gate, if there is one, passes; otherwise with 1.
func (c *todoAssertCmd) Run(a *app, t find.List, doc *session.Document) error {
	unfinished, err := todo.ParseAssertion(c.Status, c.Allow)
	if err != nil {
		return err
	}
	if _, err := a.format(c.Format, false, "text", "github", "junit"); err != nil {
		return err
	}
	items := doc.Current()
	open := todo.Select(items, unfinished)
	open, broken, err := c.proveItems(a, t, doc, open)
	if err != nil {
		return err
	}
	lost := doc.Ledger().Dropped
	ran, err := c.prove(a, t, doc, len(open) == 0 && lost == nil)
	if err != nil {
		return err
	}
	is := output.Assertion{Name: t.Name, Items: items, Open: open, Lost: lost, Gate: ran, Unproven: broken != nil, RequireProof: c.RequireProof}
	if c.RequireProof {
		if is.Lacks, err = lacksProof(a, t); err != nil {
			return err
		}
	}
	missing := c.RequireList && ran == nil && is.Lost == nil && continuation.CountList(doc).Total == 0
	ok := len(open) == 0 && !missing && is.Lost == nil && (ran == nil || ran.Passed()) && is.Lacks == ""
	switch {
	case a.JSON:
		a.writeJSON(is.JSON(doc, ok))
	case missing && (c.Format == "" || c.Format == "text"):
		a.printNote(strings.TrimSpace(output.NoListText(t.Name, "")))
	case missing:
		a.print(output.NoListText(t.Name, c.Format))
	default:
		a.print(is.Text(c.Format, a.style()))
		if doc == nil {
			a.printNote(strings.TrimSpace(output.NoListText(t.Name, "")))
		}
		if c.RequireProof && (c.Format == "" || c.Format == "text") {
			a.print(is.ProofText())
		}
		if is.Lost != nil {
			a.hint(continuation.LostHint)
		}
	}
	if broken != nil && !a.JSON && (c.Format == "" || c.Format == "text") {
		io.WriteString(a.err, output.GateFailure(broken))
	}
	if ran != nil && !a.JSON && (c.Format == "" || c.Format == "text") {
		io.WriteString(a.err, output.GateFailure(ran))
	}
	if !ok {
		return cli.ExitCode(cli.ExitNo)
	}
	return nil
}

// lacksProof returns the line that keeps the files from being proven; empty if they are.
func lacksProof(a *app, t find.List) (string, error) {
	receipt, err := t.Store.ReadReceipt(t.Name)
	if err != nil {
		return "", err
	}
	now, err := presentFiles(a, t, receipt)
	return run.Lacks(receipt, now), err
}

// proveItems runs the gates of items that are completed or claimed to be, if nothing else is open: a gate that passed before
// says nothing about the files as they are now. It returns the items that do not count as done, and the first result that did
// not pass. Nothing of it is saved.
func (c *todoAssertCmd) proveItems(a *app, t find.List, doc *session.Document, open []todo.Ref) ([]todo.Ref, *session.GateResult, error) {
	items := doc.Current()
	if c.NoGate || slices.ContainsFunc(open, func(r todo.Ref) bool { return !items[r.Item].ClaimedDone() }) {
		return open, nil, nil
	}
	var passed []string // commands, each of which runs once
	for at := range items {
		it := &items[at]
		of := func(r todo.Ref) bool { return r.Item == at }
		completed := it.Gate != nil && it.Status == todo.Completed && !supervise.InGate()
		if !completed && !slices.ContainsFunc(open, of) {
			continue
		}
		if !slices.Contains(passed, it.Gate.Command) {
			run, err := a.proveItem(t, doc, at, true)
			if err != nil {
				return open, nil, err
			}
			if !run.Passed() {
				if completed {
					open = append(open, todo.Ref{Item: at, Sub: -1})
					slices.SortFunc(open, func(a, b todo.Ref) int { return cmp.Compare(a.Item, b.Item) })
				}
				return open, run.result(t.Now), nil
			}
			passed = append(passed, it.Gate.Command)
		}
		open = slices.DeleteFunc(open, of)
	}
	return open, nil, nil
}

// prove runs the gate of a finished list and returns the result, which is not saved. It trusts no earlier one: the files may have
// changed since. If an item is open, or within a gate, it runs the gate only if the user asks for it.
func (c *todoAssertCmd) prove(a *app, t find.List, doc *session.Document, finished bool) (*session.GateResult, error) {
	if c.NoGate || !c.Gate && (!finished || supervise.InGate()) {
		return nil, nil
	}
	set, err := t.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return nil, err
	}
	switch {
	case set.Gate == "" && !c.Gate:
		return nil, nil
	case set.Gate == "":
		return nil, cli.Hinted(cli.Failf(cli.ExitConfig, "no gate is set for session %q", t.Name), "`onward set gate 'go test ./...'` sets one")
	}
	g := a.gate(t)
	g.anew = true
	defer g.Release()
	ran, err := g.Prove(set, func() *session.GateResult { return nil })
	if err != nil {
		return nil, err
	}
	if ran == nil {
		ran = &session.GateResult{Command: set.Gate, Problem: "it has not run: another one runs already"}
		if set.GateElsewhere != "" {
			ran.Problem = "it runs only in " + set.GateElsewhere
		}
	}
	ran.At, ran.Output = t.Now, continuation.Tail(ran.Output)
	return ran, nil
}
