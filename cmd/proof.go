package cmd

import (
	"fmt"

	"onward/internal/cli"
	"onward/internal/gate"
	"onward/internal/output"
	"onward/internal/run"
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
	last, err := t.Store.ReadRun(t.Name)
	if err != nil {
		return err
	}
	if receipt == nil && last.IsUnended() {
		return cli.WithHint(cli.Failf(cli.ExitNotFound, "the run on session %q has not ended, and leaves a receipt at its end", t.Name), "`onward report` shows how far it is")
	}
	if receipt == nil {
		return cli.WithHint(cli.Failf(cli.ExitNotFound, "no run on session %q has left a receipt", t.Name), "a run leaves one at its end: for example `onward run "+programNames()[0]+" 'the task' --gate 'make test'`")
	}
	now, err := gate.ReadPresentFiles(t, receipt, a.Clock)
	if err != nil {
		return err
	}
	if a.JSON {
		a.write(output.ProofJSON(t.Name, receipt, &now, last.IsUnended()))
		return nil
	}
	a.print(output.ProofText(t.Name, receipt, run.ChangesSince(receipt, now), last.IsUnended(), a.style(), t.Now.Time()))
	return nil
}

// writeReceipt writes the receipt of the run.
func (r *runner) writeReceipt() error {
	if r.Proof == "" {
		return nil
	}
	receipt := r.night.Receipt
	if receipt == nil {
		r.note("no receipt was written: the run was cut off")
		return nil
	}
	err := writeFile(r.Proof, output.ProofJSON(r.t.Name, receipt, nil, false), true)
	if err != nil {
		return err
	}
	r.note(fmt.Sprintf("wrote the receipt to %q", r.Proof))
	if receipt.End.Tree != "" && gate.ChangesCheckout(r.t, r.Proof, r.Log, r.Report) {
		r.note(fmt.Sprintf("%q is a file of the checkout, which has changed by it: add it to .gitignore, or write it elsewhere", r.Proof))
	}
	return nil
}
