package cmd

import (
	"io"
	"strings"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoAssertCmd struct {
	Status      []string `placeholder:"S" complete:"status" help:"The statuses that count as open; default pending, in_progress, blocked."`
	Allow       []string `placeholder:"S" complete:"status" help:"Statuses that do not count as open."`
	RequireList bool     `help:"No list is a failure."`
	Gate        bool     `help:"Run the gate too, and fail if it does not pass."`
	Format      string   `placeholder:"F" complete:"=text|github|junit" help:"text, github or junit."`
}

// Run exits with 0 if nothing is open, and with 1 if something is.
func (c *todoAssertCmd) Run(a *app, t target, doc *session.Document) error {
	unfinished, err := todo.ParseAssertion(c.Status, c.Allow)
	if err != nil {
		return err
	}
	if _, err := a.format(c.Format, false, "text", "github", "junit"); err != nil {
		return err
	}
	if err := a.everWas(t, doc); err != nil {
		return err
	}
	items := doc.Current()
	open := todo.Select(items, unfinished)
	missing := c.RequireList && (doc == nil || !doc.Todos.Active)
	proof, err := c.prove(a, t, doc)
	if err != nil {
		return err
	}
	ok := len(open) == 0 && !missing && (proof == nil || proof.Passed())
	switch {
	case a.JSON:
		a.writeJSON(assertionJSON(t.name, doc, open, proof, ok))
	case missing && (c.Format == "" || c.Format == "text"):
		a.printNote(strings.TrimSpace(noListText(t.name, "")))
	case missing:
		a.print(noListText(t.name, c.Format))
	default:
		a.print(assertionText(t.name, items, open, proof, c.Format, a.style()))
		if doc == nil {
			a.printNote(strings.TrimSpace(noListText(t.name, "")))
		}
	}
	if proof != nil && !a.JSON && (c.Format == "" || c.Format == "text") {
		io.WriteString(a.err, gateFailure(proof))
	}
	if !ok {
		return cli.Answer(exitNo)
	}
	return nil
}

// prove runs the gate where that is asked for; nothing is remembered of it.
func (c *todoAssertCmd) prove(a *app, t target, doc *session.Document) (*session.Proof, error) {
	if !c.Gate {
		return nil, nil
	}
	set, err := t.settings(readConfigFile(), nil, doc)
	if err != nil {
		return nil, err
	}
	if set.Gate == "" {
		return nil, cli.Hinted(cli.Failf(exitConfig, "no gate is set for session %q", t.name), "`onward set gate 'go test ./...'` sets one")
	}
	g := a.gate(t)
	defer g.Release()
	proof, err := g.Prove(set, func() *session.Proof { return nil })
	if err != nil {
		return nil, err
	}
	if proof == nil {
		proof = &session.Proof{Command: set.Gate, Problem: "it has not run: another one runs already"}
	}
	proof.At, proof.Output = t.now, continuation.Tail(proof.Output)
	return proof, nil
}

// everWas refuses a session that --session names and that never was.
// The environment may name one that no agent has written to yet.
func (a *app) everWas(t target, doc *session.Document) error {
	if a.Session == nil {
		return nil
	}
	return t.store.CheckExists(t.name, doc)
}
