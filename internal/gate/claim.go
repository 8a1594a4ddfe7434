package gate

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/session"
	"onward/internal/todo"
)

// PrepareWorkerToClaim prepares a worker that is about to claim items of a list: it adds how long the claims last, and the state of the checkout
// in which the work begins. Git is asked for that only if a gate will judge the work: an item's own, or that of a list of which nothing
// was begun before. Such a list begins now, unless it belongs to an agent's window, where it began with a prompt.
func PrepareWorkerToClaim(t find.List, w *todo.Worker, doc *session.Document, at ...int) error {
	set, err := t.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return err
	}
	w.Lease = set.ClaimLease
	items := doc.Current()
	ofList := set.Gate != "" && set.GateElsewhere == "" && doc.Owner == nil && !todo.AnyBegun(items)
	if ofItem := slices.ContainsFunc(at, func(i int) bool { return i >= 0 && w.Begins(&items[i]) }); ofItem {
		set.GateFrom, set.GateElsewhere = continuation.FromItem, ""
		err = t.SetGateFolder(&set, doc)
	} else if !ofList {
		return nil
	}
	if err != nil || set.GateElsewhere != "" {
		return err
	}
	w.Start, _ = NewCheckoutReader(t).State(set)
	if ofList {
		err = t.Store.UpdateActivity(t.Name, func(a *session.Activity) { a.Start = w.Start })
	}
	return err
}

// ClaimNext claims the item of a list that is ready for a worker. Nothing is changed if none is, unless the command is a retry, which
// may have claimed one before.
func ClaimNext(t find.List, w todo.Worker, doc *session.Document, retry bool, by string, update Update) (next continuation.NextItem, err error) {
	if err := w.CheckOtherHost(doc.Todos.Items, t.Now); err != nil {
		return next, err
	}
	if next = continuation.FindNext(doc, w, t.Now); next.Ready.Item < 0 && !retry {
		return next, nil
	}
	if err := PrepareWorkerToClaim(t, &w, doc, next.Ready.Item); err != nil {
		return next, err
	}
	if c := t.Conversation; c.Process != nil && w.Name == c.Worker().Name {
		w.Process = c.Process(nil)
	}
	commit, err := update(t, func(doc *session.Document) (session.Change, error) { return next.Claim(doc, w, by, t.Now) })
	if err != nil {
		return next, err
	}
	return next, next.Committed(commit)
}

// PrepareWorkerToStart prepares a worker that claims what it starts, if this status starts work and the list is there. What it may not claim is
// told by the change.
func PrepareWorkerToStart(t find.List, w *todo.Worker, ranges []todo.Range, status todo.Status) error {
	if !w.Claims || !status.Works() {
		return nil
	}
	doc, err := t.Store.Load(t.Name)
	if err != nil || doc == nil {
		return err
	}
	gated, err := todo.ItemsWithGate(doc.Current(), ranges, *w, t.Now)
	if err != nil {
		return nil
	}
	return PrepareWorkerToClaim(t, w, doc, gated...)
}
