// Package repair finds damage in the documents of a session, and repairs them in a fixed order.
package repair

import (
	"errors"
	"fmt"
	"time"

	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Calls is the store of the sessions' tool calls.
type Calls interface {
	Repair(name session.Name, remedy store.Remedy, now todo.Time) (store.Diagnosis, error)
	OperationLog() store.OperationLog
}

// Rules is the user's rules on tool calls. No earlier state of them is kept that could be restored.
type Rules interface {
	Lost() error       // why they are missing; nil if they exist, or never did
	AcceptLoss() error // accepts that they are missing

	// RepairOperations repairs the document that has the operations on the rules.
	RepairOperations(remedy store.Remedy, now time.Time) (problem, err error)
}

// Stores has the places of the documents.
type Stores struct {
	Lists *session.Store
	Calls Calls
	Rules Rules

	Project *session.Project // whose settings are examined too; may be nil
}

// Found reports the damage of a session, and what was done about it.
type Found struct {
	Name       session.Name
	Remedy     store.Remedy // what Session was asked to do
	List       session.Diagnosis
	Calls      store.Diagnosis
	Run        store.Diagnosis // of the record of its run
	Receipt    store.Diagnosis // of its last run
	Settings   store.Diagnosis // of the project
	Operations []error         // why it is not known which operations were applied
	Rules      error           // why the file of rules is missing; nil if it exists, or never did
	Forgot     bool            // it was accepted that the rules are missing
}

// Intact reports whether nothing was wrong.
func (f *Found) Intact() bool {
	return f.List.Problem == nil && f.Calls.Problem == nil && f.Run.Problem == nil && f.Receipt.Problem == nil && f.Settings.Problem == nil && f.Operations == nil && f.Rules == nil
}

// Act names what a remedy would do, for a message to whoever may not do it. Settings are reset, and a gate may be among them.
func (f *Found) Act(remedy store.Remedy) string {
	switch {
	case remedy == store.Accept:
		return "accept a file that was edited by hand"
	case f.Settings.Problem != nil:
		return "accept that the project has no settings"
	}
	return "restore a file"
}

// Changed reports whether something was repaired or accepted.
func (f *Found) Changed() bool {
	repaired := f.Remedy != store.Examine && (f.List.Problem != nil || f.Calls.Problem != nil || f.Run.Problem != nil || f.Receipt.Problem != nil || f.Settings.Problem != nil)
	return repaired || f.Remedy == store.Restore && f.Operations != nil || f.Forgot
}

// Remains reports whether something is still wrong.
func (f *Found) Remains() bool {
	return !f.Intact() && f.Remedy == store.Examine || f.Operations != nil && f.Remedy != store.Restore || f.Rules != nil && !f.Forgot
}

// Session examines and repairs the list of a session, then its tool calls, the record of its run and the receipt
// of the last one, the settings of its project, the logged operations, and the user's rules. Missing rules can only be accepted. If a later document cannot be
// repaired, the error is store.ErrNotDurable, because the repair of the earlier ones is in place.
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
	repaired = f.Changed()
	if f.Run, err = s.Lists.RepairRun(name, remedy); err != nil {
		if repaired {
			err = fmt.Errorf("%w: the list and its tool calls are repaired, the record of its run is not: %w", store.ErrNotDurable, err)
		}
		return f, err
	}
	repaired = f.Changed()
	if f.Receipt, err = s.Lists.RepairReceipt(name, remedy); err != nil {
		if repaired {
			err = fmt.Errorf("%w: the session is repaired, the receipt of its last run is not: %w", store.ErrNotDurable, err)
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
	repairOperations := func(m store.OperationLog) func(store.Remedy, time.Time) (problem, err error) {
		return func(remedy store.Remedy, at time.Time) (problem, err error) {
			return m.Repair(name.String(), remedy, at)
		}
	}
	for _, repairOperations := range []func(store.Remedy, time.Time) (problem, err error){
		repairOperations(s.Lists.OperationLog()), repairOperations(s.Calls.OperationLog()), s.Rules.RepairOperations,
		func(remedy store.Remedy, at time.Time) (problem, err error) {
			return s.Lists.RepairDeletions(remedy, todo.TimeOf(at))
		},
	} {
		problem, err := repairOperations(remedy, now.Time())
		if problem != nil {
			f.Operations = append(f.Operations, problem)
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
		f.Forgot, err = true, s.Rules.AcceptLoss()
	}
	return f, err
}
