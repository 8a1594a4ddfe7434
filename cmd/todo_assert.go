package cmd

import (
	"io"
	"strings"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
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
	g := a.gate(t)
	g.Anew = true // the files may have changed since it passed
	var broken *session.GateResult
	if !c.NoGate {
		if open, broken, err = g.StillUnproven(doc, open); err != nil {
			return err
		}
	}
	lost := doc.Ledger().Dropped
	ran, err := c.prove(g, doc, len(open) == 0 && lost == nil)
	if err != nil {
		return err
	}
	is := output.Assertion{Name: t.Name, Items: items, Open: open, Lost: lost, Gate: ran, Unproven: broken != nil, RequireProof: c.RequireProof}
	if c.RequireProof {
		if is.Lacks, err = lacksProof(a, t); err != nil {
			return err
		}
	}
	missing := c.RequireList && is.NoList(doc)
	ok := is.Holds() && !missing
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
	now, err := gate.Present(t, receipt, a.Clock)
	return run.WhyUnproven(receipt, now), err
}

// prove runs the gate of a finished list and returns the result, which is not saved. If an item is open, or a gate runs this
// command, it runs only if the user asks for it.
func (c *todoAssertCmd) prove(g *gate.Runner, doc *session.Document, finished bool) (*session.GateResult, error) {
	if c.NoGate || !c.Gate && (!finished || supervise.UnderGate()) {
		return nil, nil
	}
	set, err := g.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return nil, err
	}
	switch {
	case set.Gate == "" && !c.Gate:
		return nil, nil
	case set.Gate == "":
		return nil, cli.WithHint(cli.Failf(cli.ExitConfig, "no gate is set for session %q", g.Name), "`onward set gate 'go test ./...'` sets one")
	}
	return g.ProveNow(set)
}
