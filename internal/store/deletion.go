package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Deletion deletes a document together with what others keep for it, such as the calls of a list. It has three steps: it
// marks the document, so that nobody uses it any more; it removes what others keep for it; it removes the document.
// The process that deletes a document holds it while it does. So a document with a mark and without a holder is one whose
// deletion was cut off, and anybody may complete that.
type Deletion[D any] struct {
	Goes             func(changed time.Time) bool // whether it is to go, by the time of its last change; it may run several times
	Mark             func(*D) (Write, error)      // marks it, with the same time; nil is for a document that needs no mark
	RemoveDependents func(Backend) (removed bool, err error)
	Cut              bool // only a deletion that was cut off is completed
}

// ErrHalfDeleted is a deletion that was begun and is not complete. It is ErrNotDurable too.
var ErrHalfDeleted error = halfDeleted{}

type halfDeleted struct{}

func (halfDeleted) Error() string {
	return ErrNotDurable.Error() + ": the deletion was begun and is not complete"
}
func (halfDeleted) Unwrap() error { return ErrNotDurable }

// Delete deletes a document, also one that cannot be read: nobody can write that, so it needs no mark. It reports whether
// the document is gone, even with an error. If there never was one, the error is ErrNone. Where the rest refuses and
// has removed nothing, the document is as it was, and the error is that of the rest; after any other failure of a
// later step it is ErrHalfDeleted.
func (c Collection[D, C, P]) Delete(name string, how Deletion[D]) (gone bool, err error) {
	if how.Mark != nil {
		// Who only wants to use the name waits until another process has deleted the document.
		held, err := c.Backend.Hold(c.key(name), !how.Cut)
		switch {
		case err == nil:
			defer held.Release()
			c.Backend = held
		case errors.Is(err, ErrBusy) && !how.Cut: // the lease of one that was killed may last; both make the same deletion
		case errors.Is(err, ErrFull): // deleting makes room
		default:
			return false, fmt.Errorf("%s: %w", c.what("delete", name), err)
		}
	}
	var before, marked []byte
	var goes, begun bool
	err = Update(c.Backend, c.key(name), c.what("delete", name), func(v Value, unread error) (w Write, err error) {
		before, marked, goes, begun = v.Data, v.Data, true, true
		switch {
		case unread == nil && v.Data == nil && !v.Deleted:
			return w, ErrNone
		case unread == nil && v.Data == nil:
			return w, nil // what a deletion has left of it may still be there
		case !how.Goes(v.Changed):
			goes = false
			return w, nil
		}
		doc, unread := c.open(name, v, unread, false)
		begun = unread == nil && P(doc).Head().Deleting
		if goes = begun || !how.Cut; begun || unread != nil || how.Mark == nil || how.Cut {
			return w, nil
		}
		if w, err = how.Mark(doc); err == nil {
			w.Now, marked = v.Changed, w.Data
		}
		return w, err
	})
	var late error // the mark is there, but a crash might undo it
	switch {
	case errors.Is(err, ErrNotDurable):
		late, err = err, nil
	case errors.Is(err, ErrFull) && goes:
		// The disk has no room for the mark, and deleting makes room. The document is deleted if nobody uses it in the meantime.
		marked, err = before, nil
	}
	if err != nil || !goes {
		return false, err
	}
	removed, err := how.RemoveDependents(c.Backend)
	if err != nil && !errors.Is(err, ErrNotDurable) { // that is done, and what follows can be
		if removed || begun || c.replace(name, marked, Write{Data: before}) != nil {
			err = fmt.Errorf("%w: %w", ErrHalfDeleted, err)
		}
		return false, err
	}
	if failed := c.replace(name, marked, Write{Delete: true}); failed != nil {
		v, unread := c.Backend.Get(c.key(name))
		if gone = unread == nil && v.Data == nil; !gone {
			failed = fmt.Errorf("%w: %w", ErrHalfDeleted, failed)
		}
		return gone, failed
	}
	return true, cmp.Or(err, late)
}

// replace commits a write where the document is as it was seen.
func (c Collection[D, C, P]) replace(name string, seen []byte, w Write) error {
	return Update(c.Backend, c.key(name), c.what("delete", name), func(v Value, unread error) (Write, error) {
		w.Now = v.Changed
		if !bytes.Equal(v.Data, seen) {
			return Write{}, cmp.Or(unread, WrapProblem(ErrBusy, "it was changed meanwhile"))
		}
		if bytes.Equal(w.Data, seen) && !w.Delete {
			return Write{}, nil
		}
		return w, nil
	})
}
