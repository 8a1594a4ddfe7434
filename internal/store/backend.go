// Package store keeps documents in collections. It knows what every document has in common: the schema, the versions,
// the checksum, the ids of operations, repair, and the difference between a document that never existed and one that is gone.
// It knows neither what is in a document nor where documents are: the caller passes in a backend.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Spec describes what the documents of a collection have in common.
type Spec struct {
	Name   string // in messages, and of the schema onward/NAME/v1
	Folder string // of the collection in a backend
	Limit  int    // of a document, in bytes
	Log    *Log   // that each document has; nil means none
	Note   string // the ending of the note next to a document; empty means no note
	Acts   bool   // a document makes something run, or speak, as the user who reads it
}

// Log describes the log of a document. Its lines are added in commits, or by the holder of the document.
type Log struct {
	Folder  string
	Ending  string
	Limit   int64 // of what is read, in bytes
	Bound   int64 // from which size on, in bytes, it is trimmed to half of that, unless its document is long; 0 is never
	Lines   int   // how many lines a trimmed log has at most
	Journal bool  // the document is incomplete without it, so the two are read at one moment
}

// Key is the address of a document.
type Key struct {
	Kind *Spec
	Name string // fit for a file name
}

// Journaled reports whether the document is incomplete without its log.
func (k Key) Journaled() bool { return k.Kind.Log != nil && k.Kind.Log.Journal }

// Value is what a backend has under a key.
type Value struct {
	Data         []byte    // nil if there is no document
	Deleted      bool      // there is none, because it was deleted
	Foreign      bool      // it is of a user whom this one does not trust: it may be read, but nothing in it acts
	Changed      time.Time // when it was last written
	Log          []byte    // of a document with a journal
	Acknowledged string    // as the last line that was appended to the log left it
	Revision     any       // the backend's own

	// ReadLog reads a log that is not a journal, which takes long, as it was together with the document; nil if there
	// is none. Within an update, it is for the function that got the value.
	ReadLog func() ([]byte, error)
}

// Lines returns the log as it was together with the document. It has a line of each commit up to the document's own,
// but for those that were trimmed; a commit that came to nothing may have left one too. The error is ErrBusy if only
// what has changed since can be read.
func (v Value) Lines() ([]byte, error) {
	if v.ReadLog == nil {
		return v.Log, nil
	}
	return v.ReadLog()
}

// GetWithLog reads a document with its log, as they were at one moment. The first error is why the document cannot be
// read, and does not mean that the log cannot.
func GetWithLog(b Backend, k Key) (v Value, log []byte, unread, err error) {
	const attempts = 3
	for range attempts {
		v, unread = b.Get(k)
		if log, err = v.Lines(); !errors.Is(err, ErrBusy) {
			return v, log, unread, err
		}
	}
	// Others write it all the time. No commit comes between an update's look at the document and the end of its function.
	err = b.Update(k, func(now Value, why error) (Write, error) {
		v, unread = now, why
		log, err = now.Lines()
		return Write{}, err
	})
	return v, log, unread, err
}

// Write is a change of a document. One without data and deletion changes nothing.
type Write struct {
	Data   []byte
	Now    time.Time // the clock of the caller, which becomes the time of the document
	Line   []byte    // is added to the log in the same commit
	Trim   bool      // the log is to be trimmed, regardless of its size
	Delete bool      // the document is removed, with its log, its note and, unless one is asked for, the copies of it
	// Copy, if not nil, asks the backend to copy the damaged document before anything else, even if the function that
	// returned the write refuses the change with an error. The same content is copied once. Copy is called with the path.
	Copy func(path string)
}

// KeepCopy makes the copy that a write asks for, if it asks for one, and returns the error with which the caller
// refused the change, if it did. If copies returns no path, there was nothing to copy.
func (w Write) KeepCopy(refused error, copies func() (path string, err error)) error {
	if w.Copy == nil {
		return refused
	}
	path, err := copies()
	switch {
	case err != nil && refused != nil:
		return fmt.Errorf("%w (no copy could be kept: %w)", refused, err)
	case err != nil:
		return err
	case path != "":
		w.Copy(path)
	}
	return refused
}

// Line is an addition to a log.
type Line struct {
	Data         []byte // nil changes nothing
	At           int    // its offset in the log, in bytes; anything that follows there is void
	Acknowledged string // is stored apart from the log, and records how much of it was acknowledged
}

// Entry is a document as the list of its collection shows it.
type Entry struct {
	Name    string
	Changed time.Time // zero if only names were asked for
}

// Leftover is what is left of a document next to it.
type Leftover struct {
	Name    string
	Copy    string // where a copy of the damaged document is
	Deleted bool   // the document was deleted, and this is what the deletion has left
}

// Watch reports changes to a caller.
type Watch struct {
	Changes <-chan struct{} // has a value after one or more changes, and may have one without
	Slow    error           // why the backend looks for changes once a second only; nil if it reports each one
	Reader  Backend         // reads what is watched from memory until a change of it is reported; nil if the backend has no such thing
	Close   func()
}

// Backend keeps documents: in files, in memory, or in a database. It does not interpret them.
//
// Two kinds shaped it: files, which lock a document while it is changed, and databases with transactions,
// which compare what was read when they commit, and then try again. Every error is of one of the kinds in this package.
type Backend interface {
	// Get returns a consistent state of a document. The error is why it cannot be read: a document
	// that was saved and is gone is ErrGone, and one that never existed is no error, without data.
	// The document, its log and its mark are of one moment.
	Get(Key) (Value, error)

	// GetMany reads documents, of any collections, with as few requests as it can. The answers are those of Get, in the
	// order of the keys. Each is of one moment; all together need not be.
	GetMany([]Key) []GetResult

	// List returns the documents of a collection in no order, with their times or only their names. One that is gone
	// though its log is there is among them, and reading it is ErrGone.
	// If a name is given, it returns only those whose names are that one but for small and capital letters.
	List(kind *Spec, like string, times bool) ([]Entry, error)

	// Leftovers returns what is left over of documents, of all or of one name.
	Leftovers(kind *Spec, name string) ([]Leftover, error)

	// Update reads a document, has it changed, and commits the result with its line of the log, wholly or not at all.
	// No other commit comes between. Change may run several times, and the last time decides: so it has no effects but on
	// what it returns, and what is to follow the commit is done after Update has returned. Its first error ends the
	// update. An error is ErrNotDurable where the commit was made, and a crash could undo it; ErrUnknown where it may have
	// been made; after any other one, nothing has changed.
	Update(key Key, change func(Value, error) (Write, error)) error

	// Hold holds a document exclusively, until it is released or the process ends.
	// If it is held, the error is ErrBusy: at once, or after as long as the backend waits for a writer.
	Hold(key Key, atOnce bool) (Held, error)

	// Held reports whether a process holds a document.
	Held(Key) (bool, error)

	// Watch begins to watch documents, their logs and their notes.
	// A key without a name is every document of its collection, also those that come later.
	// The end of a hold is a change too if it can end on its own, as a lease does.
	Watch(keys ...Key) Watch

	// Path returns where a document is, for the user.
	Path(Key) string

	// With returns the same store bound to a context. If that is cancelled, a call ends in which the caller waits, with
	// ErrInterrupted, or with ErrUnknown if the commit may have been made. A deadline replaces the limit that the store has
	// on how long a caller waits: for another writer, for a document that is held, and for a database that does not
	// answer. One that has passed tries once. What is held is bound to no context.
	With(ctx context.Context) Backend
}

// And returns the changes of both watches as one.
func (w Watch) And(other Watch) Watch {
	changes, over := make(chan struct{}, 1), make(chan struct{})
	go func() {
		for {
			select {
			case <-over:
				return
			case <-w.Changes:
			case <-other.Changes:
			}
			select {
			case changes <- struct{}{}:
			default: // a value is waiting already
			}
		}
	}()
	return Watch{Changes: changes, Slow: cmp.Or(w.Slow, other.Slow), Reader: cmp.Or(w.Reader, other.Reader), Close: func() {
		close(over)
		w.Close()
		other.Close()
	}}
}

// Update has a backend change a document, as Backend.Update does. An error of the function is returned as it is;
// to any other one it adds what was to be done.
func Update(b Backend, key Key, what string, change func(Value, error) (Write, error)) error {
	var refused error
	err := b.Update(key, func(v Value, unread error) (w Write, _ error) {
		w, refused = change(v, unread)
		return w, refused
	})
	if err != nil && refused == nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	return err
}

// Held is a document that is held exclusively. Others may still commit changes of it, but only its
// holder appends to its log. A database cannot stop a holder that does not answer any more, and
// lets the next one have the document. Any later operation of the first one returns ErrBusy, and
// changes nothing.
type Held interface {
	// What is committed by it is committed only while the document is held.
	Backend

	// Append adds a line to a journal, and returns when it is durable. The part that was read before is read again
	// only if it has changed. The function may run several times: the line is of the last one. The
	// new value is returned for the log alone: its data is what was seen.
	Append(seen Value, change func(Value, error) (Line, error)) (Value, error)

	// Replaced reports whether the document has been replaced since it was read.
	Replaced(seen Value) bool

	Release()
}

// Notes keep a short text next to a document, apart from its lock and without sync: it changes often, and losing it costs
// little.
// They stay on the machine with every backend.
type Notes interface {
	Note(Key) []byte
	ChangeNote(key Key, change func([]byte) []byte) error
}
