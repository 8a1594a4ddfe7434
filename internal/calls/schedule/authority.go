package schedule

import (
	"cmp"
	"fmt"
	"slices"

	"onward/internal/todo"
)

// MessageAuthor returns who queues a message by a command: the agent that runs it on its own behalf, by the first of its names that is known;
// empty is the user, if a person runs it.
func MessageAuthor(by string, person bool, names ...string) string {
	if by == todo.ByUser && person {
		return ""
	}
	return cmp.Or(append(names, "agent")...)
}

// GuardUserMessages returns a change of the schedule as whoever makes it may: only a person changes the user's messages, apart from those that
// were sent already. Whether it is a person is asked only if that matters.
func GuardUserMessages(change func(*Document) (Change, error), sent []string, person func() bool) func(*Document) (Change, error) {
	return func(d *Document) (Change, error) {
		before := slices.Clone(d.Messages)
		did, err := change(d)
		if err == nil && did.What != "" {
			if err = CheckMessages(before, d.Messages, sent); err != nil && person() {
				err = nil
			}
		}
		return did, err
	}
}

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
				Next: "`onward message list` shows it, and the next prompt brings it", User: fmt.Sprintf("run `onward message drop %d`", i+1),
			}
		}
	}
	return nil
}
