package continuation

import (
	"slices"

	"onward/internal/session"
	"onward/internal/todo"
)

// maxLost is how many lost items are remembered one by one.
const maxLost = 100

// recordLost records the open items that are missing from an agent's write, and those that it has and that cannot be kept, such as
// one with a status that nobody knows. Those that the agent deletes by name are recorded apart. It forgets those that the agent
// brings back, with any status. For each item of the new list, from is the index of the saved item that it continues, or -1.
func (a *transition) recordLost(saved, items []todo.Item, from []int) {
	lost, deleted := withoutPresent(a.led.Dropped, items), withoutPresent(a.led.Deleted, items)
	if a.event.By == "" {
		kept := make([]bool, len(saved))
		for i, at := range from {
			if at >= 0 {
				kept[at] = true
			}
			if wentMissing(saved, items, from, i) {
				a.enterLost(&lost, &items[i])
			}
		}
		for i := range saved {
			it := &saved[i]
			missing := it.IsLost()
			switch {
			case kept[i], !missing && !it.Status.Open():
			case a.event.Deletes:
				a.enterLost(&deleted, it)
				fallthrough
			case a.event.Removes:
				lost.Items = slices.DeleteFunc(lost.Items, func(l session.LostItem) bool { return l.ID == it.ID })
			case !missing:
				a.enterLost(&lost, it)
			}
		}
		for _, text := range a.event.LeftOut {
			a.enterLost(&lost, &todo.Item{Content: text})
		}
	}
	a.led.Dropped, a.led.Deleted = nilIfEmpty(&lost), nilIfEmpty(&deleted)
	a.updateCancelled(saved, items, from)
}

// updateCancelled records the open items that the agent cancels, and new ones that it cancels at once. It forgets those that are not
// cancelled any more.
func (a *transition) updateCancelled(saved, items []todo.Item, from []int) {
	var was, is session.Dropped
	if a.led.Cancelled != nil {
		was = *a.led.Cancelled
	}
	known := make(map[string]bool, len(was.Items))
	for _, l := range was.Items {
		known[l.ID] = true
	}
	is.At = was.At
	for i := range items {
		it := &items[i]
		if it.Status != todo.Cancelled || it.IsLost() {
			continue
		}
		fresh := a.event.By == "" && from != nil && (from[i] < 0 || saved[from[i]].Status.Open())
		if !fresh && !known[it.ID] {
			continue
		}
		if !known[it.ID] {
			is.At = a.now
		}
		if len(is.Items) == maxLost {
			is.More++
			continue
		}
		is.Items = append(is.Items, session.LostItem{ID: it.ID, Content: session.ShortText(it.Content)})
	}
	a.led.Cancelled = nilIfEmpty(&is)
}

// BeginRun lets a run count from its beginning what its agent deletes and cancels.
func BeginRun(doc *session.Document) { doc.Continuation.Deleted, doc.Continuation.Cancelled = nil, nil }

// withoutPresent returns a copy of what was taken off a list, without the items that the list has now.
func withoutPresent(d *session.Dropped, items []todo.Item) session.Dropped {
	if d == nil {
		return session.Dropped{}
	}
	left := *d
	left.Items = slices.DeleteFunc(slices.Clone(d.Items), func(l session.LostItem) bool {
		return slices.ContainsFunc(items, func(it todo.Item) bool { return isLost(&l, &it) && !it.IsLost() })
	})
	return left
}

// nilIfEmpty returns what was taken off a list, or nil if that is nothing.
func nilIfEmpty(d *session.Dropped) *session.Dropped {
	if len(d.Items) == 0 {
		return nil
	}
	return d
}

// enterLost adds an item to those that were taken off a list, unless it is one of them.
func (a *transition) enterLost(d *session.Dropped, it *todo.Item) {
	if slices.ContainsFunc(d.Items, func(l session.LostItem) bool { return isLost(&l, it) }) {
		return
	}
	d.At, d.Told = a.now, a.askedAboutLost()
	if len(d.Items) == maxLost {
		d.More++
		return
	}
	d.Items = append(d.Items, session.LostItem{ID: it.ID, Content: session.ShortText(it.Content)})
}

// askedAboutLost reports whether the agent works on a prompt that asked after what its list lost. It is asked once: a list that loses items
// again then, such as one that a host cannot keep, needs the user.
func (a *transition) askedAboutLost() bool {
	last := a.led.Last
	return last != nil && Tier(last.Tier) == TierDropped
}

// forgetLost ends that items are lost, and that the agent was asked about them.
func forgetLost(l *session.Ledger) {
	l.Dropped = nil
	if l.Last != nil && Tier(l.Last.Tier) == TierDropped {
		last := *l.Last
		last.Tier, l.Last = "", &last
	}
}

// askAgain keeps items lost that were so before the user spoke to a run: its agent is asked about them once more.
func askAgain(l *session.Ledger, was *session.Dropped) {
	if was != nil {
		again := *was
		again.Told, l.Dropped = false, &again
	}
}

// losesMore reports whether a list leaves out an item that is not known to be lost.
func (a *transition) losesMore() bool {
	return slices.ContainsFunc(a.event.LeftOut, func(text string) bool {
		it := todo.Item{Content: text}
		return a.led.Dropped == nil || !slices.ContainsFunc(a.led.Dropped.Items, func(l session.LostItem) bool { return isLost(&l, &it) })
	})
}

// allMissing reports whether a list has nothing but items that are missing from the agent's own: it is as good as empty.
func allMissing(items []todo.Item) bool {
	return len(items) > 0 && !slices.ContainsFunc(items, func(it todo.Item) bool { return !it.IsLost() })
}

// isLost reports whether an item is among the lost ones. Texts are compared, since agents write an item again with a new id.
func isLost(l *session.LostItem, it *todo.Item) bool {
	return l.ID != "" && l.ID == it.ID || l.Content == session.ShortText(it.Content)
}
