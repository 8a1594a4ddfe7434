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
	Address string // as a user names it
}

// Outputs keeps what calls have printed.
type Outputs interface {
	Read(name string) ([]byte, error) // nil if there is none
	Write(session session.Name, name string, data []byte) error
	Remove(names []string)
}

// Transfer is how sessions are copied.
type Transfer struct {
	From, To Side
	Move     bool // what was copied is marked as moved, so that it is not used any more
	Replace  bool // a target that moved on is lost
	DryRun   bool // nothing is written
	Now      todo.Time

	left int // see Left
}

// Left returns how many calls of the last list a copy has left at the source, because they may yet run there.
func (t *Transfer) Left() int { return t.left }

// Result is what became of a list.
type Result string

// The results.
const (
	Copied    Result = "copied"
	Moved     Result = "moved"
	Unchanged Result = "unchanged" // the target has it already
)

// errAgain means that a document changed between the read and the write.
var errAgain = errors.New("it was changed meanwhile")

// attempts is how often the copy of a list that changes meanwhile is tried.
const attempts = 5

// List copies one list. It is refused while its calls run, and where the target moved on: the last operation there
// is none that the source knows.
func (t *Transfer) List(name session.Name) (did Result, err error) {
	t.left = 0
	for range attempts {
		if did, err = t.list(name); !errors.Is(err, errAgain) {
			break
		}
	}
	if err != nil {
		return "", fmt.Errorf("copy session %q: %w", name, settled(err))
	}
	return did, nil
}

// settled is an error after the last attempt.
func settled(err error) error {
	if errors.Is(err, errAgain) {
		return store.Problem(store.ErrBusy, "%v", err)
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
	if doc.Moved != "" {
		arriving, err := t.arriving(name)
		switch {
		case err != nil || !arriving:
			return Unchanged, err
		case !t.Move:
			return "", store.Problem(store.ErrMoved, "%w", store.ErrArriving)
		}
		return Moved, nil
	}
	calls, of, err := t.readCalls(name)
	if err != nil {
		return "", err
	}
	did := Unchanged
	switch {
	case t.Move: // it would be
		did = Moved
	case calls.differs() || list.differs():
		did = Copied
	}
	if t.DryRun {
		return did, nil
	}
	return did, t.send(name, &calls, of, &list)
}

// send brings what was read to the target. The list comes last: once it is there, all of it is.
func (t *Transfer) send(name session.Name, calls *part, of *schedule.Document, list *part) error {
	if err := t.From.Lists.Memory().Copy(t.To.Lists.Backend, name.String(), t.Now.Time()); err != nil {
		return err
	}
	if err := t.sendCalls(name, calls, of); err != nil {
		return err
	}
	return list.write()
}

// sendCalls brings the calls to the target, with what was remembered of them and what they have printed.
func (t *Transfer) sendCalls(name session.Name, calls *part, of *schedule.Document) error {
	if err := t.From.Calls.Memory().Copy(t.To.Calls.Backend, name.String(), t.Now.Time()); err != nil {
		return err
	}
	if err := calls.write(); err != nil {
		return err
	}
	return t.outputs(name, of)
}

// lockCalls acquires the right to run the calls on both sides, if there are any.
func (t *Transfer) lockCalls(name session.Name) (release func(), err error) {
	var runs []*schedule.Run
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
	case doc.Moved == t.To.Address && !doc.Arriving && !doc.Deleting:
		return p, doc, nil
	case doc.Moved != "" || doc.Deleting:
		return p, nil, doc.Head().Unusable()
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
	known := there == nil || there.Moved == t.From.Address || slices.Contains(doc.Ops, there.Op) ||
		slices.ContainsFunc(entries, func(e session.Entry) bool { return e.Op == there.Op })
	if err = t.meets(&p, v, known, err); err != nil {
		return p, nil, err
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
		// The changes of a run since then are in a journal beside the document.
		_, err = t.From.Calls.Update(name, "", t.Now, schedule.TakeIn)
		if err == nil {
			doc, v, err = t.From.Calls.LoadMoved(name)
		}
	}
	if err != nil {
		return p, nil, err
	}
	there, at, err := t.To.Calls.LoadMoved(name)
	// A copy has no call that may yet run: to bring it back must not take those away.
	known := there == nil || there.Moved == t.From.Address || doc != nil && (doc.Moved != "" || doc.Knows(there.Op) && !doc.Lacks(there))
	if err = t.meets(&p, at, known, err); err != nil {
		return p, nil, err
	}
	switch {
	case doc != nil && doc.Moved == "":
		p.data, err = t.outgoingCalls(doc, v.Data)
		p.changed = doc.UpdatedAt.Time()
	case there != nil && there.Moved != "" && !t.Move:
		p.clears = true // the mark that it was here before
	}
	return p, doc, err
}

// ErrMovedOn marks a target that has changes which the source does not have.
var ErrMovedOn = errors.New("the target moved on: its last change is not known here")

// meets notes what the target has. It refuses one that cannot be read, or whose last operation the source does not know,
// unless what is in the way is to be replaced.
func (t *Transfer) meets(p *part, target store.Value, known bool, err error) error {
	p.target = target.Data
	if err == nil && !known {
		err = fmt.Errorf("%w: the store %s", ErrMovedOn, t.To.Address)
	}
	p.clears = t.Replace && (errors.Is(err, ErrMovedOn) || errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrForeign))
	if p.clears {
		return nil
	}
	return err
}

// outputs copies what calls have printed. Outputs that were deleted, or are too long for the target, are not copied.
func (t *Transfer) outputs(name session.Name, doc *schedule.Document) error {
	if doc == nil || doc.Moved != "" {
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
