package notify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"onward/internal/store"
)

// ErrStopped is the error of a read at the end of the file once its caller has stopped it.
// It differs from io.EOF, since the writer of the file may continue.
var ErrStopped = errors.New("stopped")

// Follower reads a file from its start and waits at its end for more.
// It starts again at the start when the file becomes shorter or is rewritten, and switches to the
// new file when another takes its name.
type Follower struct {
	Idle func() error // called before a wait, unless nil; its error ends the read

	path    string
	note    func(string)
	stop    <-chan struct{}
	changes store.Watch

	file   *os.File // nil until there is one
	offset int64
	first  []byte // the first bytes of the file, by which it is recognised
	latest []byte // the last bytes that were read, for the same purpose
	last   byte   // the last byte that was returned; if a file ends within a line, a line break comes before the next file
}

// Follow begins to follow a file, which need not exist yet, until stop is closed. It calls note with messages for the
// user: that the file is missing, or was replaced.
func Follow(path string, note func(string), stop <-chan struct{}) (*Follower, error) {
	r := &Follower{path: path, note: note, stop: stop, last: '\n'}
	file, err := os.Open(path)
	switch {
	case err == nil:
		r.file = file
	case errors.Is(err, fs.ErrNotExist):
		note(fmt.Sprintf("%q is not there yet: waiting for it", path))
	default:
		return nil, err
	}
	r.changes = Watch(path)
	if r.changes.Slow != nil {
		note(fmt.Sprintf("looking for changes to %q once a second: %v", path, r.changes.Slow))
	}
	return r, nil
}

// Close closes the file.
func (r *Follower) Close() error {
	r.changes.Close()
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Read returns the content of the file, and waits if there is none.
func (r *Follower) Read(p []byte) (int, error) {
	for {
		n, err := r.continueReading(p)
		if n > 0 || err != nil {
			return n, err
		}
		changed, err := r.checkFile()
		if err != nil {
			return 0, err
		}
		if changed {
			continue
		}
		if r.Idle != nil {
			if err := r.Idle(); err != nil {
				return 0, err
			}
		}
		select {
		case <-r.stop:
			return 0, ErrStopped
		case <-r.changes.Changes:
		}
	}
}

// continueReading continues to read the open file. A file that was rewritten in place is read from its start.
func (r *Follower) continueReading(p []byte) (int, error) {
	switch {
	case r.file == nil || len(p) == 0:
		return 0, nil
	case r.offset == 0 && r.last != '\n':
		p[0], r.last = '\n', '\n'
		return 1, nil
	}
	n, err := r.file.Read(p)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if n == 0 || err != nil {
		return n, err
	}
	// A file may have been truncated and have grown again since the last read: then it has other bytes at our place.
	if !r.matches(r.first, 0) || !r.matches(r.latest, r.offset-int64(len(r.latest))) {
		if err := r.restart("was rewritten"); err != nil {
			return 0, err
		}
		return r.continueReading(p)
	}
	read := p[:n]
	if r.offset == 0 {
		r.first = bytes.Clone(read[:min(n, sample)])
	}
	r.latest = append(r.latest, read[max(0, n-sample):]...)
	r.latest = bytes.Clone(r.latest[max(0, len(r.latest)-sample):])
	r.offset += int64(n)
	r.last = p[n-1]
	return n, nil
}

// sample is the number of bytes, at the start and before the current offset, by which a file is recognised.
const sample = 512

// matches reports whether the file has these bytes at an offset.
func (r *Follower) matches(want []byte, at int64) bool {
	var got [sample]byte
	n, _ := r.file.ReadAt(got[:len(want)], at)
	return bytes.Equal(got[:n], want)
}

// checkFile checks, at the end of the file, whether it was replaced or truncated, and reports whether there may be more to read.
func (r *Follower) checkFile() (changed bool, err error) {
	now, err := os.Stat(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // it was moved away; another one will take its name
	}
	if err == nil && !now.Mode().IsRegular() {
		err = fmt.Errorf("%q is not a regular file any more", r.path) // a pipe would wait for its writer
	}
	if err != nil {
		return false, err
	}
	if r.file != nil {
		open, err := r.file.Stat()
		switch {
		case err != nil:
			return false, err
		case os.SameFile(now, open) && open.Size() < r.offset:
			return true, r.restart("was cut")
		case os.SameFile(now, open):
			return false, nil
		case open.Size() > r.offset:
			return true, nil // lines were written after our read, before the file lost its name
		}
	}
	file, err := os.Open(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if r.file != nil {
		r.file.Close()
		r.note(fmt.Sprintf("%q is a new file: reading it from its start", r.path))
	}
	r.file, r.offset, r.first, r.latest = file, 0, nil, nil
	return true, nil
}

// restart goes back to the start of the file.
func (r *Follower) restart(why string) error {
	r.note(fmt.Sprintf("%q %s: reading it from its start", r.path, why))
	_, err := r.file.Seek(0, io.SeekStart)
	r.offset, r.first, r.latest = 0, nil, nil
	return err
}
