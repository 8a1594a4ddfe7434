package todo

import "slices"

// Next is the index of the item to work on:
// the first in progress, else the first pending one that waits for nothing open,
// those of a higher priority first; -1 where there is none.
func Next(items []Item) int {
	best := -1
	for i := range items {
		switch items[i].Status {
		case InProgress:
			return i
		case Pending:
			if waits(items, i) {
				continue
			}
			if best < 0 || items[i].Priority.weight() < items[best].Priority.weight() {
				best = i
			}
		}
	}
	return best
}

// waits reports whether an item stands behind another one that is open.
func waits(items []Item, i int) bool {
	for _, id := range items[i].BlockedBy {
		if ref, err := byID(items, id); err == nil && ref.Sub < 0 && items[ref.Item].Status.Open() {
			return true
		}
	}
	return false
}

// Select gives the indexes of the items with one of some statuses.
func Select(items []Item, statuses []Status) []int {
	var out []int
	for i := range items {
		if slices.Contains(statuses, items[i].Status) {
			out = append(out, i)
		}
	}
	return out
}
