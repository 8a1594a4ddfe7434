package schedule

import (
	"bytes"
	"errors"
	"fmt"

	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// A run changes the status of calls all the time, and each change must be on the disk before its next step.
// Writing the whole document for each would cost more than the calls, so a run appends its changes to a journal
// next to the document. Every entry names the revision of the document that it adds to. A commit of the document
// includes the entries, and they are void because the document then has a new revision. Only the process that holds the lock of the run appends.

// maxJournal is the size in bytes at which the document is written and the journal restarts.
const maxJournal = 4 << 20

// replayJournal applies the entries of the journal to the document. The text behind the last entry that is known to be complete
// may be half an entry, which is ignored. Any other damage is an error, because finished calls would run again.
func (d *Document) replayJournal(data []byte, mark string) error {
	known := d.marked(mark)
	if len(data) < known {
		return store.WrapProblem(store.ErrCorrupt, "the journal of calls has %d bytes, and had %d", len(data), known)
	}
	d.Journal = len(data)
	for d.journaled < len(data) {
		text, rest, whole := bytes.Cut(data[d.journaled:], []byte{'\n'})
		var l line
		err := store.ReadLine(text, &l)
		switch {
		case err == nil && whole && l.base != d.Rev && known == 0:
			return nil // the document includes it
		case err == nil && whole && l.base != d.Rev:
			err = fmt.Errorf("it belongs to rev %d", l.base)
		case err == nil && whole:
			err = d.apply(&l)
		case d.journaled >= known && bytes.IndexByte(rest, '\n') < 0:
			return nil // a writer that died has left half an entry
		}
		if err != nil || !whole {
			return store.WrapProblem(store.ErrCorrupt, "the journal of calls is damaged at byte %d: %v", d.journaled, err)
		}
		d.journaled += len(text) + 1
	}
	return nil
}

// mark reports how long the journal of a document is, for the lock file, which is written at every entry anyway.
func (d *Document) mark(size int) string { return fmt.Sprintf("journal %d %d", d.Rev, size) }

// marked returns how long the journal of this document was when its last entry was on the disk; 0 if that is not known.
func (d *Document) marked(mark string) int {
	var rev uint64
	var size int
	if n, _ := fmt.Sscanf(mark, "journal %d %d", &rev, &size); n != 2 || rev != d.Rev {
		return 0
	}
	return size
}

// RunLock is the lock that a process needs to run the calls of a session.
type RunLock struct {
	store *Store // bound to held, so that a run that has lost its lock commits nothing
	name  session.Name
	held  store.Held
	doc   *Document
	seen  store.Value // that the document was read from
}

// Begin acquires the lock; it waits for another process as long as for a writer.
// The lock is released when the process ends, however it ends.
func (s *Store) Begin(name session.Name) (*RunLock, error) { return s.begin(name, false) }

// BeginAtOnce is Begin without waiting.
func (s *Store) BeginAtOnce(name session.Name) (*RunLock, error) { return s.begin(name, true) }

func (s *Store) begin(name session.Name, atOnce bool) (*RunLock, error) {
	if err := session.CheckName(name); err != nil {
		return nil, err
	}
	held, err := s.Backend.Hold(Key(name), atOnce)
	if errors.Is(err, store.ErrBusy) {
		return nil, fmt.Errorf("run the calls of session %q: %w: another process runs them", name, store.ErrBusy)
	}
	if err != nil {
		return nil, fmt.Errorf("run the calls of session %q: %w", name, err)
	}
	return &RunLock{store: &Store{held}, name: name, held: held}, nil
}

// End releases the lock.
func (r *RunLock) End() { r.held.Release() }

// Watch begins to watch the schedule for what other processes change.
func (r *RunLock) Watch() store.Watch { return r.store.Backend.Watch(Key(r.name)) }

// Doc returns the schedule as it is now; nil if there is none. It is read again if another process changed it.
func (r *RunLock) Doc() (*Document, error) {
	if r.doc != nil && !r.held.Replaced(r.seen) {
		return r.doc, nil
	}
	err := r.read(r.store.Backend.Get(Key(r.name)))
	return r.doc, err
}

// read decodes a value of the backend.
func (r *RunLock) read(v store.Value, unread error) (err error) {
	r.seen = v
	r.doc, err = r.store.of(r.name, 0).Open(r.name.String(), v, unread)
	return err
}

// Changed reports whether another process changed the schedule since it was read.
func (r *RunLock) Changed() bool { return r.held.Replaced(r.seen) }

// Append makes a change of calls, and returns once it is stored. If the change touches no call, nothing is written.
func (r *RunLock) Append(change func(*Document) (Change, error)) (did Change, err error) {
	var refused error
	if r.doc == nil {
		r.seen = store.Value{}
	}
	_, err = r.held.Append(r.seen, func(v store.Value, unread error) (line store.Line, _ error) {
		line, did, refused = r.append(change, v, unread)
		return line, refused
	})
	if err != nil {
		r.doc = nil // the document in memory may have changes that are not on the disk
		if refused == nil {
			err = fmt.Errorf("write schedule %q: %w", r.name, err)
		}
	}
	return did, err
}

func (r *RunLock) append(change func(*Document) (Change, error), v store.Value, unread error) (line store.Line, did Change, err error) {
	if v.Revision != r.seen.Revision || r.doc == nil {
		if err = r.read(v, unread); err == nil && r.doc == nil {
			err = fmt.Errorf("write schedule %q: %w", r.name, store.WrapProblem(store.ErrCorrupt, "the schedule is gone"))
		}
		if err != nil {
			return line, did, err
		}
	}
	if did, err = change(r.doc); err != nil || len(did.Calls)+len(did.Complete) == 0 {
		return line, did, err
	}
	line.At, line.Data = r.doc.journaled, r.doc.entry(did)
	r.doc.journaled += len(line.Data)
	r.doc.Journal = r.doc.journaled
	line.Acknowledged = r.doc.mark(r.doc.journaled)
	return line, did, nil
}

// JournalIsFull reports whether the journal has grown so long that the document should be committed.
func (r *RunLock) JournalIsFull() bool { return r.doc != nil && r.doc.journaled > maxJournal }

// Commit merges the journal into the document, and makes a change in the document itself.
func (r *RunLock) Commit(now todo.Time, change func(*Document) (Change, error)) (Commit, error) {
	r.doc = nil
	return r.store.Update(r.name, "", now, change)
}

// MergeJournal is a change that only writes the document with the entries of the journal.
func MergeJournal(*Document) (Change, error) { return Change{What: "took the journal in"}, nil }

// line is one entry of the journal: the present state of calls, and complete batches.
type line struct {
	base     uint64 // the rev of the document that it belongs to
	calls    []Call
	complete []string
}

// Fields lists the members of an entry.
func (l *line) Fields(f *object.Fields) {
	f.Require("base", "calls")
	f.Uint("base", &l.base)
	object.List(f, "calls", &l.calls)
	object.Strings(f.OmitEmpty(), "complete", &l.complete)
}

// apply applies an entry of the journal to the document.
func (d *Document) apply(l *line) error {
	for i := range l.calls {
		c := d.Find(l.calls[i].ID)
		if c == nil {
			return fmt.Errorf("the journal knows a call %q that the document does not", l.calls[i].ID)
		}
		if err := l.calls[i].check(); err != nil {
			return err
		}
		*c = l.calls[i]
	}
	for _, id := range l.complete {
		d.batch(id).Complete = true
	}
	return nil
}

// entry writes a change as an entry of the journal.
func (d *Document) entry(did Change) []byte {
	l := line{base: d.Rev, complete: did.Complete}
	for _, id := range did.Calls {
		l.calls = append(l.calls, *d.Find(id))
	}
	return store.Encode(&l, 768*(len(l.calls)+1))
}
