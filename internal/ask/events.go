package ask

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

// ApplyEvents applies the events that a caller reports to a list, in one commit. Of several signs
// of life only the last one is recorded.
func ApplyEvents(events []continuation.Event, now todo.Time, touch func(func(*session.Activity)) error, update func(func(*session.Document) (session.Change, error)) (session.Commit, error)) (session.Commit, error) {
	for _, e := range slices.Backward(events) {
		if e.IsActivity() {
			if err := touch(session.Saw(string(e.Type), now)); err != nil {
				return session.Commit{}, err
			}
			break
		}
	}
	changing := continuation.Changing(events)
	if len(changing) == 0 {
		return session.Commit{}, nil
	}
	return update(func(doc *session.Document) (session.Change, error) {
		return continuation.ApplyAll(doc, changing, doc.Rev == 0, nil, now)
	})
}

// WithCalls adds the facts of the schedule to those of the caller: messages that wait for the agent, calls that await
// approval, and calls that a live process runs. Calls without a runner are only counted: they block nothing.
func WithCalls(calls *schedule.Store, name session.Name, facts continuation.Facts) (with continuation.Facts, idle int, err error) {
	standing, err := calls.Standing(name)
	if n := standing.Messages; n > 0 {
		if facts.QueuedMessages != nil {
			n += *facts.QueuedMessages
		}
		facts.QueuedMessages = &n
	}
	facts.Awaiting = standing.Awaiting
	if !standing.Running {
		return facts, standing.Pending, err
	}
	facts.Running = standing.Pending
	return facts, 0, err
}
