// Package transfer copies sessions from one store to another: lists with their histories, calls, messages and outputs,
// and the settings of their projects.
package transfer

import (
	"errors"
	"fmt"
	"slices"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Side is one of the two stores.
type Side struct {
	Lists   *session.Store
	Calls   *schedule.Store
	Outputs Outputs
	Address string // as the user writes it
}

// Outputs stores the output of calls.
type Outputs interface {
	Read(name string) ([]byte, error) // nil if there is none
	Write(session session.Name, name string, data []byte) error
	Remove(names []string)
}

// Transfer copies sessions from one store to another.
type Transfer struct {
	From, To Side
	Move     bool // mark the original as moved, so that it is not used any more
	Replace  bool // overwrite a target that has changes of its own
	DryRun   bool // write nothing
	Now      todo.Time

	left int // see Left
}

// CallsLeft returns how many calls the copy of the last list left at the source, because they can still run there.
func (t *Transfer) CallsLeft() int { return t.left }

// Result reports what was done with a list.
type Result string

// The results.
const (
	Copied    Result = "copied"
	Moved     Result = "moved"
	Unchanged Result = "unchanged" // the target has it already
)

// Outcome is what became of one list, or of the settings of a project.
type Outcome struct {
	Name    session.Name
	As      string // the session in the other store, if it has another name there
	Did     Result
	Err     error
	Project string // whose settings they are; empty for a list
	Left    int    // calls that may still run, which are not copied
}

// AnyChange reports whether something was copied or moved, or in a dry run would be.
func AnyChange(all []Outcome) bool {
	return slices.ContainsFunc(all, func(o Outcome) bool { return o.Err == nil && o.Did != Unchanged })
}

// errAgain means that a document changed between the read and the write.
var errAgain = errors.New("it was changed meanwhile")

// attempts is how often a copy is tried if the list changes while it is copied.
const attempts = 5

// TransferList copies one list. It returns an error while calls of the list run, or if the target has changes of its
// own, which means that the source does not know the last operation there.
func (t *Transfer) TransferList(name session.Name) (did Result, err error) {
	t.left = 0
	for range attempts {
		if did, err = t.list(name); !errors.Is(err, errAgain) {
			break
		}
	}
	if held := (*session.InRunError)(nil); errors.As(err, &held) {
		return "", err
	}
	if err != nil {
		return "", fmt.Errorf("copy session %q: %w", name, settled(err))
	}
	return did, nil
}

// settled turns errAgain into ErrBusy, after the last attempt.
func settled(err error) error {
	if errors.Is(err, errAgain) {
		return store.WrapProblem(store.ErrBusy, "%v", err)
	}
	return err
}

func (t *Transfer) list(name session.Name) (Result, error) {
	if t.Move && !t.DryRun {
		m, release, err := t.hold(name)
		if err != nil {
			return "", err
		}
		defer release()
		return m.move()
	}
	release, err := t.lockCalls(name)
	if err != nil {
		return "", err
	}
	defer release()
	list, doc, err := t.readList(name)
	if err != nil {
		return "", err
	}
	if doc.MovedTo != "" {
		arriving, err := t.arriving(name)
		switch {
		case err != nil || !arriving:
			return Unchanged, err
		case !t.Move:
			return "", store.WrapProblem(store.ErrMoved, "%w", store.ErrArriving)
		}
		return Moved, nil
	}
	calls, of, err := t.readCalls(name)
	if err != nil {
		return "", err
	}
	did := Unchanged
	switch {
	case t.Move: // a dry run, which reports what would be done
		did = Moved
	case calls.differs() || list.differs():
		did = Copied
	}
	if t.DryRun {
		return did, nil
	}
	if err := t.send(name, &calls, of, &list); err != nil {
		return "", err
	}
	return did, t.sendReceipt(name)
}

// sendReceipt copies the receipt of the last run over that in the target. One that is damaged is copied as it is, so that what
// examines the target reports it.
func (t *Transfer) sendReceipt(name session.Name) error {
	key := session.ReceiptKey(name)
	v, err := t.From.Lists.Backend.Get(key)
	if v.Data == nil || v.Deleted || err != nil && !errors.Is(err, store.ErrCorrupt) {
		return err
	}
	return t.To.Lists.Backend.Update(key, func(store.Value, error) (store.Write, error) {
		return store.Write{Data: v.Data, Now: t.Now.Time()}, nil
	})
}

// send writes what was read to the target. The list comes last, so that a target with the list has everything.
func (t *Transfer) send(name session.Name, calls *part, of *schedule.Document, list *part) error {
	if err := t.From.Lists.OperationLog().Copy(t.To.Lists.Backend, name.String(), t.Now.Time()); err != nil {
		return err
	}
	if err := t.sendCalls(name, calls, of); err != nil {
		return err
	}
	return list.write()
}

// sendCalls writes the calls to the target, with the operations that are logged and the outputs.
func (t *Transfer) sendCalls(name session.Name, calls *part, of *schedule.Document) error {
	if err := t.From.Calls.OperationLog().Copy(t.To.Calls.Backend, name.String(), t.Now.Time()); err != nil {
		return err
	}
	if err := calls.write(); err != nil {
		return err
	}
	return t.outputs(name, of)
}

// lockCalls acquires the right to run the calls in both stores, if there are any.
func (t *Transfer) lockCalls(name session.Name) (release func(), err error) {
	var runs []*schedule.RunLock
	release = func() {
		for _, run := range runs {
			run.End()
		}
	}
	for _, side := range []Side{t.From, t.To} {
		if v, err := side.Calls.Backend.Get(schedule.Key(name)); v.Data == nil && err == nil || t.DryRun {
			continue
		}
		run, err := side.Calls.BeginAtOnce(name)
		if err != nil {
			release()
			return nil, err
		}
		runs = append(runs, run)
	}
	return release, nil
}

// readList reads a list on both sides.
func (t *Transfer) readList(name session.Name) (part, *session.Document, error) {
	p := part{key: session.Key(name), to: t.To.Lists.Backend}
	doc, v, err := t.From.Lists.LoadMoved(name)
	switch {
	case err != nil:
		return p, nil, err
	case doc == nil:
		return p, nil, fmt.Errorf("%w: %q", session.ErrNoSession, name)
	case doc.MovedTo == t.To.Address && !doc.Arriving && !doc.Deleting:
		return p, doc, nil
	case doc.MovedTo != "" || doc.Deleting:
		return p, nil, doc.Head().CheckUsable()
	}
	if p.data, err = t.outgoing(doc, v.Data); err != nil {
		return p, nil, err
	}
	p.changed = doc.UpdatedAt.Time()
	log, err := lines(v)
	if err != nil {
		return p, nil, err
	}
	entries, err := doc.Entries()
	if err != nil {
		return p, nil, meanwhile(err)
	}
	there, v, err := t.To.Lists.LoadMoved(name)
	known := there == nil || there.MovedTo == t.From.Address || slices.Contains(doc.OperationIDs, there.Op) ||
		slices.ContainsFunc(entries, func(e session.Entry) bool { return e.Op == there.Op })
	if err = t.meets(&p, v, known, err); err != nil {
		return p, nil, err
	}
	if p.clears {
		if err := t.To.Lists.CheckNoWork("replace", name); err != nil {
			return p, nil, err
		}
	}
	p.lines = log
	if !p.clears {
		has, err := lines(v)
		if err != nil {
			return p, nil, err
		}
		p.lines = lacking(log, has)
	}
	return p, doc, nil
}

// readCalls reads the calls and messages of a list on both sides.
func (t *Transfer) readCalls(name session.Name) (part, *schedule.Document, error) {
	p := part{key: schedule.Key(name), to: t.To.Calls.Backend}
	doc, v, err := t.From.Calls.LoadMoved(name)
	if err == nil && doc != nil && doc.Journal > 0 && !t.DryRun {
		// What the runner has done since is in a journal next to the document, and is taken into it first.
		_, err = t.From.Calls.Update(name, "", t.Now, schedule.MergeJournal)
		if err == nil {
			doc, v, err = t.From.Calls.LoadMoved(name)
		}
	}
	if err != nil {
		return p, nil, err
	}
	there, at, err := t.To.Calls.LoadMoved(name)
	// A copy lacks the calls that can still run, so copying it back must not delete them.
	known := there == nil || there.MovedTo == t.From.Address || doc != nil && (doc.MovedTo != "" || doc.HasOperation(there.Op) && !doc.LacksOpenCalls(there))
	if err = t.meets(&p, at, known, err); err != nil {
		return p, nil, err
	}
	switch {
	case doc != nil && doc.MovedTo == "":
		p.data, err = t.outgoingCalls(doc, v.Data)
		p.changed = doc.UpdatedAt.Time()
	case there != nil && there.MovedTo != "" && !t.Move:
		p.clears = true // the target has only the mark of an earlier move
	}
	return p, doc, err
}

// ErrTargetChanged marks a target that has changes which the source does not have.
var ErrTargetChanged = errors.New("the target moved on: its last change is not known here")

// meets records what the target has. It returns an error if the target cannot be read, or has an operation that the
// source does not know, unless Replace is set.
func (t *Transfer) meets(p *part, target store.Value, known bool, err error) error {
	p.target = target.Data
	if err == nil && !known {
		err = fmt.Errorf("%w: the store %s", ErrTargetChanged, t.To.Address)
	}
	p.clears = t.Replace && (errors.Is(err, ErrTargetChanged) || errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrForeign))
	if p.clears {
		return nil
	}
	return err
}

// outputs copies the output of calls, except what was deleted or is too long for the target.
func (t *Transfer) outputs(name session.Name, doc *schedule.Document) error {
	if doc == nil || doc.MovedTo != "" {
		return nil
	}
	for _, file := range doc.Files() {
		data, err := t.From.Outputs.Read(file)
		if err == nil && data != nil {
			err = t.To.Outputs.Write(name, file, data)
		}
		if err != nil && !errors.Is(err, store.ErrLimit) {
			return err
		}
	}
	return nil
}
