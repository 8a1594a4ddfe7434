package transfer

import (
	"bytes"
	"errors"
	"fmt"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
)

// A move can be killed at any moment, and must never leave two usable copies. Its steps are:
//
//  1. The copy is written to the target, marked as arriving, which makes it unusable.
//  2. The list at the source is marked as moved. Only one of two moves can do that.
//  3. The calls at the source are marked as moved.
//  4. The copy at the target becomes usable: the calls first, then the list.
//
// Between 2 and 4 no copy is usable, and the same move, run again, completes what was begun.
// A move holds the right to run the session's calls in both stores, so that no call runs during the move,
// and no second move begins.

// ErrHalfway means that a move was begun and is not completed.
var ErrHalfway = errors.New("the session is marked as moved, but its copy cannot be used yet")

// move is the move of one list.
type move struct {
	Transfer
	name  session.Name
	found map[*store.Spec][]byte // what the target had before the first write; nil if it had nothing
	sent  map[*store.Spec][]byte // what was written to the target
	files []string               // the outputs of calls that the move added to the target
}

// hold begins a move by acquiring the right to run the calls in both stores. Every write of the move
// is bound to that right, and fails once it is lost.
func (t *Transfer) hold(name session.Name) (m *move, release func(), err error) {
	if err := t.From.Lists.CheckNoWork("move", name); err != nil {
		return nil, nil, err
	}
	m = &move{Transfer: *t, name: name, found: map[*store.Spec][]byte{}, sent: map[*store.Spec][]byte{}}
	var held []store.Held
	release = func() {
		for _, h := range held {
			h.Release()
		}
	}
	for _, side := range []*Side{&m.From, &m.To} {
		h, err := side.Calls.Backend.Hold(schedule.Key(name), true)
		if err != nil {
			release()
			if errors.Is(err, store.ErrBusy) {
				err = store.WrapProblem(store.ErrBusy, "another process runs its calls, or moves it")
			}
			return nil, nil, err
		}
		held = append(held, h)
		lists := *side.Lists
		lists.Backend = h
		side.Lists, side.Calls = &lists, &schedule.Store{Backend: h}
	}
	return m, release, nil
}

// move moves the list, or completes a move that was cut off.
func (m *move) move() (did Result, err error) {
	for range attempts {
		if did, err = m.begin(); !errors.Is(err, errAgain) {
			break
		}
	}
	if err == nil {
		return m.completeArrival(did)
	}
	switch doc, _, unread := m.From.Lists.LoadMoved(m.name); {
	case unread != nil || errors.Is(err, store.ErrUnknown):
		// The list may be marked as moved, and then this copy is the only one.
	case doc != nil && doc.MovedTo == m.To.Address && !doc.Arriving:
		return "", fmt.Errorf("%w: %w", ErrHalfway, err) // the copy stays unusable, because a crash may undo the mark at the source
	default:
		m.undo()
	}
	return "", settled(err)
}

// begin copies the list to the target and marks it as moved at the source, unless it is marked already.
func (m *move) begin() (Result, error) {
	list, doc, err := m.readList(m.name)
	if err != nil || doc.MovedTo != "" {
		return Unchanged, err
	}
	calls, of, err := m.readCalls(m.name)
	if err != nil {
		return "", err
	}
	for _, p := range []part{calls, list} {
		if _, noted := m.found[p.key.Kind]; !noted {
			m.found[p.key.Kind] = p.target
		}
		m.sent[p.key.Kind] = p.data
	}
	if of != nil && m.found[calls.key.Kind] == nil {
		m.files = of.Files()
	}
	if err = m.send(m.name, &calls, of, &list); err == nil {
		err = errors.Join(list.verify(), calls.verify())
	}
	if err == nil {
		err = m.markList(doc)
	}
	return Moved, err
}

// undo restores what the target had before the move, unless somebody has changed the copy since.
func (m *move) undo() {
	for kind, sent := range m.sent {
		before := m.found[kind]
		if sent == nil || bytes.Equal(sent, before) {
			continue
		}
		if before == nil {
			_, _ = store.OperationLog{Backend: m.To.Lists.Backend, Kind: m.operationLog(kind)}.Delete(m.name.String())
		}
		_ = m.To.Lists.Backend.Update(store.Key{Kind: kind, Name: m.name.String()}, func(v store.Value, err error) (store.Write, error) {
			if err != nil || !bytes.Equal(v.Data, sent) {
				return store.Write{}, err
			}
			return store.Write{Data: before, Now: m.Now.Time(), Delete: before == nil}, nil
		})
	}
	m.To.Outputs.Remove(m.files)
}

// operationLog returns the kind of document that has the operations on a list or on calls.
func (m *move) operationLog(of *store.Spec) *store.Spec {
	if of == session.Key(m.name).Kind {
		return m.To.Lists.OperationLog().Kind
	}
	return m.To.Calls.OperationLog().Kind
}

// markList marks the list of the source as moved, unless it has changed since it was read.
func (m *move) markList(doc *session.Document) error {
	_, err := m.From.Lists.Update(m.name, "", m.Now, func(d *session.Document) (session.Change, error) {
		if d.Rev != doc.Rev || d.Op != doc.Op {
			return session.Change{}, errAgain
		}
		d.MovedTo = m.To.Address
		return session.Change{What: "moved to " + m.To.Address, By: "cli"}, nil
	})
	return err
}

// completeArrival completes the move of a list that is marked as moved: it moves the calls, and makes the copy usable.
func (m *move) completeArrival(did Result) (Result, error) {
	err := errAgain
	for n := 0; n < attempts && errors.Is(err, errAgain); n++ {
		err = m.moveCalls()
	}
	if err == nil {
		err = m.sendReceipt(m.name)
	}
	var came bool
	if err == nil {
		came, err = m.finish()
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrHalfway, settled(err))
	}
	if came {
		did = Moved
	}
	return did, nil
}

// moveCalls copies the calls once more, in case they have changed, and marks those at the source as moved.
func (m *move) moveCalls() error {
	calls, of, err := m.readCalls(m.name)
	switch {
	case err != nil:
		return err
	case of != nil && of.MovedTo == m.To.Address:
		return nil
	case of != nil && of.MovedTo != "":
		return of.Head().CheckUsable()
	}
	if err = m.sendCalls(m.name, &calls, of); err == nil {
		err = calls.verify()
	}
	if err != nil {
		return err
	}
	_, err = m.From.Calls.Update(m.name, "", m.Now, func(d *schedule.Document) (schedule.Change, error) {
		if of == nil && d.Rev != 0 || of != nil && (d.Rev != of.Rev || d.Journal != of.Journal) {
			return schedule.Change{}, errAgain
		}
		d.MovedTo = m.To.Address
		return schedule.Change{What: "moved to " + m.To.Address}, nil
	})
	return err
}

// finish makes the copy usable, and reports whether it had not been.
func (m *move) finish() (came bool, err error) {
	err = m.To.Calls.Rewrite(m.name, func(d *schedule.Document) (w store.Write, err error) {
		switch {
		case d == nil || d.MovedTo != m.From.Address:
		case !d.Arriving: // a mark that an earlier move in the other direction left
			w.Delete = true
		default:
			d.MovedTo, d.Arriving = "", false
			w.Now = d.UpdatedAt.Time()
			w.Data, err = schedule.Encode(d)
		}
		return w, err
	})
	if err != nil {
		return false, err
	}
	err = m.To.Lists.Rewrite(m.name, func(d *session.Document) (w store.Write, err error) {
		if came = arrives(d, m.From.Address); came {
			d.MovedTo, d.Arriving = "", false
			w.Now = d.UpdatedAt.Time()
			w.Data, err = session.Encode(d)
		}
		return w, err
	})
	return came, err
}

// arrives reports whether a list was copied from a store by a move, and is not usable yet.
func arrives(d *session.Document, from string) bool {
	return d != nil && d.Arriving && d.MovedTo == from
}

// arriving reports whether a move of the list was begun and not completed.
func (t *Transfer) arriving(name session.Name) (bool, error) {
	there, _, err := t.To.Lists.LoadMoved(name)
	return arrives(there, t.From.Address), err
}

// outgoing returns the list as the target receives it: in a move, marked as arriving.
func (t *Transfer) outgoing(doc *session.Document, data []byte) ([]byte, error) {
	if !t.Move {
		return data, nil
	}
	d := *doc
	d.MovedTo, d.Arriving = t.From.Address, true
	return session.Encode(&d)
}

// outgoingCalls returns the calls as the target receives them: all of them in a move, and only those that
// have ended in a copy, because no call may run in two stores.
func (t *Transfer) outgoingCalls(doc *schedule.Document, data []byte) ([]byte, error) {
	if !t.Move {
		ended, left := doc.WithoutOpenCalls()
		if t.left = left; left == 0 {
			return data, nil
		}
		return schedule.Encode(ended)
	}
	d := *doc
	d.MovedTo, d.Arriving = t.From.Address, true
	return schedule.Encode(&d)
}
