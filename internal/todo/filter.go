package todo

import (
	"slices"
	"strings"
)

// Filter selects items; its zero value selects all.
type Filter struct {
	Statuses []Status // empty means any
	Match    string   // in the text or the reason, in upper or lower case
}

// ParseFilter reads a user's filter. Open means the open statuses.
func ParseFilter(open bool, statuses []string, match string) (Filter, error) {
	named, err := statusesNamed(statuses)
	if open {
		named = append(openStatuses(), named...)
	}
	return Filter{Statuses: named, Match: match}, err
}

// Select returns the indexes of the items that the filter selects, by
// themselves or by one of their subtasks.
func (f Filter) Select(items []Item) []int {
	match := strings.ToLower(f.Match)
	selects := func(s Status, texts ...string) bool {
		return (len(f.Statuses) == 0 || slices.Contains(f.Statuses, s)) &&
			(match == "" || strings.Contains(strings.ToLower(strings.Join(texts, "\n")), match))
	}
	out := make([]int, 0, len(items))
	for i := range items {
		it := &items[i]
		if selects(it.Status, it.Content, it.Reason) ||
			slices.ContainsFunc(it.Subtasks, func(t Subtask) bool { return selects(t.StatusOrPending(), t.Content) }) {
			out = append(out, i)
		}
	}
	return out
}
