package claude

import (
	"slices"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// change is a change of a list, with what the list was before.
// Claude Code can withdraw a message after it was printed (the model refused and another one takes over),
// and a change that the message made is then undone.
type change struct {
	uuid   string // of the line with the call; empty if no call made it
	sub    string
	parent string
	tasks  bool
	before []todo.Item
}

// maxChanges is how many changes can be undone. What is withdrawn is the message at the end of the stream.
const maxChanges = 32

func (s *Session) remember(c change) {
	if len(s.changes) == maxChanges {
		s.changes = slices.Delete(s.changes, 0, 1)
	}
	s.changes = append(s.changes, c)
}

// retract drops the calls of withdrawn messages and undoes their changes, the last one first.
// A change that another one followed stays, since a later list replaced it anyway or was built on it.
func (s *Session) retract(uuids []string, at todo.Time) {
	s.ForgetCalls(func(c *stream.AwaitedTodoCall) bool { return slices.Contains(uuids, c.UUID) }, func(*stream.AwaitedTodoCall) {})

	var undone []change
	for n := len(s.changes); n > 0 && slices.Contains(uuids, s.changes[n-1].uuid); n-- {
		undone = append(undone, s.changes[n-1])
		s.changes = s.changes[:n-1]
	}
	for i, c := range undone {
		later := slices.ContainsFunc(undone[i+1:], func(o change) bool { return o.sub == c.sub && o.tasks == c.tasks })
		switch {
		case later: // an earlier state of the same list follows
		case c.tasks:
			s.tasks.Items = c.before
			s.emitTasks(stream.Update{At: at})
		default:
			s.lists[c.sub] = c.before
			s.EmitList(stream.Update{Event: continuation.Event{Removes: true}, SubAgent: c.sub, Parent: c.parent, At: at}, c.before)
		}
	}
}
