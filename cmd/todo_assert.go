package cmd

import (
	"io"
	"strings"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/overview"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoAssertCmd struct {
	ofSaved `embed:""`

	Status       []string `placeholder:"S" complete:"status" help:"The statuses that count as open; default pending, in_progress, blocked."`
	Allow        []string `placeholder:"S" complete:"status" help:"Statuses that do not count as open."`
	RequireList  bool     `help:"Fail if there is no list, or an empty one, unless a gate is set."`
	Gate         bool     `without:"no-gate" help:"Run the gate even while items are open; it is an error if there is none."`
	NoGate       bool     `help:"Do not run the gate."`
	RequireProof bool     `help:"Fail unless the last run was proven, the files are as it left them, and its gate has passed on them on this machine in the last 24 hours."`
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
	g := a.gate(t)
	g.Anew = true // the files may have changed since it passed
	is, err := overview.Assertion{
		Unfinished: unfinished, NoGate: c.NoGate, AlwaysGate: c.Gate, RequireList: c.RequireList, RequireProof: c.RequireProof,
	}.Check(g, doc)
	if err != nil {
		return err
	}
	ok := is.Holds()
	switch {
	case a.JSON:
		a.writeJSON(is.JSON(doc, ok))
	case is.Missing && (c.Format == "" || c.Format == "text"):
		a.printNote(strings.TrimSpace(is.NoListText("")))
		a.hint(is.RemovedHint())
	case is.Missing:
		a.print(is.NoListText(c.Format))
	default:
		a.print(is.Text(c.Format, a.style()))
		if doc == nil {
			a.printNote(strings.TrimSpace(is.NoListText("")))
		}
		if c.RequireProof && (c.Format == "" || c.Format == "text") {
			a.print(is.ProofText())
		}
		if is.Lost != nil {
			a.hint(continuation.ItemsLostHint)
		}
		if is.LostGate != "" {
			a.hint(continuation.LostGateHint)
		}
	}
	if !a.JSON && (c.Format == "" || c.Format == "text") {
		for _, result := range []*session.GateResult{is.Broken, is.Gate} {
			if result != nil {
				io.WriteString(a.err, output.GateFailure(result))
			}
		}
	}
	if is.Differs != "" {
		a.printNote("the gate ran on the files of the checkout, which differ from " + is.Differs)
	}
	if !ok {
		return cli.ExitCode(cli.ExitNo)
	}
	return nil
}
