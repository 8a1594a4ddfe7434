// Package transfer copies sessions from one store to another: lists with their histories, calls, messages and outputs.
package transfer

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"onward/internal/schedule"
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
}

// Transfer is how sessions are copied.
type Transfer struct {
	From, To Side
	Move     bool // what was copied is marked as moved, so that it is not used any more
	Replace  bool // a target that moved on is lost
	DryRun   bool // nothing is written
	Now      todo.Time
}

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
	for range attempts {
		if did, err = t.list(name); !errors.Is(err, errAgain) {
			break
		}
	}
	if errors.Is(err, errAgain) {
		err = store.Problem(store.ErrBusy, "%w", err)
	}
	if err != nil {
		return "", fmt.Errorf("copy session %q: %w", name, err)
	}
	return did, nil
}

func (t *Transfer) list(name session.Name) (Result, error) {
	release, err := t.lockCalls(name)
	if err != nil {
		return "", err
	}
	defer release()
	list, doc, err := t.readList(name)
	if err != nil || doc.Moved != "" {
		return Unchanged, err
	}
	calls, of, err := t.readCalls(name)
	if err != nil {
		return "", err
	}
	did := Unchanged
	switch {
	case t.Move:
		did = Moved
	case calls.differs() || list.differs():
		did = Copied
	}
	if t.DryRun {
		return did, nil
	}
	// The list comes last: once it is there, all of it is.
	if err = calls.write(); err == nil {
		err = t.outputs(name, of)
	}
	if err == nil {
		err = list.write()
	}
	if err == nil && t.Move {
		err = t.tombstone(name, doc, of, list, calls)
	}
	return did, err
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

// part is one document on its way, with its log.
type part struct {
	key     store.Key
	to      store.Backend
	data    []byte // of the source; nil where there is nothing to copy
	changed time.Time
	lines   []byte // of the log, which the target lacks
	target  []byte // what the target has
	clears  bool   // the target's copy is removed first, with its log
}

func (p *part) differs() bool {
	if p.data == nil {
		return p.clears
	}
	return !bytes.Equal(p.data, p.target) || len(p.lines) > 0
}

// write brings the document to the target, unless the target has changed since it was read.
func (p *part) write() error {
	if !p.differs() {
		return nil
	}
	if p.clears {
		err := p.to.Update(p.key, func(store.Value, error) (store.Write, error) { return store.Write{Delete: true}, nil })
		if err != nil {
			return err
		}
		p.target, p.clears = nil, false
		if p.data == nil {
			return nil
		}
	}
	return p.to.Update(p.key, func(v store.Value, err error) (store.Write, error) {
		if err == nil && !bytes.Equal(v.Data, p.target) {
			err = errAgain
		}
		return store.Write{Data: p.data, Now: p.changed, Line: p.lines}, err
	})
}

// verify reads back what was written.
func (p *part) verify() error {
	if p.data == nil {
		return nil
	}
	v, err := p.to.Get(p.key)
	if err == nil && !bytes.Equal(v.Data, p.data) {
		err = errAgain
	}
	return err
}

// readList reads a list on both sides.
func (t *Transfer) readList(name session.Name) (part, *session.Document, error) {
	p := part{key: session.Key(name), to: t.To.Lists.Backend}
	doc, v, err := t.From.Lists.Peek(name)
	switch {
	case err != nil:
		return p, nil, err
	case doc == nil:
		return p, nil, fmt.Errorf("%w: %q", session.ErrNoSession, name)
	case doc.Moved == t.To.Address:
		return p, doc, nil
	case doc.Moved != "":
		return p, nil, store.Problem(store.ErrMoved, "to the store %s", doc.Moved)
	}
	p.data, p.changed = v.Data, doc.UpdatedAt.Time()
	log, err := t.From.Lists.Backend.Log(p.key)
	if err != nil {
		return p, nil, err
	}
	entries, err := t.From.Lists.Entries(name)
	if err != nil {
		return p, nil, err
	}
	there, v, err := t.To.Lists.Peek(name)
	known := there == nil || there.Moved == t.From.Address || slices.Contains(doc.Ops, there.Op) ||
		slices.ContainsFunc(entries, func(e session.Entry) bool { return e.Op == there.Op })
	if err = t.meets(&p, v, known, err); err != nil {
		return p, nil, err
	}
	p.lines = log
	if !p.clears {
		has, err := p.to.Log(p.key)
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
	doc, v, err := t.From.Calls.Peek(name)
	if err == nil && doc != nil && doc.Journal > 0 && !t.DryRun {
		// The changes of a run since then are in a journal beside the document.
		_, err = t.From.Calls.Update(name, "", t.Now, schedule.TakeIn)
		if err == nil {
			doc, v, err = t.From.Calls.Peek(name)
		}
	}
	if err != nil {
		return p, nil, err
	}
	there, at, err := t.To.Calls.Peek(name)
	known := there == nil || there.Moved == t.From.Address || doc != nil && (doc.Moved != "" || doc.Knows(there.Op))
	if err = t.meets(&p, at, known, err); err != nil {
		return p, nil, err
	}
	if doc != nil && doc.Moved == "" {
		p.data, p.changed = v.Data, doc.UpdatedAt.Time()
	} else if there != nil && there.Moved != "" {
		p.clears = true // the mark that it was here before
	}
	return p, doc, nil
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

// lacking returns the lines that a log has and another one has not.
func lacking(log, other []byte) []byte {
	has := map[string]bool{}
	for line := range bytes.Lines(other) {
		has[string(line)] = true
	}
	var out []byte
	for line := range bytes.Lines(log) {
		if !has[string(line)] {
			out = append(out, line...)
		}
	}
	return out
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

// tombstone marks what was copied as moved, once it can be read at the target. Writers then get its new place.
func (t *Transfer) tombstone(name session.Name, doc *session.Document, of *schedule.Document, list, calls part) error {
	if err := errors.Join(list.verify(), calls.verify()); err != nil {
		return err
	}
	what := "moved to " + t.To.Address
	if of == nil || of.Moved == "" {
		_, err := t.From.Calls.Update(name, "", t.Now, func(d *schedule.Document) (schedule.Change, error) {
			if of != nil && d.Rev != of.Rev || of == nil && d.Rev != 0 {
				return schedule.Change{}, errAgain
			}
			d.Moved = t.To.Address
			return schedule.Change{What: what}, nil
		})
		if err != nil {
			return err
		}
	}
	_, err := t.From.Lists.Update(name, "", t.Now, func(d *session.Document) (session.Change, error) {
		if d.Rev != doc.Rev || d.Op != doc.Op {
			return session.Change{}, errAgain
		}
		d.Moved = t.To.Address
		return session.Change{What: what, By: "cli"}, nil
	})
	return err
}
