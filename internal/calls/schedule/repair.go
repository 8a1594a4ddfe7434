package schedule

import (
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Repair looks at a schedule, and repairs it if it is damaged. Its error is one that no remedy can fix.
// To restore removes the schedule after a copy was kept, so that the session has no calls and no messages. There is no
// history to bring them back from: a call that may have run must not come to be one that has not. To accept makes a
// schedule valid whose only problem is its checksum. While a process runs the calls, the error is store.ErrBusy.
func (s *Store) Repair(name session.Name, remedy store.Remedy, now todo.Time) (d store.Diagnosis, err error) {
	if err := session.CheckName(name); err != nil {
		return d, err
	}
	calls, text := s.of(name, now), name.String()
	if d, err = calls.Repair(text, store.Examine, nil, nil); d.Problem == nil || err != nil || remedy == store.Examine {
		return d, err
	}
	run, err := s.Begin(name)
	if err != nil {
		return d, err
	}
	defer run.End()
	removed := func(store.Value) (store.Write, error) { return store.Write{Delete: true}, nil }
	return calls.Repair(text, remedy, removed, func(*Document) Change { return Change{What: "accepted an edit by hand"} })
}
