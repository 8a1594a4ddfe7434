package todo

import "slices"

// Next is the index of the item to work on: the first in progress; else, of the highest priority, the first open one that
// waits for no other; -1 if there is none.
func Next(items []Item) int {
	best := -1
	for i := range items {
		switch m := items[i].Status.Meaning(); {
		case items[i].ClaimedDone():
			// Only its gate is left.
		case m.Works:
			return i
		case m.Open && !m.Waits:
			if len(WaitsFor(items, i)) > 0 {
				continue
			}
			if best < 0 || items[i].Priority.weight() < items[best].Priority.weight() {
				best = i
			}
		}
	}
	return best
}

// Select returns the places of the items, and of the subtasks of these items, that have one of the statuses.
func Select(items []Item, statuses []Status) []Ref {
	var out []Ref
	for i := range items {
		if !slices.Contains(statuses, items[i].Status) {
			continue
		}
		out = append(out, Ref{i, -1})
		for j := range items[i].Subtasks {
			if slices.Contains(statuses, items[i].Subtasks[j].StatusOrPending()) {
				out = append(out, Ref{i, j})
			}
		}
	}
	return out
}
