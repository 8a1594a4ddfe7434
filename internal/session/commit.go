package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"onward/internal/todo"
)

// keptOps is how many operation ids a document remembers.
const keptOps = 16

// transaction is one locked read, change and write of one list.
type transaction struct {
	root *os.Root
	lock *os.File
	name Name
}

// begin makes the folders where they are missing, takes the lock,
// and clears away what a writer that died has left.
func (s *Store) begin(name Name) (*transaction, error) {
	root, err := s.create(sessionsDir, historyDir)
	if err != nil {
		return nil, err
	}
	// The lock is a file of its own that is never renamed or removed:
	// a lock on a file that is replaced would be a lock on the old file.
	lock, err := openLock(root, lockPath(name))
	if err != nil {
		root.Close()
		return nil, err
	}
	if err := acquire(lock, s.LockTimeout); err != nil {
		root.Close()
		return nil, err
	}
	t := &transaction{root: root, lock: lock, name: name}
	t.sweep()
	return t, nil
}

// end gives the lock back; closing the file does it.
func (t *transaction) end() {
	t.lock.Close()
	t.root.Close()
}

// create opens the store for writing and makes folders in it where they are missing. The store itself may be a link that the user chose;
// below it, os.Root lets nothing lead outside.
func (s *Store) create(folders ...string) (*os.Root, error) {
	root, err := os.OpenRoot(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.Dir, 0o700); err == nil {
			root, err = os.OpenRoot(s.Dir)
		}
	}
	if err != nil {
		return nil, systemError(err)
	}
	for _, dir := range folders {
		info, err := root.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			if err = root.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
				err = nil
			}
		} else if err == nil && !info.IsDir() {
			err = problem(ErrForeign, "%s is %s, not a folder", dir, kind(info.Mode()))
		}
		if err != nil {
			root.Close()
			return nil, systemErrorUnless(err, ErrForeign)
		}
	}
	return root, nil
}

func systemErrorUnless(err, kind error) error {
	if errors.Is(err, kind) {
		return err
	}
	return systemError(err)
}

// commit puts a changed document in the place of the old one.
// Up to the rename nothing has changed; after it everything has.
func (t *transaction) commit(doc *Document, old fs.FileInfo, op string, did Change, now todo.Time) error {
	if old == nil {
		if err := t.checkCase(); err != nil {
			return err
		}
	}
	if op == "" {
		op = fmt.Sprintf("o%016x", rand.Uint64())
	}
	previous := doc.Todos.Rev
	doc.Rev++
	doc.Op = op
	doc.Ops = append(doc.Ops, op)
	doc.Ops = doc.Ops[max(0, len(doc.Ops)-keptOps):]
	doc.UpdatedAt = now
	if did.List {
		doc.Todos.Rev, doc.Todos.UpdatedAt = doc.Rev, now
	}
	data, items, err := encode(doc)
	if err != nil {
		return err
	}
	// The lock file names the temporary file before it exists,
	// so that the next holder finds what we leave if we die.
	temp := fmt.Sprintf(".%s.tmp-%012x", t.name, rand.Uint64()>>16)
	if err := t.note(old != nil, temp); err != nil {
		return systemError(err)
	}
	// The history comes before the document: a crash between the two leaves an entry
	// that never happened, which no later entry leads to.
	if did.List {
		if err := t.remember(doc, items, previous, did); err != nil {
			return err
		}
	}
	return t.replace(data, filepath.Join(sessionsDir, temp), old, now)
}

// replace writes data to a temporary file and renames it over the document.
func (t *transaction) replace(data []byte, path string, old fs.FileInfo, now todo.Time) error {
	target := documentPath(t.name)
	mode := fs.FileMode(0o600)
	if old != nil {
		mode = old.Mode().Perm()
	}
	if err := writeSynced(t.root, path, data, mode, now.Time()); err != nil {
		t.root.Remove(path)
		return systemError(err)
	}
	if err := t.unmoved(target, old); err != nil {
		t.root.Remove(path)
		return err
	}
	if err := rename(t.root, path, target); err != nil {
		t.root.Remove(path)
		return systemError(err)
	}
	// From here on the new state is in place, whatever happens.
	t.note(true, "")
	if err := syncDir(t.root, sessionsDir); err != nil {
		return fmt.Errorf("%w: %w", ErrNotDurable, err)
	}
	return nil
}

// writeSynced makes a new file, readable by its owner only from its first moment,
// and returns when the disk has it. An error of fsync is final:
// a second try on the same file would report a success that is none.
func writeSynced(root *os.Root, path string, data []byte, mode fs.FileMode, now time.Time) error {
	f, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && mode != 0o600 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = date(root, f, path, now)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// date gives a file the time of a clock that is not the file system's own, as in a replay,
// because lists are sorted by the times of their files. Below the millisecond it has the real time
// within ten minutes, scaled down, so that what is written later is still newer.
func date(root *os.Root, f *os.File, path string, now time.Time) error {
	info, err := f.Stat()
	if err != nil || info.ModTime().Sub(now).Abs() < time.Second {
		return err
	}
	const period = 10 * time.Minute
	real := time.Duration(time.Now().UnixNano()) % period
	at := now.Add(real / (period / time.Millisecond))
	return root.Chtimes(path, at, at)
}

// unmoved sees, just before the rename, that nobody wrote while we held the lock.
// It is the only defence on a file system whose locks do nothing.
func (t *transaction) unmoved(target string, old fs.FileInfo) error {
	info, err := t.root.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist) && old == nil:
		return nil
	case err == nil && old != nil && os.SameFile(info, old) && info.Size() == old.Size() && info.ModTime().Equal(old.ModTime()):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return systemError(err)
	}
	return problem(ErrBusy, "the document moved while it was locked")
}

// checkCase refuses a new id that differs from an existing one only in case,
// since the two would be one file on other systems.
func (t *transaction) checkCase() error {
	dir, err := t.root.Open(sessionsDir)
	if err != nil {
		return systemError(err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return systemError(err)
	}
	own := t.name.String()
	for _, n := range names {
		id, isDocument := strings.CutSuffix(n, ".json")
		if isDocument && id != own && strings.EqualFold(id, own) {
			return fmt.Errorf("%w: session %q differs from the existing %q only in case", ErrID, own, id)
		}
	}
	return nil
}

// recordSize is the fixed length of what a lock file holds, so that one write replaces it whole.
const recordSize = 320

// note writes into the lock file whether the document exists, and which temporary file is being written.
func (t *transaction) note(exists bool, temp string) error {
	record := bytes.Repeat([]byte{' '}, recordSize)
	state := "new"
	if exists {
		state = "saved"
	}
	copy(record, state+"\n"+temp+"\n")
	record[recordSize-1] = '\n'
	_, err := t.lock.WriteAt(record, 0)
	return err
}

// parseNote gives back what note wrote; nothing where the file is new.
func parseNote(record []byte) (exists bool, temp string) {
	lines := strings.SplitN(string(record), "\n", 3)
	if len(lines) < 3 {
		return false, ""
	}
	return lines[0] == "saved", lines[1]
}

// sweep removes the temporary file of a writer that died.
// Such files are only made under the lock, which we hold, so it is nobody's.
func (t *transaction) sweep() {
	record := make([]byte, recordSize)
	n, _ := t.lock.ReadAt(record, 0)
	exists, temp := parseNote(record[:n])
	if temp == "" || !strings.HasPrefix(temp, "."+t.name.String()+".tmp-") || strings.ContainsAny(temp, `/\`) {
		return
	}
	if err := t.root.Remove(filepath.Join(sessionsDir, temp)); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.note(exists, "")
	}
}

// remembered reports whether a document was ever committed under this name.
// The lock file is written before everything else and never removed, so its word counts;
// where it is gone or made anew, somebody removed files, and a history tells that there was a list.
func remembered(root *os.Root, name Name) bool {
	if record, _, err := readFile(root, lockPath(name), recordSize); err == nil && len(record) > 0 {
		exists, _ := parseNote(record)
		return exists
	}
	_, err := root.Lstat(historyPath(name))
	return err == nil
}

// openLock opens the lock file for writing, since a lock on NFS wants that.
func openLock(root *os.Root, path string) (*os.File, error) {
	if info, err := root.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, problem(ErrForeign, "%s is %s, not a file", path, kind(info.Mode()))
	}
	f, err := root.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, systemError(err)
	}
	return f, nil
}

// checkOp refuses an operation id that is too long to be kept sixteen times.
func checkOp(op string) error {
	if len(op) > maxSession || !utf8.ValidString(op) || strings.ContainsFunc(op, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return fmt.Errorf("%w: operation id %q is too long, or holds white space or what is no UTF-8", ErrID, op)
	}
	return nil
}

// answered finds the answer to an operation that was applied before.
func (t *transaction) answered(doc *Document, op string) (Commit, bool) {
	if op == "" || !slices.Contains(doc.Ops, op) {
		return Commit{}, false
	}
	again := Commit{Doc: doc, Again: true, Changed: true, Change: Change{What: "applied before"}}
	for _, e := range readHistory(t.root, t.name) {
		if e.Op == op {
			again.Change = Change{What: e.Change, By: e.By, Touched: e.Touched, List: true}
			again.Doc.Rev = e.Rev
		}
	}
	return again, true
}
