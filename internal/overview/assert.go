package overview

import (
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

// Assertion is what must hold for a list.
type Assertion struct {
	Unfinished   []todo.Status // the statuses that count as open
	NoGate       bool          // no gate runs
	AlwaysGate   bool          // the gate runs also while an item is open, and that there is none is an error
	RequireList  bool          // there must be a list, unless a gate is set
	RequireProof bool          // the files must be proven
}

// Check returns what holds of an assertion. Nothing of it is saved.
func (q Assertion) Check(g *gate.Runner, doc *session.Document) (is output.Assertion, err error) {
	is = output.Assertion{Name: g.Name, Items: doc.Current(), Lost: doc.Ledger().Dropped, RequireProof: q.RequireProof}
	is.Open = todo.Select(is.Items, q.Unfinished)
	if !q.NoGate {
		if is.Open, is.Broken, err = g.StillUnproven(doc, is.Open); err != nil {
			return is, err
		}
	}
	if err = q.prove(g, doc, &is); err != nil {
		return is, err
	}
	if q.RequireProof {
		if is.Lacks, err = whyUnproven(g); err != nil {
			return is, err
		}
		if is.Lacks == "" && is.Differs == "" { // the gate may have come with the run, so that none ran now
			set, err := g.Settings(find.ReadConfig(), nil, doc)
			if err != nil {
				return is, err
			}
			is.Differs = gate.DiffersFromCommit(set)
		}
	}
	of := find.ConfiguredList{List: g.List}
	if is.Removed, err = of.Removed(doc); err != nil {
		return is, err
	}
	is.Missing = is.Removed || q.RequireList && is.NoList(doc)
	return is, nil
}

func whyUnproven(g *gate.Runner) (string, error) {
	last, err := g.Store.ReadRun(g.Name)
	if err != nil {
		return "", err
	}
	receipt, err := g.Store.ReadReceipt(g.Name)
	if err != nil {
		return "", err
	}
	now, err := gate.ReadPresentFiles(g.List, receipt, g.Clock)
	return run.WhyUnproven(last, receipt, now), err
}

// prove runs the gate of a finished list. If an item is open, or a gate runs this command, it runs only if the user asks for it.
func (q Assertion) prove(g *gate.Runner, doc *session.Document, is *output.Assertion) error {
	finished := len(is.Open) == 0 && is.Lost == nil
	if q.NoGate || !q.AlwaysGate && (!finished || supervise.UnderGate()) {
		return nil
	}
	set, err := g.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return err
	}
	if is.LostGate = continuation.LostGate(doc, set); is.LostGate != "" {
		return nil // the one that is in force now, if there is one, proves nothing
	}
	switch {
	case set.Gate == "" && !q.AlwaysGate:
		return nil
	case set.Gate == "":
		return cli.WithHint(cli.Failf(cli.ExitConfig, "no gate is set for session %q", g.Name), "`onward set gate 'go test ./...'` sets one")
	}
	if is.Gate, err = g.ProveNow(set); err == nil && is.Gate.Passed() {
		is.Differs = gate.DiffersFromCommit(set)
	}
	return err
}
