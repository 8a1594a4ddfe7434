package continuation

import (
	"slices"

	"onward/internal/session"
	"onward/internal/todo"
)

// maxLost is how many lost items are remembered one by one.
const maxLost = 100

// lose records the open items that are missing from an agent's write, and forgets those that it brings back, with any
// status. For each item of the new list, from is the index of the saved item that it continues, or -1.
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
			if it := &saved[i]; it.Status.Open() && !kept[i] && !slices.ContainsFunc(d.Items, func(l session.Lost) bool { return isLost(&l, it) }) {
				d.At, d.Told = a.now, false
				if len(d.Items) == maxLost {
					d.More++
					continue
				}
				d.Items = append(d.Items, session.Lost{ID: it.ID, Content: session.Short(it.Content)})
			}
		}
	}
	if a.led.Dropped = nil; len(d.Items) > 0 {
		a.led.Dropped = &d
	}
}

// isLost reports whether an item is among the lost ones. Texts are compared, since agents write an item again with a new id.
func isLost(l *session.Lost, it *todo.Item) bool {
	return l.ID == it.ID || l.Content == session.Short(it.Content)
}
