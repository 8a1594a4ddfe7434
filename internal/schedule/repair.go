package schedule

import (
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Diagnosis is what repair found.
type Diagnosis = store.Diagnosis

// Diagnose looks at a schedule and writes nothing. Its error is one that repair cannot fix.
func (s *Store) Diagnose(name session.Name) (Diagnosis, error) {
	if err := session.CheckName(name); err != nil {
		return Diagnosis{}, err
	}
	return s.of(name, 0).Diagnose(name.String())
}

// Repair removes a damaged schedule after it has kept a copy, so that the session has no calls and
// no messages. There is no history to bring them back from: a call that may have run must not come
// to be one that has not. While a process runs the calls nothing is done, and the error is
// store.ErrBusy.
func (s *Store) Repair(name session.Name) (Diagnosis, error) {
	return s.mend(name, func() (Diagnosis, error) {
		return s.of(name, 0).Repair(name.String(), func() (store.Write, error) { return store.Write{Delete: true}, nil })
	})
}

// Accept makes a schedule valid that was edited by hand: one that is sound but for its checksum.
// While a process runs the calls nothing is done, and the error is store.ErrBusy.
func (s *Store) Accept(name session.Name, now todo.Time) (Diagnosis, error) {
	return s.mend(name, func() (Diagnosis, error) {
		return s.of(name, now).Accept(name.String(), func(*Document) Change { return Change{What: "accepted an edit by hand"} })
	})
}

// mend examines a schedule, and repairs it if it is damaged and no process runs its calls.
func (s *Store) mend(name session.Name, how func() (Diagnosis, error)) (Diagnosis, error) {
	d, err := s.Diagnose(name)
	if d.Problem == nil || err != nil {
		return d, err
	}
	run, err := s.Begin(name)
	if err != nil {
		return d, err
	}
	defer run.End()
	return how()
}
