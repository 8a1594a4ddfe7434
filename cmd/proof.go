package cmd

import (
	"fmt"

	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/run"
	"onward/internal/session"
)

type proofShowCmd struct {
	ID string `arg:"" optional:"" name:"session" complete:"session" help:"The session; default: the current one."`
}

// Run shows the receipt of a session's last run, and what has changed since.
func (c *proofShowCmd) Run(a *app) error {
	t, err := a.targetNamed(c.ID)
	if err != nil {
		return err
	}
	receipt, err := t.Store.ReadReceipt(t.Name)
	if err != nil {
		return err
	}
	if receipt == nil {
		return cli.Hinted(cli.Failf(cli.ExitNotFound, "no run on session %q has left a receipt", t.Name), "`onward run AGENT 'the task' --gate COMMAND` leaves one at its end")
	}
	now, err := presentFiles(a, t, receipt)
	if err != nil {
		return err
	}
	if a.JSON {
		a.write(output.ProofJSON(t.Name, receipt, &now))
		return nil
	}
	a.print(output.ProofText(t.Name, receipt, run.Since(receipt, now), a.style(), t.Now.Time()))
	return nil
}

// presentFiles returns what is known of the files of a list's project now, and of its gate on them.
func presentFiles(a *app, t find.List, receipt *session.Receipt) (now run.Present, err error) {
	doc, err := t.Store.Load(t.Name)
	if err != nil {
		return now, err
	}
	set, err := t.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return now, err
	}
	if receipt != nil && set.Gate == "" { // it came with the run's command
		set.Gate = receipt.Gate
	}
	if now.Gate = set.Gate; set.GateElsewhere != "" {
		now.NoTree = "they are in " + set.GateElsewhere
		return now, nil
	}
	state, noTree := checkoutState(trees(t), set.GateDir)
	if now.Tree, now.NoTree = session.TreeOf(state), noTree; state == "" || receipt == nil {
		return now, nil
	}
	if receipt.End.Tree != "" && receipt.End.Tree != now.Tree {
		now.Changed = changedLines(trees(t), set.GateDir, receipt.End.Tree, now.Tree)
	}
	of, err := find.Project(set.GateDir)
	if err != nil {
		return now, err
	}
	at, err := a.Clock() // the gate may have run since this command began
	if err != nil {
		return now, err
	}
	last, flaky := session.ReadResults(t.Storage.Local, of).On(set.Gate, now.Tree, at)
	now.Known, now.Flaky = last != nil && last.Code == 0, flaky
	return now, nil
}

// evidence returns what git knows of the files before the work and at its end.
func (r *runner) evidence(dir, start, commit, end string) (before, after session.Files, changed session.Changed) {
	trees := trees(r.t, r.own()...)
	before, after = filesOf(trees, dir, start, commit), filesOf(trees, dir, end, "HEAD")
	if start != "" && end != "" {
		changed = changedLines(trees, dir, before.Tree, after.Tree)
	}
	return before, after, changed
}

// proof writes the receipt of the run.
func (r *runner) proof() error {
	if r.Proof == "" {
		return nil
	}
	receipt := r.night.Receipt
	if receipt == nil {
		r.note("no receipt was written: the run was cut off")
		return nil
	}
	err := writeFile(r.Proof, output.ProofJSON(r.t.Name, receipt, nil), true)
	if err != nil {
		return err
	}
	r.note(fmt.Sprintf("wrote the receipt to %q", r.Proof))
	if receipt.End.Tree != "" {
		without, _ := checkoutState(trees(r.t, r.own()...), ".")
		if with, _ := checkoutState(trees(r.t, r.Log, r.Report), "."); with != without {
			r.note(fmt.Sprintf("%q is a file of the checkout, which has changed by it: add it to .gitignore, or write it elsewhere", r.Proof))
		}
	}
	return nil
}
