// Package durable replaces documents on disk so that a reader always finds the old one or the new one,
// even after a crash or a power cut.
//
// A store is a folder with folders of documents, one file each. Readers take no lock:
// a document is replaced by renaming. Writers take the lock of the document, read, change, write a new file,
// sync it, rename it over the old one, and sync the folder.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"onward/internal/store"
)

// transaction is one locked read, change and write of one document with what belongs to it.
type transaction struct {
	root  *os.Root // the store
	lock  *os.File
	doc   document
	state string // of the document, as recorded in the lock file at the beginning
	mark  string // the caller's, in the lock file

	untrusted bool // another user may have written the document, and this one does not trust the store
}

// beginTransaction creates missing folders, acquires the lock, waiting at most that long,
// and clears away what a writer that died has left.
func beginTransaction(dir string, doc document, p patience) (*transaction, error) {
	if err := p.interrupted(); err != nil {
		return nil, err
	}
	root, err := createFolders(dir, folders(doc.Kind))
	if err != nil {
		return nil, err
	}
	t := &transaction{root: root, doc: doc}
	if err = t.acquire(p); err != nil {
		root.Close()
		return nil, err
	}
	if err = t.sweep(); err != nil {
		t.end()
		return nil, err
	}
	return t, nil
}

// end releases the lock; closing the file does it.
func (t *transaction) end() {
	t.lock.Close()
	t.root.Close()
}

// acquire opens the lock file and locks it, waiting at most that long.
// A lock on a file that has been removed since is void, since others lock its successor: it is acquired again.
func (t *transaction) acquire(p patience) (err error) {
	for deadline := time.Now().Add(p.wait); ; {
		// It is opened for writing, since a lock on NFS requires that.
		if t.lock, _, err = OpenFile(t.root, t.doc.lockPath(), os.O_RDWR|os.O_CREATE); err != nil {
			return err
		}
		if err = acquire(t.lock, p); err != nil {
			return err
		}
		held, err := t.isCurrent()
		if held {
			return nil
		}
		t.lock.Close()
		switch {
		case err != nil:
			return err
		case !time.Now().Before(deadline):
			return store.WrapProblem(store.ErrBusy, "the lock file is removed again and again")
		}
	}
}

// isCurrent reports whether the file that we have locked is still the one that others find.
func (t *transaction) isCurrent() (bool, error) {
	ours, err := t.lock.Stat()
	if err != nil {
		return false, SystemError(err)
	}
	theirs, err := t.root.Lstat(t.doc.lockPath())
	switch {
	case err == nil:
		return os.SameFile(ours, theirs), nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, SystemError(err)
}

// createFolders opens the store for writing.
func createFolders(dir string, folders []string) (*os.Root, error) {
	if err := StartRuntimePoller(); err != nil {
		return nil, SystemError(err)
	}
	root, err := openRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeDurably(dir); err == nil {
			root, err = openRoot(dir)
		}
	}
	if err != nil {
		return nil, SystemError(err)
	}
	for _, folder := range folders {
		if err := MakeFolder(root, folder); err != nil {
			root.Close()
			return nil, err
		}
	}
	return root, nil
}

// makeDurably makes the folder of a store, and those above it that are missing.
// The content of a folder survives a loss of power only if the folder does.
func makeDurably(dir string) error {
	above := filepath.Dir(dir)
	if _, err := os.Lstat(above); errors.Is(err, fs.ErrNotExist) && above != dir {
		if err := makeDurably(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncOutside(above)
}

// MakeFolder makes a folder of a store if it is missing, for its owner only.
func MakeFolder(root *os.Root, folder string) error {
	info, err := root.Lstat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err = root.Mkdir(folder, 0o700); err == nil {
			err = errors.Join(chown(root, folder), syncDir(root.Open, "."))
		} else if errors.Is(err, fs.ErrExist) {
			err = nil
		}
	case err == nil && !info.IsDir():
		return notFolder(folder, info)
	}
	return SystemError(err)
}

// OpenFile opens a file of a store, and returns how it was found; a new one belongs to the store's owner.
// What is not a regular file is refused. The error of one that does not exist is fs.ErrNotExist too.
func OpenFile(root *os.Root, path string, flag int) (*os.File, fs.FileInfo, error) {
	info, err := root.Lstat(path)
	switch {
	case err == nil:
		if err := regular(path, info); err != nil {
			return nil, nil, err
		}
	case flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist):
		return nil, nil, SystemError(err)
	}
	f, err := root.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, nil, SystemError(err)
	}
	if info == nil {
		if err := chown(root, path); err != nil {
			return nil, nil, errors.Join(SystemError(err), f.Close())
		}
	}
	return f, info, nil
}

// createFile makes a new file, readable by its owner only from its first moment,
// and returns when the disk has it. An error of fsync is final:
// a second try on the same file would report a false success.
func createFile(root *os.Root, path string, write func(*os.File) error) error {
	f, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = chown(root, path); err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// replace replaces the content of the document, which was read as the file old, or as nil if there was none.
// Up to the rename nothing has changed; after it everything has, and an error is store.ErrNotDurable.
// The file keeps its mode; one that another user may have written, and whom this one does not trust, is from then on this user's, so that
// nobody else may write it.
func (t *transaction) replace(w store.Write, old fs.FileInfo) error {
	// The lock file names the temporary file before it exists,
	// so that the next holder finds what we leave if we die.
	temp := fmt.Sprintf(".%s.tmp-%012x", t.doc.Name, rand.Uint64()>>16)
	state, before := stateNew, 0
	if old != nil {
		state, before = stateSaved, int(old.Size())
	}
	err := t.record(state, temp)
	if err == nil && old == nil {
		// That there is no document yet must be on disk before anything else of it,
		// or a loss of power leaves what looks like a document that was lost.
		err = t.lock.Sync()
	}
	if err != nil {
		return SystemError(err)
	}
	if w.Line != nil {
		// The log comes before the document: a crash between the two leaves a line
		// that never happened, which no later line leads to.
		if err := t.appendLog(w, before); err != nil {
			return err
		}
	}
	path := filepath.Join(t.doc.Kind.Folder, temp)
	err = SystemError(createFile(t.root, path, func(f *os.File) error {
		_, err := f.Write(w.Data)
		if err == nil && old != nil && old.Mode().Perm() != 0o600 {
			mode := old.Mode().Perm()
			if t.untrusted {
				mode &^= 0o022
			}
			err = f.Chmod(mode)
		}
		if err == nil {
			err = date(t.root, f, path, w.Now)
		}
		return err
	}))
	if err == nil {
		err = t.checkUnchanged(old)
	}
	if err == nil {
		err = SystemError(rename(t.root.Rename, path, t.doc.path()))
	}
	if err != nil {
		t.root.Remove(path)
		return err
	}
	// From here on the new state is in place, no matter what happens.
	t.record(stateSaved, "")
	if err := syncDir(t.root.Open, t.doc.Kind.Folder); err != nil {
		return fmt.Errorf("%w: %w", store.ErrNotDurable, err)
	}
	return nil
}

// checkWritable refuses a document that its owner does not let this user write: in a folder that others may write, it could be replaced.
func (t *transaction) checkWritable() error {
	f, _, err := OpenFile(t.root, t.doc.path(), os.O_WRONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err == nil {
		err = f.Close()
	}
	return SystemError(err)
}

// date sets the time of a file to that of a clock that is not the file system's own, as in a replay,
// because lists are sorted by the times of their files.
func date(root *os.Root, f *os.File, path string, now time.Time) error {
	info, err := f.Stat()
	if err != nil || info.ModTime().Sub(now).Abs() < time.Second {
		return err
	}
	return root.Chtimes(path, now, now)
}

// remove deletes the document, and then the other files of the store that belong to it.
// Until the document goes nothing has changed; after it everything has, and an error is store.ErrNotDurable.
// Files that a crash leaves have no owner: the next transaction finds the document deleted.
// The lock file stays, as always: another process may be waiting for it.
func (t *transaction) remove(others ...string) error {
	err := t.record(stateGone, "")
	if err == nil {
		// Without it, a loss of power could undo this record and not the removal, and a document that was deleted would be
		// reported as lost.
		err = t.lock.Sync()
	}
	if err == nil {
		if err = t.root.Remove(t.doc.path()); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		_ = t.record(t.state, "")
		return SystemError(err)
	}
	if err := syncDir(t.root.Open, t.doc.Kind.Folder); err != nil {
		// A loss of power may bring the document back, and then its log and its note have to be there too.
		return fmt.Errorf("%w: %w", store.ErrNotDurable, err)
	}
	for _, path := range others {
		if err := t.root.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: it is deleted, and what belonged to it is still there: %w", store.ErrNotDurable, err)
		}
	}
	return nil
}

// clearDeleted removes the files that belonged to a deleted document, and returns when the removal is
// durable. No new files may be written before: these would be mistaken for the new document's.
func (t *transaction) clearDeleted() error {
	paths, err := t.doc.remains(t.root, false)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := t.root.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return SystemError(err)
		}
	}
	for _, folder := range folders(t.doc.Kind) {
		if err := syncDir(t.root.Open, folder); err != nil {
			return SystemError(err)
		}
	}
	return nil
}

// checkUnchanged checks, just before the rename, that no other process wrote while the lock was held.
// It is the only defence if locks do nothing, as on some file systems, or if somebody has removed the lock file.
func (t *transaction) checkUnchanged(old fs.FileInfo) error {
	if held, err := t.isCurrent(); err != nil {
		return err
	} else if !held {
		return store.WrapProblem(store.ErrBusy, "the lock file was removed while it was locked")
	}
	info, err := t.root.Lstat(t.doc.path())
	switch {
	case errors.Is(err, fs.ErrNotExist) && old == nil:
		return nil
	case err == nil && old != nil && same(info, old):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return SystemError(err)
	}
	return store.WrapProblem(store.ErrBusy, "the document moved while it was locked")
}

// same reports whether two reads of a document saw the same content.
func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
