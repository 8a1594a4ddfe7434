package stream

import (
	"slices"

	"onward/internal/todo"
)

// History is a session's list, with what it was before its last changes, for agents whose user can take turns back.
type History struct {
	List    []todo.Item
	changes []Change
	held    int // bytes that they keep, about
}

// MaxHeld is how much memory what can be taken back may take, in bytes, about.
const MaxHeld = 1 << 20

// Weight is the memory of a list, about.
func Weight(items []todo.Item) (bytes int) {
	for i := range items {
		bytes += 256 + len(items[i].Content) + len(items[i].ActiveForm)
	}
	return bytes
}

// Change is what lists were before one change.
type Change struct {
	At     int // ordinal of the turn or of the message that made it
	before []todo.Item
	Tasks  []todo.Item // of a task tracker
}

// weight is the memory that a change keeps, about.
func (c *Change) weight() int { return Weight(c.before) + Weight(c.Tasks) }

// Set changes the list, before that is reported. Of several changes with one ordinal, each of which follows
// the one before, the first counts.
func (h *History) Set(items []todo.Item, c Change) {
	c.before, h.List = h.List, items
	h.changes = append(h.changes, c)
	h.held += c.weight()
	for len(h.changes) > MaxWaiting || h.held > MaxHeld {
		h.held -= h.changes[0].weight()
		h.changes = slices.Delete(h.changes, 0, 1)
	}
}

// Back undoes the changes after an ordinal. It returns the first of them, or false if there is none.
func (h *History) Back(to int) (first Change, ok bool) {
	for n := len(h.changes) - 1; n >= 0 && h.changes[n].At > to; n-- {
		first, ok = h.changes[n], true
		h.List = first.before
		h.held -= first.weight()
		h.changes = h.changes[:n]
	}
	return first, ok
}
