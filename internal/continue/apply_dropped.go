package continuation

import (
	"slices"

	"onward/internal/session"
	"onward/internal/todo"
)

// maxLost is how many lost items are remembered one by one.
const maxLost = 100

// lose records the open items that are missing from an agent's write, and those that it has and that cannot be kept, such as
// one with a status that nobody knows. It forgets those that the agent brings back, with any status. For each item of the new
// list, from is the index of the saved item that it continues, or -1.
func (a *transition) lose(saved, items []todo.Item, from []int) {
	var d session.Dropped
	if was := a.led.Dropped; was != nil {
		d = *was
		d.Items = slices.DeleteFunc(slices.Clone(was.Items), func(l session.Lost) bool {
			return slices.ContainsFunc(items, func(it todo.Item) bool { return isLost(&l, &it) })
		})
	}
	if a.event.By == "" && !a.event.Removes {
		kept := make([]bool, len(saved))
		for _, at := range from {
			if at >= 0 {
				kept[at] = true
			}
		}
		for i := range saved {
			if it := &saved[i]; it.Status.Open() && !kept[i] {
				a.lost(&d, it)
			}
		}
	}
	if a.event.By == "" {
		for _, text := range a.event.LeftOut {
			a.lost(&d, &todo.Item{Content: text})
		}
	}
	if a.led.Dropped = nil; len(d.Items) > 0 {
		a.led.Dropped = &d
	}
}

// lost adds an item to those that are lost, unless it is one of them.
func (a *transition) lost(d *session.Dropped, it *todo.Item) {
	if slices.ContainsFunc(d.Items, func(l session.Lost) bool { return isLost(&l, it) }) {
		return
	}
	d.At, d.Told = a.now, false
	if len(d.Items) == maxLost {
		d.More++
		return
	}
	d.Items = append(d.Items, session.Lost{ID: it.ID, Content: session.Short(it.Content)})
}

// losesMore reports whether a list leaves out an item that is not known to be lost.
func (a *transition) losesMore() bool {
	return slices.ContainsFunc(a.event.LeftOut, func(text string) bool {
		it := todo.Item{Content: text}
		return a.led.Dropped == nil || !slices.ContainsFunc(a.led.Dropped.Items, func(l session.Lost) bool { return isLost(&l, &it) })
	})
}

// isLost reports whether an item is among the lost ones. Texts are compared, since agents write an item again with a new id.
func isLost(l *session.Lost, it *todo.Item) bool {
	return l.ID != "" && l.ID == it.ID || l.Content == session.Short(it.Content)
}
