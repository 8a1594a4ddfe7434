package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"onward/internal/durable"
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

// remember appends a change to the history of the list, before the document is written.
// It is not synced: losing its end costs an undo, never a list.
func (t *transaction) remember(doc *Document, items []byte, previous uint64, did Change) error {
	line := durable.WriteLine(&Entry{
		Rev: doc.Rev, Previous: previous, Op: doc.Op, At: doc.UpdatedAt,
		By: did.By, Change: did.What, Touched: did.Touched, Active: doc.Todos.Active,
		Undo: did.Undo, Back: did.Back, written: items,
	}, len(items)+512)
	path := historyPath(t.name)
	info, err := t.Root.Lstat(path)
	if err == nil {
		if err := durable.Regular(path, info); err != nil {
			return err
		}
	}
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return durable.SystemError(err)
	case err == nil && (info.Size()+int64(len(line)) > maxHistory || doc.Rev%keptChanges == 0):
		return durable.SystemError(t.trim(path, line))
	}
	f, err := t.Root.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return durable.SystemError(err)
	}
	if info == nil {
		err = durable.Adopt(t.Root, path)
	} else if !endsLine(f, info.Size()) {
		line = append([]byte("\n"), line...)
	}
	if err == nil {
		_, err = f.Write(line)
	}
	return durable.SystemError(errors.Join(err, f.Close()))
}

// endsLine reports whether a file ends with a whole line;
// a writer that died may have left half of one, which must not spoil the next.
func endsLine(f *os.File, size int64) bool {
	var last [1]byte
	_, err := f.ReadAt(last[:], size-1)
	return size == 0 || err == nil && last[0] == '\n'
}

// trim rewrites the history with the newest entries that fit in half of its bound,
// so that it is rewritten seldom, and adds the new one.
func (t *transaction) trim(path string, line []byte) error {
	data, _, err := durable.ReadFile(t.Root, path, 2*maxHistory+maxDocument)
	if err != nil && !errors.Is(err, ErrLimit) {
		return err
	}
	// What stands behind the last line is half of one, left by a writer that died; it must not spoil the new one.
	lines := bytes.SplitAfter(data[:bytes.LastIndexByte(data, '\n')+1], []byte("\n"))
	size, from := len(line), len(lines)
	for from > 0 && len(lines)-from < keptChanges && size+len(lines[from-1]) <= maxHistory/2 {
		from--
		size += len(lines[from])
	}
	kept := slices.Concat(append(lines[from:], line)...)
	// A fixed name does no harm here: only the holder of the lock writes it.
	temp := trimmedPath(t.name)
	t.Root.Remove(temp)
	f, err := t.Root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = durable.Adopt(t.Root, temp); err == nil {
		_, err = f.Write(kept)
	}
	if err == nil {
		// Without it, a loss of power could leave an empty file in the place of the whole history.
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = durable.Rename(t.Root, temp, path)
	}
	if err != nil {
		t.Root.Remove(temp)
	}
	return err
}

// readHistory gives every entry that can be read, oldest first; none where there is no history.
// A line that is damaged or cut is passed over: the history is a help, not a record.
// But where the disk does not give it, it is not taken for an empty one.
func readHistory(root *os.Root, name Name) ([]Entry, error) {
	data, _, err := durable.ReadFile(root, historyPath(name), 2*maxHistory+maxDocument)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrLimit):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the history of session %q: %w", name, err)
	}
	var entries []Entry
	for line := range bytes.Lines(lastLines(data, readChanges)) {
		var e Entry
		if err := durable.ReadLine(bytes.TrimSuffix(line, []byte{'\n'}), &e); err == nil && e.Rev > 0 {
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
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	entries, err := readHistory(root, name)
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

// Entries reads the history of a list, oldest first. Under the list's lock, nothing is added meanwhile.
func (s *Store) Entries(name Name) ([]Entry, error) {
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	return readHistory(root, name)
}
