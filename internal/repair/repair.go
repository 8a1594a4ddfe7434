// Package repair finds what is wrong with the documents of a session, and repairs them in their order.
package repair

import (
	"errors"
	"fmt"
	"time"

	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Calls are the tool calls of sessions.
type Calls interface {
	Repair(name session.Name, remedy store.Remedy, now todo.Time) (store.Diagnosis, error)
	Memory() store.Memory
}

// Rules are the user's rules on tool calls. They have no earlier state that they could be restored to.
type Rules interface {
	Lost() error   // why they are missing; nil where they are there, or never were
	Forget() error // accepts that there are none

	// RepairMemory repairs what is remembered of operations on them.
	RepairMemory(remedy store.Remedy, now time.Time) (problem, err error)
}

// Stores are where the documents are.
type Stores struct {
	Lists *session.Store
	Calls Calls
	Rules Rules

	Project *session.Project // whose settings are looked at too; nil is none
}

// Found is what was wrong with a session.
type Found struct {
	Name     session.Name
	Remedy   store.Remedy // that was used
	List     session.Diagnosis
	Calls    store.Diagnosis
	Settings store.Diagnosis // of the project
	Memory   []error         // why it is not known which operations were applied
	Rules    error           // why the file of rules is missing; nil where it is there, or never was
	Forgot   bool            // that there are no rules is accepted
}

// Sound reports that nothing was wrong.
func (f *Found) Sound() bool {
	return f.List.Problem == nil && f.Calls.Problem == nil && f.Settings.Problem == nil && f.Memory == nil && f.Rules == nil
}

// Changed reports that something was repaired or accepted.
func (f *Found) Changed() bool {
	repaired := f.Remedy != store.Examine && (f.List.Problem != nil || f.Calls.Problem != nil || f.Settings.Problem != nil)
	return repaired || f.Remedy == store.Restore && f.Memory != nil || f.Forgot
}

// Remains reports that something is still wrong.
func (f *Found) Remains() bool {
	return !f.Sound() && f.Remedy == store.Examine || f.Memory != nil && f.Remedy != store.Restore || f.Rules != nil && !f.Forgot
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
	if s.Project != nil {
		repaired := f.Changed()
		if f.Settings, err = s.Lists.RepairSettings(*s.Project, remedy, now); err != nil {
			if repaired {
				err = fmt.Errorf("%w: the session is repaired, the settings of its project are not: %w", store.ErrNotDurable, err)
			}
			return f, err
		}
	}
	repairMemory := func(m store.Memory) func(store.Remedy, time.Time) (problem, err error) {
		return func(remedy store.Remedy, at time.Time) (problem, err error) {
			return m.Repair(name.String(), remedy, at)
		}
	}
	for _, repairMemory := range []func(store.Remedy, time.Time) (problem, err error){
		repairMemory(s.Lists.Memory()), repairMemory(s.Calls.Memory()), s.Rules.RepairMemory,
	} {
		problem, err := repairMemory(remedy, now.Time())
		if problem != nil {
			f.Memory = append(f.Memory, problem)
		}
		if err != nil && f.Changed() {
			err = fmt.Errorf("%w: the session is repaired, what it remembers of operations is not: %w", store.ErrNotDurable, err)
		}
		if err != nil {
			return f, err
		}
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
