package gate

import (
	"onward/internal/find"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// ReadPresentFiles returns what is known about the files of a list's project now, and of its gate on them.
func ReadPresentFiles(t find.List, receipt *session.Receipt, clock func() (todo.Time, error)) (now run.PresentFiles, err error) {
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
	checkouts := NewCheckoutReader(t)
	state, noTree := checkouts.State(set)
	if now.Tree, now.NoTree = session.TreeOf(state), noTree; state == "" || receipt == nil {
		return now, nil
	}
	if receipt.End.Tree != "" && receipt.End.Tree != now.Tree {
		now.Changed = checkouts.changedLines(set, receipt.End.Tree, now.Tree)
	}
	last, flaky, err := resultOn(t, set, state, clock)
	now.Known, now.Flaky = last != nil && last.Code == 0, flaky
	return now, err
}
