package agent

import (
	"slices"

	"onward/internal/todo"
)

// chatChange is a change of the list, with what the list was before.
type chatChange struct {
	message int // ordinal of the message that made it
	before  []todo.Item
	tracker tracker
}

func (c *geminiChat) tell(change chatChange, id string, items []todo.Item, at todo.Time) {
	if len(c.changes) == maxWaiting {
		c.changes = slices.Delete(c.changes, 0, 1)
	}
	c.changes = append(c.changes, change)
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
	c.changes = c.changes[:undone]
	c.s.list(Update{}, slices.Clone(c.list))
}
