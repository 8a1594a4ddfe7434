package schedule

import (
	"fmt"
	"slices"

	"onward/internal/todo"
)

// CheckMessages returns a *todo.Forbidden if an agent has changed or removed a message of the user, or queued one as the user; nil
// if it has not. The messages that were sent already have served.
func CheckMessages(before, after []Message, sent []string) error {
	for i := range before {
		was := &before[i]
		if was.By != "" || slices.Contains(sent, was.Name()) {
			continue
		}
		if !slices.ContainsFunc(after, func(m Message) bool { return m.Name() == was.Name() && m.Text == was.Text && m.By == "" }) {
			return &todo.Forbidden{
				What: fmt.Sprintf("message %d is the user's: an agent may not change or take it", i+1),
				Next: fmt.Sprintf("`onward message list` shows it, and the next prompt brings it; the user can run `onward message drop %d`", i+1),
			}
		}
	}
	return nil
}
