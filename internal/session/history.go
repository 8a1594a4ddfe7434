package session

import (
	"bytes"
	"errors"
	"fmt"

	"onward/internal/store"
	"onward/internal/todo"
)

// MaxUndo is how many changes can be taken back at most; fewer where lists are large.
const MaxUndo = 50

// Bounds of a history. The newest state is kept even where it alone is larger.
const (
	keptChanges = MaxUndo
	maxHistory  = 1 << 20
	readChanges = 20 * MaxUndo // with those that never came about, of which each failure leaves one
)

// Entry is one change of a list, with the list as it was afterwards.
type Entry struct {
	Rev      uint64
	Previous uint64 // the rev of the change before; 0 for the first
	Op       string
	At       todo.Time
	By       string
	Change   string
	Touched  []todo.Touched
	Undo     bool // it went back to the list as it was after the change of rev Back
	Back     uint64
	Active   bool
	Items    []todo.Item

	written []byte // the items as JSON, while the entry is written
}

// entry returns a change of the list as a line of its history.
func (d *Document) entry(items []byte, previous uint64, did Change) []byte {
	return store.Encode(&Entry{
		Rev: d.Rev, Previous: previous, Op: d.Op, At: d.UpdatedAt,
		By: did.By, Change: did.What, Touched: did.Touched, Active: d.Todos.Active,
		Undo: did.Undo, Back: did.Back, written: items,
	}, len(items)+512)
}

// Entries returns every entry of a list's history that can be read, oldest first; none where there is no history.
// A line that is damaged or cut is passed over: the history is best effort.
// But where the disk does not give it, it is not taken for an empty one. While the list is updated, nothing is added.
func (s *Store) Entries(name Name) ([]Entry, error) {
	data, err := s.Backend.Log(Key(name))
	switch {
	case errors.Is(err, store.ErrLimit):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the history of session %q: %w", name, err)
	}
	var entries []Entry
	for line := range bytes.Lines(lastLines(data, readChanges)) {
		var e Entry
		if err := store.ReadLine(bytes.TrimSuffix(line, []byte{'\n'}), &e); err == nil && e.Rev > 0 {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// lastLines gives the last n lines.
func lastLines(data []byte, n int) []byte {
	for at := len(data); n >= 0; n-- {
		if at = bytes.LastIndexByte(data[:at], '\n'); at < 0 {
			return data
		} else if n == 0 {
			return data[at+1:]
		}
	}
	return data
}

// History gives the changes of a list that can be taken back, newest first.
// It follows each change to the one before it, so that an entry
// whose commit never came about is not among them.
func (s *Store) History(name Name) ([]Entry, error) {
	doc, err := s.Load(name)
	if doc == nil || err != nil {
		return nil, err
	}
	entries, err := s.Entries(name)
	return chain(doc, entries), err
}

// chain orders entries from the document's own backwards.
func chain(doc *Document, entries []Entry) []Entry {
	byRev := make(map[uint64]Entry, len(entries))
	for _, e := range entries {
		byRev[e.Rev] = e // the last of a rev is the one whose commit came about
	}
	var out []Entry
	for rev := doc.Todos.Rev; rev > 0 && len(out) <= keptChanges; {
		e, ok := byRev[rev]
		if !ok || e.Previous >= rev {
			break
		}
		out = append(out, e)
		rev = e.Previous
	}
	return out
}

// Before finds the list as it was before its last n changes: the entry of the change that made it so,
// or an empty one of rev 0 for the time before the first. What was taken back already does not count,
// so undo goes further and further back. It also gives the changes that are taken back, newest first.
func Before(doc *Document, entries []Entry, n int) (Entry, []Entry, error) {
	byRev := make(map[uint64]Entry, len(entries))
	for _, e := range entries {
		byRev[e.Rev] = e
	}
	var undone []Entry
	for at := doc.Todos.Rev; ; {
		e, known := byRev[at]
		if e.Previous >= at || e.Undo && e.Back >= at {
			known = false // it leads to itself, as no change of ours does
		}
		switch {
		case at == 0 && len(undone) == n:
			return Entry{}, undone, nil
		case !known && at != 0:
			// The change is known, but not the list as it was before it.
			return Entry{}, nil, fmt.Errorf("%w: undo %d: the history has %d", ErrNoChange, n, max(0, len(undone)-1))
		case at == 0:
			return Entry{}, nil, fmt.Errorf("%w: undo %d: the history has %d", ErrNoChange, n, len(undone))
		case e.Undo:
			at = e.Back
			continue
		case len(undone) == n:
			return e, undone, nil
		}
		undone = append(undone, e)
		at = e.Previous
	}
}
