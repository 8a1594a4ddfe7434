package night

import (
	"cmp"

	"onward/internal/cli"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// leaveReceipt keeps the receipt of the run. It comes before the record of the run goes, so that a kill between the two makes it again.
func (r *Runner) leaveReceipt(act run.Action) error {
	if act.Reason == run.ReasonRemoved {
		return nil // the session is gone, and its receipt with it
	}
	now, err := r.now()
	if err != nil {
		return err
	}
	doc, err := r.Store.Load()
	if err != nil {
		return err
	}
	files, code := r.result.Files(), endCode(act)
	if act.Outcome == run.Interrupted {
		code = cli.ExitInterrupted
	}
	is := session.Receipt{Code: code, Ended: now, Counts: todo.Count(doc.Current()), NoTree: files.NoTree, Version: r.Version}
	if act.Outcome == run.Done || act.Grade != "" {
		is.Checks = r.checks
	}
	if r.Item != nil {
		is.Item = r.Item.Label
	}
	if set, err := r.Store.Settings(doc); err == nil {
		end := files.After
		if act.Outcome != run.Done || set.Gate == "" { // no gate has told it, or the agent has gone on since
			if act.Outcome == run.Interrupted {
				set = set.WithShortTreeTimeout()
			}
			end, is.NoTree = r.Checkout.State(set)
		}
		is.Start, is.End, is.Changed = r.Checkout.Evidence(set, r.record.Start, r.record.StartCommit, end)
		if is.Changed.Unknown == "" && (is.Start.Tree == "" || is.End.Tree == "") {
			is.Changed.Unknown = cmp.Or(is.NoTree, "the files at the start are not known")
		}
		if was := r.record.BeforeCheck; was.Tree != "" {
			passed, _, _ := r.Checkout.Evidence(set, was.Tree, was.Commit, "")
			is.Passed = &passed
		}
	}
	r.Receipt = run.NewReceipt(is, &r.record, act)
	return r.commit(func(held store.Held) error { return session.WriteReceipt(held, r.Name, r.Receipt) })
}
