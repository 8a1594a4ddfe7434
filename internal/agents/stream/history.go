package stream

import "onward/internal/todo"

// History is a session's list, with what it was before its last changes, for agents whose user can take turns back.
type History struct {
	List    []todo.Item
	changes []Change
	held    int // roughly how many bytes they keep
}

// MaxHistory limits the memory of the changes that can be undone, in bytes, roughly.
const MaxHistory = 1 << 20

// EstimateMemory is roughly how much memory a list takes, in bytes.
func EstimateMemory(items []todo.Item) (bytes int) {
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

// weight is roughly how much memory a change keeps, in bytes.
func (c *Change) weight() int { return EstimateMemory(c.before) + EstimateMemory(c.Tasks) }

// Set changes the list, before the change is reported. Several changes may have one ordinal: undoing them restores what was
// there before the first of them.
func (h *History) Set(items []todo.Item, c Change) {
	c.before, h.List = h.List, items
	h.changes = append(h.changes, c)
	h.held += c.weight()
	for len(h.changes) > MaxWaiting || h.held > MaxHistory {
		h.held -= h.changes[0].weight()
		h.changes[0] = Change{} // its lists are free at once, its place when the slice grows
		h.changes = h.changes[1:]
	}
}

// UndoAfter undoes the changes after an ordinal. It returns the first of them, or false if there is none.
func (h *History) UndoAfter(to int) (first Change, ok bool) {
	for n := len(h.changes) - 1; n >= 0 && h.changes[n].At > to; n-- {
		first, ok = h.changes[n], true
		h.List = first.before
		h.held -= first.weight()
		h.changes = h.changes[:n]
	}
	return first, ok
}
