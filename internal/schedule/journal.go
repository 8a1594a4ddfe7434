package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"onward/internal/durable"
	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// A run changes the status of calls all the time, and each change must be on the disk before its next step.
// Writing the whole document for each would cost more than the calls, so a run appends what it did to a journal
// beside the document. Every entry names the rev of the document that it adds to. A commit of the document takes
// the entries in, and its new rev makes them void. Only the process that holds the lock of the run appends.

// maxJournal is when the document is written and the journal begins anew, in bytes.
const maxJournal = 4 << 20

func journalPath(n session.Name) string { return path.Join(schedulesDir, n.String()+".journal") }

// replay brings in what the journal adds to the document. What follows the last entry that is known to be whole
// may be half written, which is as if it were not. Any other damage is an error: finished calls would run again.
func (d *Document) replay(root *os.Root, name session.Name) error {
	// The mark is read first: the journal only grows until the document is replaced.
	known := d.marked(document(name).Mark(root))
	data, _, err := durable.ReadFile(root, journalPath(name), 2*maxJournal+maxDocument)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(data) < known {
		return durable.Problem(durable.ErrCorrupt, "the journal of calls has %d bytes, and had %d", len(data), known)
	}
	for d.journaled < len(data) {
		text, rest, whole := bytes.Cut(data[d.journaled:], []byte{'\n'})
		var l line
		err := durable.ReadLine(text, &l)
		switch {
		case err == nil && whole && l.base != d.Rev && known == 0:
			return nil // the document has taken it in
		case err == nil && whole && l.base != d.Rev:
			err = fmt.Errorf("it belongs to rev %d", l.base)
		case err == nil && whole:
			err = d.apply(&l)
		case d.journaled >= known && bytes.IndexByte(rest, '\n') < 0:
			return nil // a writer that died has left half of it
		}
		if err != nil || !whole {
			return durable.Problem(durable.ErrCorrupt, "the journal of calls is damaged at byte %d: %v", d.journaled, err)
		}
		d.journaled += len(text) + 1
	}
	return nil
}

// mark says how long the journal of a document is, for the lock file, which is written at every entry anyway.
func (d *Document) mark(size int) string { return fmt.Sprintf("journal %d %d", d.Rev, size) }

// marked returns how long the journal of this document was when its last entry was on the disk; 0 is not known.
func (d *Document) marked(mark string) int {
	var rev uint64
	var size int
	if n, _ := fmt.Sscanf(mark, "journal %d %d", &rev, &size); n != 2 || rev != d.Rev {
		return 0
	}
	return size
}

// Run is the right to run the calls of a session, which one process has at a time.
type Run struct {
	store *Store
	name  session.Name
	lock  *durable.Transaction
	file  *os.File
	doc   *Document
	seen  fs.FileInfo // the document's file when it was last read
	base  uint64      // the rev that the entries in the journal belong to
	size  int64       // of the journal
}

// Begin takes the right to run, waiting for another process as long as for a lock.
// The kernel gives it back when the process ends, however it ends.
func (s *Store) Begin(name session.Name) (*Run, error) {
	if err := session.CheckName(name); err != nil {
		return nil, err
	}
	// Behind the plus sign of a file name stands an agent's id, which begins with no dot.
	place := durable.Document{Folder: schedulesDir, Name: name.String() + "+.run"}
	lock, err := durable.Begin(s.Dir, place, s.LockTimeout)
	if errors.Is(err, durable.ErrBusy) {
		return nil, fmt.Errorf("run the calls of session %q: %w: another process runs them", name, durable.ErrBusy)
	}
	if err != nil {
		return nil, fmt.Errorf("run the calls of session %q: %w", name, err)
	}
	return &Run{store: s, name: name, lock: lock}, nil
}

// End gives the right to run back.
func (r *Run) End() {
	if r.file != nil {
		r.file.Close()
	}
	r.lock.End()
}

// Doc gives the schedule as it stands; nil where there is none. It is read again where another process changed it.
func (r *Run) Doc() (*Document, error) {
	info, err := r.lock.Root.Lstat(Path(r.name))
	if err == nil && r.doc != nil && durable.Same(info, r.seen) {
		return r.doc, nil
	}
	r.doc = nil
	t, err := r.store.begin(r.name)
	if err != nil {
		return nil, fmt.Errorf("read schedule %q: %w", r.name, err)
	}
	defer t.End()
	r.doc, r.seen, err = load(t.Root, r.name, false)
	return r.doc, err
}

// Changed reports whether another process changed the schedule since it was read.
func (r *Run) Changed() bool {
	info, err := r.lock.Root.Lstat(Path(r.name))
	return err == nil && (r.doc == nil || !durable.Same(info, r.seen))
}

// Append makes a change of calls and puts it on the disk. Where change touches nothing, nothing is written.
func (r *Run) Append(change func(*Document) (Change, error)) (Change, error) {
	t, err := r.store.begin(r.name)
	if err != nil {
		return Change{}, r.wrong(err)
	}
	defer t.End()
	info, err := t.Root.Lstat(Path(r.name))
	if err != nil || r.doc == nil || !durable.Same(info, r.seen) {
		if r.doc, r.seen, err = load(t.Root, r.name, false); err != nil {
			return Change{}, err
		}
		if r.doc == nil {
			return Change{}, r.wrong(durable.Problem(durable.ErrCorrupt, "the schedule is gone"))
		}
	}
	did, err := change(r.doc)
	if err == nil && len(did.Calls)+len(did.Complete) > 0 {
		if err = r.write(t, r.doc.entry(did)); err != nil {
			err = r.wrong(err)
		}
	}
	if err != nil {
		r.doc = nil // what is in memory may be more than what is on the disk
	}
	return did, err
}

func (r *Run) wrong(err error) error { return fmt.Errorf("write schedule %q: %w", r.name, err) }

// write appends an entry and returns when the disk has it.
func (r *Run) write(t *durable.Transaction, entry []byte) error {
	if r.file == nil {
		if info, err := t.Root.Lstat(journalPath(r.name)); err == nil {
			if err := durable.Regular(journalPath(r.name), info); err != nil {
				return err
			}
		}
		f, err := t.Root.OpenFile(journalPath(r.name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return durable.SystemError(err)
		}
		r.file = f
		if err := durable.SyncDir(t.Root, schedulesDir); err != nil {
			return durable.SystemError(err)
		}
	}
	if r.base != r.doc.Rev {
		// What follows the entries of this document is half written, or belongs to an older one, which has taken it in.
		if err := r.file.Truncate(int64(r.doc.journaled)); err != nil {
			return durable.SystemError(err)
		}
		r.base = r.doc.Rev
	}
	if _, err := r.file.Write(entry); err != nil {
		return durable.SystemError(err)
	}
	if err := r.file.Sync(); err != nil {
		return durable.SystemError(err)
	}
	r.doc.journaled += len(entry)
	r.size = int64(r.doc.journaled)
	return t.Mark(r.doc.mark(r.doc.journaled))
}

// Full reports whether the journal has grown so long that the document should be committed.
func (r *Run) Full() bool { return r.size > maxJournal }

// Dirty reports whether there is a journal that the document has not taken in, or may not have.
func (r *Run) Dirty() bool {
	info, err := r.lock.Root.Lstat(journalPath(r.name))
	return err == nil && info.Size() > 0
}

// Commit writes the document with what the journal adds, and a change that is more than calls.
func (r *Run) Commit(now todo.Time, change func(*Document) (Change, error)) (Commit, error) {
	r.doc = nil
	commit, err := r.store.Update(r.name, "", now, change)
	if err == nil && commit.Changed && r.file != nil {
		// Its entries are void from now on; to remove them is mere tidiness.
		if r.file.Truncate(0) == nil {
			r.size = 0
		}
	}
	return commit, err
}

// line is one entry of the journal: calls as they stand, and batches that are complete.
type line struct {
	base     uint64 // the rev of the document that it belongs to
	calls    []Call
	complete []string
}

// Fields lists the members of an entry.
func (l *line) Fields(f *object.Fields) {
	f.Need("base", "calls")
	f.Uint("base", &l.base)
	object.List(f, "calls", &l.calls)
	f.SomeStrings("complete", &l.complete)
}

// apply brings a journal's entry into the document.
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
	return durable.WriteLine(&l, 768*(len(l.calls)+1))
}
