package durable

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"onward/internal/store"
)

// readLog returns what reads the log of a document whose content was read without a lock.
func (s *Store) readLog(doc document, seen []byte) func() ([]byte, error) {
	if doc.Kind.Log == nil || doc.Journaled() {
		return nil
	}
	return func() ([]byte, error) {
		log, err := Read(s.Dir, doc.logPath(), doc.Kind.Log.Limit)
		if err != nil {
			return nil, err
		}
		// Every commit changes the document, even if it leaves the log as it is.
		now, _ := s.Get(doc.Key)
		if !bytes.Equal(now.Data, seen) {
			return nil, store.WrapProblem(store.ErrBusy, "%s was changed while its log was read", s.Path(doc.Key))
		}
		return log, nil
	}
}

// readLog reads the log of the document that is locked.
func (t *transaction) readLog() ([]byte, error) {
	if t.doc.Kind.Log == nil {
		return nil, nil
	}
	data, _, err := readFile(t.root, t.doc.logPath(), t.doc.Kind.Log.Limit)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return data, err
}

// appendLog appends the line of a commit to the log of the document, before the document is written, which had before bytes.
// It is not synced: losing its end costs an undo, never a list.
func (t *transaction) appendLog(w store.Write, before int) error {
	f, info, err := OpenFile(t.root, t.doc.logPath(), os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer f.Close()
	line := w.Line
	if info != nil {
		if t.doc.Kind.Log.NeedsTrim(int(info.Size()), w, before) {
			if trimmed, err := t.trimLog(f, w, before); trimmed || err != nil {
				return SystemError(err)
			}
		}
		if !endsLine(f, info.Size()) {
			line = append([]byte("\n"), line...)
		}
	}
	_, err = f.Write(line)
	return SystemError(errors.Join(err, f.Close()))
}

// endsLine reports whether a file ends with a whole line;
// a writer that died may have left half of one, which must not spoil the next.
func endsLine(f *os.File, size int64) bool {
	var last [1]byte
	_, err := f.ReadAt(last[:], size-1)
	return size == 0 || err == nil && last[0] == '\n'
}

// trimLog closes the log and rewrites it without its oldest lines and with the new one, unless no line has to go.
func (t *transaction) trimLog(f *os.File, w store.Write, before int) (trimmed bool, err error) {
	path, kind := t.doc.logPath(), t.doc.Kind.Log
	data, _, err := readOpen(f, path, kind.Limit)
	tooLong := errors.Is(err, store.ErrLimit)
	if err != nil && !tooLong {
		return false, err
	}
	// What follows the last whole line is half of one, left by a writer that died; it must not spoil the new one.
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	var sizes []int
	for line := range bytes.Lines(data) {
		sizes = append(sizes, len(line))
	}
	from := kind.Trim(sizes, w, before)
	if from == 0 && !tooLong {
		return false, nil
	}
	for _, size := range sizes[:from] {
		data = data[size:]
	}
	f.Close() // some systems do not replace a file that is open
	// A fixed name does no harm here: only the holder of the lock writes it.
	temp := t.doc.trimmedPath()
	t.root.Remove(temp)
	// Without the sync, a loss of power could leave an empty file in the place of the whole log.
	err = createFile(t.root, temp, func(f *os.File) error {
		_, err := f.Write(data)
		if err == nil {
			_, err = f.Write(w.Line)
		}
		return err
	})
	if err == nil {
		err = rename(t.root.Rename, temp, path)
	}
	if err != nil {
		t.root.Remove(temp)
	}
	return true, err
}

// truncateLog empties the log.
func (t *transaction) truncateLog() error {
	f, err := t.root.OpenFile(t.doc.logPath(), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(0), f.Close())
}

// held is the right to append to the log of a document: a lock of its own, which the kernel releases
// when the process ends, however it ends.
type held struct {
	*Store // other writers need the document's lock only, so a commit needs nothing else
	key    store.Key
	lock   *transaction
	log    *os.File // once it was appended to
	at     int      // where the log ended when we last read or wrote it
}

// Hold acquires a lock next to the document's own, which stays free for other writers.
func (s *Store) Hold(k store.Key, atOnce bool) (store.Held, error) {
	p := s.patience()
	if atOnce {
		p.wait = 0
	}
	// The plus sign of a file name precedes an agent's id, which cannot begin with a dot.
	lock, err := beginTransaction(s.Dir, document{store.Key{Kind: k.Kind, Name: k.Name + "+.run"}}, p)
	if err != nil {
		return nil, err
	}
	free := &Store{Dir: s.Dir, Wait: s.Wait, Local: s.Local, Trusts: s.Trusts}
	return &held{Store: free, key: k, lock: lock, at: -1}, nil
}

// Held tries the lock, since only its holder can know that no other process has it.
func (s *Store) Held(k store.Key) (bool, error) {
	h, err := s.Hold(k, true)
	if err == nil {
		h.Release()
	} else if errors.Is(err, store.ErrBusy) {
		return true, nil
	}
	return false, err
}

func (h *held) Release() {
	if h.log != nil {
		h.log.Close()
	}
	h.lock.end()
}

func (h *held) Replaced(seen store.Value) bool { return document{h.key}.moved(h.lock.root, seen) }

// Append writes a line under the lock of the document, and returns when the disk has it.
func (h *held) Append(seen store.Value, change func(store.Value, error) (store.Line, error)) (store.Value, error) {
	doc := document{h.key}
	t, err := beginTransaction(h.Dir, doc, h.patience())
	if err != nil {
		return seen, err
	}
	defer t.end()
	v := seen
	if seen.Data == nil || doc.moved(t.root, seen) {
		v, err = doc.read(t.root)
		h.at = -1
	}
	line, err := change(v, err)
	if err != nil || line.Data == nil {
		return v, err
	}
	if err := h.append(t, line); err != nil {
		return v, err
	}
	v.Acknowledged = line.Acknowledged
	return v, t.writeMark(line.Acknowledged)
}

func (h *held) append(t *transaction, line store.Line) error {
	if h.log == nil {
		path := document{h.key}.logPath()
		f, _, err := OpenFile(t.root, path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
		if err != nil {
			return err
		}
		h.log = f
		if err := syncDir(t.root.Open, filepath.Dir(path)); err != nil {
			return SystemError(err)
		}
	}
	if h.at != line.At {
		// What follows was written in part only, or is already included in the document.
		if err := h.log.Truncate(int64(line.At)); err != nil {
			return SystemError(err)
		}
	}
	h.at = -1
	if _, err := h.log.Write(line.Data); err != nil {
		return SystemError(err)
	}
	if err := h.log.Sync(); err != nil {
		return SystemError(err)
	}
	h.at = line.At + len(line.Data)
	return nil
}
