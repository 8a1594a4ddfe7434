package todo

import (
	"fmt"
	"hash/fnv"
)

// Digest identifies the progress of a list: its items, their statuses, and those of their subtasks.
// Rewording an item does not change it.
func Digest(items []Item) string {
	var state []byte
	for i := range items {
		state = fmt.Appendf(state, "%q %s\n", items[i].ID, items[i].Status)
		for j := range items[i].Subtasks {
			s := &items[i].Subtasks[j]
			state = fmt.Appendf(state, " %q %s\n", s.ID, s.StatusOrPending())
		}
	}
	h := fnv.New64a()
	h.Write(state)
	return fmt.Sprintf("%016x", h.Sum64())
}
