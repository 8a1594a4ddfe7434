package agent

import (
	"slices"

	"onward/internal/native"
	"onward/internal/todo"
)

// chatChange is a change of the list, with what the list was before.
type chatChange struct {
	message int // ordinal of the message that made it
	before  []todo.Item
	tracker native.Tracker
}

// bytes is the memory that the change keeps, about.
func (c *chatChange) bytes() int { return keep(c.before).bytes + keep(c.tracker.Items).bytes }

func (c *geminiChat) tell(change chatChange, id string, items []todo.Item, at todo.Time) {
	c.changes = append(c.changes, change)
	c.held += change.bytes()
	for len(c.changes) > maxWaiting || c.held > maxHeld {
		c.held -= c.changes[0].bytes()
		c.changes = slices.Delete(c.changes, 0, 1)
	}
	c.list = items
	c.s.list(Update{TodoID: id, At: at}, slices.Clone(items))
}

// rewind takes back a message and all that follow it; a message that is not known takes back everything.
// The list becomes what it was before them.
func (c *geminiChat) rewind(id word) {
	c.known()
	c.settle()
	from := c.messages.cut(id)
	undone := -1
	for i := len(c.changes) - 1; i >= 0 && c.changes[i].message > from; i-- {
		undone = i
	}
	if undone < 0 {
		return
	}
	c.list, c.tracker = c.changes[undone].before, c.changes[undone].tracker
	for i := range c.changes[undone:] {
		c.held -= c.changes[undone+i].bytes()
	}
	c.changes = c.changes[:undone]
	c.s.list(Update{}, slices.Clone(c.list))
}
