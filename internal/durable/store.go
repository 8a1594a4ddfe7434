package durable

import (
	"cmp"
	"context"
	"errors"
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

	// Trusts reports whether the user lets the documents of other users act here; nil means not. It is asked only if there are any.
	Trusts func() bool

	ctx context.Context // nil is never cancelled
}

var (
	_ store.Backend = (*Store)(nil)
	_ store.Notes   = (*Store)(nil)
)

// With returns the same store bound to a context.
func (s *Store) With(ctx context.Context) store.Backend {
	of := *s
	of.ctx = ctx
	return &of
}

// Path returns the file of a document.
func (s *Store) Path(k store.Key) string { return filepath.Join(s.Dir, document{k}.path()) }

// Get reads a document without a lock.
func (s *Store) Get(k store.Key) (store.Value, error) {
	doc := document{k}
	if !doc.Journaled() {
		if data, foreign := readDirect(s.Dir, doc.path(), int64(k.Kind.Limit)); data != nil {
			return s.of(k, store.Value{Data: data, Foreign: foreign, ReadLog: s.readLog(doc, data)}, nil)
		}
	}
	if s.never(doc) {
		return store.Value{}, nil
	}
	v, err := s.get(doc)
	v.ReadLog = s.readLog(doc, v.Data)
	return s.of(k, v, err)
}

// of refuses a document of another user that would act as this one. What only is there to be read is marked.
func (s *Store) of(k store.Key, v store.Value, err error) (store.Value, error) {
	v.Foreign = v.Foreign && (s.Trusts == nil || !s.Trusts())
	if v.Foreign && k.Kind.Acts {
		err = cmp.Or(err, store.WrapProblem(store.ErrOtherUser, "another user may write it, and it would run or speak as you"))
	}
	return v, err
}

// GetMany reads the files one by one.
func (s *Store) GetMany(keys []store.Key) []store.GetResult { return store.GetEach(s, keys) }

// get reads a document that Get could not read directly.
func (s *Store) get(doc document) (store.Value, error) {
	root, err := OpenIfExists(s.Dir)
	if root == nil || err != nil {
		return store.Value{}, err
	}
	defer root.Close()
	v, err := doc.read(root)
	if !errors.Is(err, store.ErrGone) && !errors.Is(err, store.ErrBusy) && (!doc.Journaled() || !doc.moved(root, v)) {
		return v, err
	}
	// Another process replaced the document between our looks at it and at its log. Some file systems in user space
	// also show no file at all while one is replaced. Nobody replaces it while we hold its lock.
	t, locked := beginTransaction(s.Dir, doc, s.patience())
	if locked != nil {
		return v, cmp.Or(err, locked)
	}
	defer t.end()
	return doc.read(t.root)
}

// never reports whether a document never existed: neither its file, nor its lock file, nor its log is there. It asks
// for three names, which is quicker than opening the folders.
func (s *Store) never(d document) bool {
	for _, path := range []string{d.path(), d.lockPath(), d.trace()} {
		if path != "" && !absent(filepath.Join(s.Dir, path)) {
			return false
		}
	}
	return true
}

// read reads a document and its journal. Its revision is the file that it was read from.
func (d document) read(root *os.Root) (v store.Value, err error) {
	path := d.path()
	data, info, err := readFile(root, path, int64(d.Kind.Limit))
	if errors.Is(err, fs.ErrNotExist) {
		v.Deleted, err = d.explainMissing(root)
		return v, err
	}
	if err != nil {
		if info, unseen := root.Lstat(path); unseen == nil {
			v.Revision, v.Changed = info, info.ModTime()
		}
		return v, err
	}
	v.Data, v.Revision, v.Changed, v.Foreign = data, info, info.ModTime(), foreign(info)
	if d.Journaled() {
		// What was acknowledged is read before the log: until the document is replaced the log only grows, so it has at
		// least that.
		_, v.Acknowledged = d.recorded(root)
		if v.Log, info, err = readFile(root, d.logPath(), d.Kind.Log.Limit); errors.Is(err, fs.ErrNotExist) {
			err = nil
		} else if err == nil {
			v.Foreign = v.Foreign || foreign(info)
		}
	}
	return v, err
}

// moved reports whether the file of a document is another one than was seen.
func (d document) moved(root *os.Root, seen store.Value) bool {
	info, err := root.Lstat(d.path())
	old, _ := seen.Revision.(fs.FileInfo)
	if old == nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return err != nil || !same(info, old)
}

// Update runs the change once, under the lock of the document.
func (s *Store) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	doc := document{k}
	t, err := beginTransaction(s.Dir, doc, s.patience())
	if err != nil {
		return err
	}
	defer t.end()
	v, err := doc.read(t.root)
	if v.Data == nil && k.Kind.Acts {
		v.Foreign = writesForOthers(t.root) // so that it could not be read again
	}
	v, err = s.of(k, v, err)
	if !doc.Journaled() {
		v.ReadLog = t.readLog
	}
	w, err := change(v, err)
	if err == nil && v.Foreign && (w.Delete || w.Data != nil) {
		err = t.checkWritable()
	}
	err = w.KeepCopy(err, func() (string, error) { return doc.quarantine(t.root) })
	switch {
	case err != nil:
		return err
	case w.Delete:
		paths, err := doc.remains(t.root, w.Copy == nil)
		if err != nil {
			return err
		}
		return t.remove(paths...)
	case w.Data != nil:
		old, _ := v.Revision.(fs.FileInfo)
		t.untrusted = v.Foreign
		if err = t.replace(w, old); err == nil && len(v.Log) > 0 {
			// The document includes its lines; removing them is only a cleanup.
			_ = t.truncateLog()
		}
		return err
	}
	return nil
}

// List reads the folder only.
func (s *Store) List(kind *store.Spec, like string, times bool) ([]store.Entry, error) {
	root, err := OpenIfExists(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := fileNames(root, kind.Folder)
	if err != nil {
		return nil, err
	}
	var entries []store.Entry
	add := func(name, path string) error {
		e := store.Entry{Name: name}
		if times {
			info, err := root.Lstat(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it is already gone
			}
			if err != nil {
				return SystemError(err)
			}
			e.Changed = info.ModTime()
		}
		entries = append(entries, e)
		return nil
	}
	for _, file := range files {
		name, isDocument := strings.CutSuffix(file, ".json")
		if !isDocument || like != "" && !strings.EqualFold(name, like) {
			continue
		}
		if err := add(name, filepath.Join(kind.Folder, file)); err != nil {
			return nil, err
		}
	}
	if kind.Log == nil || like != "" {
		return entries, nil
	}
	lost, err := lostDocuments(root, kind, entries)
	for _, doc := range lost {
		if err := add(doc.Name, doc.logPath()); err != nil {
			return nil, err
		}
	}
	return entries, err
}

// lostDocuments returns the documents of a collection that were saved before and are gone, though their logs are there.
func lostDocuments(root *os.Root, kind *store.Spec, saved []store.Entry) (lost []document, err error) {
	logs, err := fileNames(root, kind.Log.Folder)
	if len(logs) == 0 || err != nil {
		return nil, err
	}
	there := make(map[string]bool, len(saved))
	for _, e := range saved {
		there[e.Name] = true
	}
	for _, file := range logs {
		name, isLog := strings.CutSuffix(file, kind.Log.Ending)
		if !isLog || there[name] {
			continue
		}
		doc := document{store.Key{Kind: kind, Name: name}}
		if _, err := doc.explainMissing(root); errors.Is(err, store.ErrGone) {
			lost = append(lost, doc)
		}
	}
	return lost, nil
}

// Watch watches the files of documents, of their journals, and of their notes.
// Of a collection it watches the folder, however many documents there are.
func (s *Store) Watch(keys ...store.Key) store.Watch {
	var paths []string
	for _, k := range keys {
		if k.Name == "" {
			k.Name = notify.EveryFile
		}
		doc := document{k}
		paths = append(paths, s.Path(k))
		if doc.Journaled() {
			paths = append(paths, filepath.Join(s.Dir, doc.logPath()))
		}
		if k.Kind.Note != "" {
			paths = append(paths, filepath.Join(s.Dir, doc.notePath()))
		}
	}
	return notify.Watch(slices.Compact(paths)...)
}
