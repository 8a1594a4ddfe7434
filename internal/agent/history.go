package agent

import (
	"slices"

	"onward/internal/todo"
)

// history is a session's list, with what it was before its last changes, for agents whose user can take turns back.
type history struct {
	list    []todo.Item
	changes []change
	held    int // bytes that they keep, about
}

// change is what lists were before one change.
type change struct {
	at     int // ordinal of the turn or of the message that made it
	before []todo.Item
	tasks  []todo.Item // of a task tracker
}

// weight is the memory that a change keeps, about.
func (c *change) weight() int { return weight(c.before) + weight(c.tasks) }

// set changes the list, before that is reported. Of several changes with one ordinal, each of which follows
// the one before, the first counts.
func (h *history) set(items []todo.Item, c change) {
	c.before, h.list = h.list, items
	h.changes = append(h.changes, c)
	h.held += c.weight()
	for len(h.changes) > maxWaiting || h.held > maxHeld {
		h.held -= h.changes[0].weight()
		h.changes = slices.Delete(h.changes, 0, 1)
	}
}

// back undoes the changes after an ordinal. It returns the first of them, or false if there is none.
func (h *history) back(to int) (first change, ok bool) {
	for n := len(h.changes) - 1; n >= 0 && h.changes[n].at > to; n-- {
		first, ok = h.changes[n], true
		h.list = first.before
		h.held -= first.weight()
		h.changes = h.changes[:n]
	}
	return first, ok
}
