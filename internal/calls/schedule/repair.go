package schedule

import (
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Repair examines a schedule, and repairs it if it is damaged. It returns an error if no remedy helps.
// The remedy restore keeps a copy and removes the schedule, so that the session has no calls and no messages. An earlier
// state is not brought back, because calls that have run since would run again. The remedy accept makes a schedule valid
// whose only problem is its checksum. While a process runs the calls, the error is store.ErrBusy.
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
