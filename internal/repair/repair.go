// Package repair finds what is wrong with the documents of a session, and repairs them in their order.
package repair

import (
	"errors"
	"fmt"

	"onward/internal/policy"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Stores are where the documents are.
type Stores struct {
	Lists *session.Store
	Calls *schedule.Store
	Rules policy.Store
}

// Found is what was wrong with a session.
type Found struct {
	Name   session.Name
	Remedy store.Remedy // that was used
	List   session.Diagnosis
	Calls  store.Diagnosis
	Rules  error // why the file of rules is missing; nil where it is there, or never was
	Forgot bool  // that there are no rules is accepted
}

// Sound reports that nothing was wrong.
func (f *Found) Sound() bool {
	return f.List.Problem == nil && f.Calls.Problem == nil && f.Rules == nil
}

// Changed reports that something was repaired or accepted.
func (f *Found) Changed() bool {
	return f.Remedy != store.Examine && (f.List.Problem != nil || f.Calls.Problem != nil) || f.Forgot
}

// Remains reports that something is still wrong.
func (f *Found) Remains() bool {
	return !f.Sound() && f.Remedy == store.Examine || f.Rules != nil && !f.Forgot
}

// Session looks at the list of a session, then at its tool calls, then at the user's rules, and repairs them.
// Rules are only accepted as missing, for there is no earlier state of them. After a repair, an error
// about what comes later is store.ErrNotDurable, for what was repaired is in place.
func (s Stores) Session(name session.Name, remedy store.Remedy, now todo.Time) (f Found, err error) {
	f = Found{Name: name, Remedy: remedy}
	if f.List, err = s.Lists.Repair(name, remedy, now); err != nil {
		return f, err
	}
	repaired := f.Changed()
	if f.Calls, err = s.Calls.Repair(name, remedy, now); err != nil {
		if repaired {
			err = fmt.Errorf("%w: the list is repaired, its tool calls are not: %w", store.ErrNotDurable, err)
		}
		return f, err
	}
	f.Rules = s.Rules.Lost()
	gone := errors.Is(f.Rules, store.ErrGone)
	if f.Changed() && f.Rules != nil && !gone {
		return f, fmt.Errorf("%w: the session is repaired, whether the rules are there is not known: %w", store.ErrNotDurable, f.Rules)
	}
	if gone && remedy == store.Accept {
		f.Forgot, err = true, s.Rules.Forget()
	}
	return f, err
}
