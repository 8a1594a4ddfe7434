package todo

import (
	"fmt"
	"hash/fnv"
)

// Digest names what has come of a list: its items, their statuses and their subtasks'.
// Other words for the same items make no other digest.
func Digest(items []Item) string {
	h := fnv.New64a()
	for i := range items {
		fmt.Fprintf(h, "%q %s\n", items[i].ID, items[i].Status)
		for j := range items[i].Subtasks {
			s := &items[i].Subtasks[j]
			fmt.Fprintf(h, " %q %s\n", s.ID, s.StatusOrPending())
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
