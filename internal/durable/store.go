package durable

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onward/internal/notify"
	"onward/internal/store"
)

// Store keeps documents as files in a folder, which is made by the first write, never by a read.
// It is a store.Backend, and keeps their notes.
type Store struct {
	Dir   string        // required
	Wait  time.Duration // how long to wait for another writer; 0 tries once
	Local bool          // the documents are elsewhere; here is only what stays on the machine, whose folders a note makes
}

var (
	_ store.Backend = (*Store)(nil)
	_ store.Notes   = (*Store)(nil)
)

// place returns where a document is.
func place(k store.Key) Document { return Document{Folder: k.Kind.Folder, Name: k.Name} }

// logPath returns the file of a document's log, below the store; empty where it has none.
func logPath(k store.Key) string {
	if k.Kind.Log == nil {
		return ""
	}
	return filepath.Join(k.Kind.Log.Folder, k.Name+k.Kind.Log.Ending)
}

// notePath returns the file of a document's note, below the store.
func notePath(k store.Key) string { return place(k).beside(k.Kind.Note) }

// Within returns the same store for who waits as long.
func (s *Store) Within(wait time.Duration) store.Backend {
	return &Store{Dir: s.Dir, Wait: wait, Local: s.Local}
}

func joined(k store.Key) bool { return k.Kind.Log != nil && k.Kind.Log.Joined }

// Path returns the file of a document.
func (s *Store) Path(k store.Key) string { return filepath.Join(s.Dir, place(k).Path()) }

// Get reads a document without a lock.
func (s *Store) Get(k store.Key) (store.Value, error) {
	if v, ok := s.quick(k); ok {
		return v, nil
	}
	if s.never(k) {
		return store.Value{}, nil
	}
	root, err := Open(s.Dir)
	if root == nil || err != nil {
		return store.Value{}, err
	}
	defer root.Close()
	v, err := read(root, k)
	if !errors.Is(err, store.ErrGone) && !errors.Is(err, store.ErrBusy) && (!joined(k) || !moved(root, k, v)) {
		return v, err
	}
	// The document was replaced between the looks at it and at its log, or is hidden during that,
	// as a file system in user space may have it. Under its lock it is not.
	t, locked := Begin(s.Dir, place(k), s.Wait)
	if locked != nil {
		return v, cmp.Or(err, locked)
	}
	defer t.End()
	return read(t.Root, k)
}

// file reads a file of the store; nil if there is none.
func (s *Store) file(path string, limit int64) ([]byte, error) {
	if data := Quick(s.Dir, path, limit); data != nil {
		return data, nil
	}
	root, err := Open(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	data, _, err := ReadFile(root, path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return data, err
}

// quick reads a document where nothing is in the way, and with a joined log only where neither changed meanwhile.
func (s *Store) quick(k store.Key) (v store.Value, ok bool) {
	doc := place(k)
	if !joined(k) {
		v.Data = Quick(s.Dir, doc.Path(), int64(k.Kind.Limit))
		return v, v.Data != nil
	}
	if s.never(k) {
		return v, true // as in most sessions, which schedule nothing
	}
	path, log := s.Path(k), logPath(k)
	before, err := os.Lstat(path)
	if err != nil {
		return v, false
	}
	v.Data = Quick(s.Dir, doc.Path(), int64(k.Kind.Limit))
	// The mark is read first: the log only grows until the document is replaced.
	record := Quick(s.Dir, doc.LockPath(), recordSize)
	_, _, v.Mark = parseNote(record)
	v.Log = Quick(s.Dir, log, k.Kind.Log.Limit)
	if v.Data == nil || record == nil || v.Log == nil && !absent(filepath.Join(s.Dir, log)) {
		return v, false
	}
	after, err := os.Lstat(path)
	if err != nil || !Same(before, after) {
		return v, false
	}
	v.Revision, v.Changed = after, after.ModTime()
	return v, true
}

// never reports a document of which there is no trace at all. It is quicker than to open the folders.
func (s *Store) never(k store.Key) bool {
	at := filepath.Join(s.Dir, k.Kind.Folder, k.Name)
	return absent(at+".json") && absent(at+".lock") && (trace(k) == "" || absent(filepath.Join(s.Dir, trace(k))))
}

// trace returns the file that shows that there was a document, where its lock file is gone as well:
// its log, unless that means nothing without the document.
func trace(k store.Key) string {
	if joined(k) {
		return ""
	}
	return logPath(k)
}

func absent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// read reads a document and a log that is joined to it. Its revision is the file that it was read from.
func read(root *os.Root, k store.Key) (v store.Value, err error) {
	path := place(k).Path()
	data, info, err := ReadFile(root, path, int64(k.Kind.Limit))
	if err != nil {
		lost := errors.Is(err, fs.ErrNotExist)
		if lost {
			v.Deleted, err = place(k).missing(root, trace(k))
		}
		if info, unseen := root.Lstat(path); !lost && unseen == nil {
			v.Revision, v.Changed = info, info.ModTime()
		}
		return v, err
	}
	v.Data, v.Revision, v.Changed = data, info, info.ModTime()
	if joined(k) {
		// The mark is read first: the log only grows until the document is replaced.
		_, v.Mark = place(k).recorded(root)
		if v.Log, _, err = ReadFile(root, logPath(k), k.Kind.Log.Limit); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return v, err
}

// moved reports whether the file of a document is another one than was seen.
func moved(root *os.Root, k store.Key, seen store.Value) bool {
	info, err := root.Lstat(place(k).Path())
	old, _ := seen.Revision.(fs.FileInfo)
	if old == nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return err != nil || !Same(info, old)
}

// transaction is one locked change of a document with what belongs to it.
type transaction struct {
	*Transaction
	key     store.Key
	cleared bool // what a deletion that was cut off had left is gone now
}

// begin acquires the lock of a document, and completes any unfinished deletion under it:
// files of a deleted document must not be mistaken for those of the next one.
func (s *Store) begin(k store.Key) (*transaction, error) {
	var folders []string
	if k.Kind.Log != nil && k.Kind.Log.Folder != k.Kind.Folder {
		folders = append(folders, k.Kind.Log.Folder)
	}
	t, err := Begin(s.Dir, place(k), s.Wait, folders...)
	if err != nil {
		return nil, err
	}
	own := &transaction{Transaction: t, key: k}
	if t.Unfinished && k.Kind.Log != nil {
		t.Root.Remove(trimmedPath(k))
	}
	if t.Deleted {
		paths, err := remains(t.Root, k, !k.Kind.KeepCopies)
		if err == nil {
			own.cleared, err = t.Clear(paths...)
		}
		if err != nil {
			t.End()
			return nil, err
		}
	}
	return own, nil
}

// Update runs the change once, under the lock of the document.
func (s *Store) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	t, err := s.begin(k)
	if err != nil {
		return err
	}
	defer t.End()
	v, err := read(t.Root, k)
	v.Cleared = t.cleared
	w, err := change(v, err)
	if w.Copy != nil {
		if err = t.copyAside(w.Copy, err); err != nil {
			return err
		}
	}
	switch {
	case err != nil:
		return err
	case w.Delete:
		paths, err := remains(t.Root, k, w.Copy == nil)
		if err != nil {
			return err
		}
		return t.Remove(w.First, paths...)
	case w.Data != nil:
		return t.replace(v, w)
	}
	return nil
}

// replace commits a document with its line of the log.
func (t *transaction) replace(v store.Value, w store.Write) error {
	old, _ := v.Revision.(fs.FileInfo)
	err := t.Replace(w.Data, old, w.Now, func() error {
		// The log comes before the document: a crash between the two leaves a line
		// that never happened, which no later line leads to.
		if w.Line == nil {
			return nil
		}
		return t.log(w.Line, w.Trim)
	})
	if err == nil && len(v.Log) > 0 {
		// The document includes its lines; removing them is only a cleanup.
		_ = t.truncateLog()
	}
	return err
}

// copyAside copies the damaged document, beside whatever the caller refuses.
func (t *transaction) copyAside(tell func(path string), refused error) error {
	path, err := quarantine(t.Root, t.key)
	switch {
	case err == nil:
		if path != "" {
			tell(filepath.Join(t.Root.Name(), path))
		}
		return refused
	case refused != nil:
		return fmt.Errorf("%w (no copy could be kept: %w)", refused, err)
	}
	return err
}

// List reads the folder only.
func (s *Store) List(kind *store.Kind, like string, times bool) ([]store.Entry, error) {
	root, err := Open(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	dir, err := root.Open(kind.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, SystemError(err)
	}
	defer dir.Close()
	var entries []store.Entry
	if !times {
		names, err := dir.Readdirnames(-1)
		for _, name := range names {
			if name, isDocument := strings.CutSuffix(name, ".json"); isDocument && (like == "" || strings.EqualFold(name, like)) {
				entries = append(entries, store.Entry{Name: name})
			}
		}
		return entries, SystemError(err)
	}
	files, err := dir.ReadDir(-1)
	for _, f := range files {
		name, isDocument := strings.CutSuffix(f.Name(), ".json")
		if !isDocument || like != "" && !strings.EqualFold(name, like) {
			continue
		}
		if info, err := f.Info(); err == nil { // else it is gone meanwhile
			entries = append(entries, store.Entry{Name: name, Changed: info.ModTime()})
		}
	}
	return entries, SystemError(err)
}

// Watch watches the files of documents, of their logs where those are joined to them, and of their notes.
// Of a collection it watches the folder, however many documents there are.
func (s *Store) Watch(keys ...store.Key) store.Watch {
	var paths []string
	for _, k := range keys {
		if k.Name == "" {
			k.Name = notify.Every
		}
		paths = append(paths, s.Path(k))
		if joined(k) {
			paths = append(paths, filepath.Join(s.Dir, logPath(k)))
		}
		if k.Kind.Note != "" {
			paths = append(paths, filepath.Join(s.Dir, notePath(k)))
		}
	}
	w := notify.Watch(slices.Compact(paths)...)
	return store.Watch{Changes: w.Changes, Slow: w.Slow, Close: w.Close}
}
