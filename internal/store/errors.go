package store

import (
	"errors"
	"fmt"
)

// The kinds of refusal of a store. Each has its own exit code.
var (
	ErrCorrupt           = errors.New("corrupt")                // the file differs from what was written
	ErrForeign           = errors.New("not an onward document") // valid, but of another program, or no file at all
	ErrLimit             = errors.New("over the limit")         // too large to read or to write
	ErrNewer             = errors.New("newer schema")           // written by a newer onward
	ErrBusy              = errors.New("busy")                   // another writer was faster; try again
	ErrLockUnsupported   = errors.New("cannot lock")            // the file system has no locks
	ErrNotDurable        = errors.New("not durable")            // the new state is in place, but not certain to survive a crash
	ErrChecksum          = errors.New("the checksum does not match: the file is damaged, or was edited by hand")
	ErrGone              = errors.New("the document is gone, though it was saved before")
	ErrPermission        = errors.New("not permitted")
	ErrIO                = errors.New("input or output error")
	ErrUnavailable       = errors.New("the store is unavailable")       // the database cannot be reached, or has no majority
	ErrUnknown           = errors.New("whether it was done is unknown") // the answer of the database was lost
	ErrInterrupted       = errors.New("interrupted")                    // the caller's context was cancelled
	ErrSettings          = errors.New("bad setting")                    // of a database, or a server that must not be used
	ErrInvalidName       = errors.New("bad id")                         // not a valid document name on every system
	ErrDeleting          = errors.New("it is being deleted")
	ErrMoved             = errors.New("it was moved")               // to another store, and is not to be used here any more
	ErrArriving          = errors.New("the move was not completed") // of what is here but not to be used yet
	ErrOperationsUnknown = errors.New("which operations were applied is not known")
	ErrNone              = errors.New("no such document") // there never was one, or it was deleted
)

// Kinds that are narrower than one of the above, for messages that say more.
var (
	ErrOtherUser       error = &narrower{ErrPermission} // the document is of another user, and would act as this one
	ErrCertificate     error = &narrower{ErrPermission} // a database refused our certificate, or its own was refused
	ErrFull            error = &narrower{ErrIO}         // there is no room for what is to be written
	ErrQuota           error = &narrower{ErrIO}         // a database has used all the space that it may
	ErrRequestTooLarge error = &narrower{ErrLimit}      // it is more than a database takes at once
	ErrHoldLost        error = &narrower{ErrBusy}       // a holder did not answer for so long that others may hold the document
)

type narrower struct{ kind error }

func (n *narrower) Error() string { return n.kind.Error() }
func (n *narrower) Unwrap() error { return n.kind }

// WrapProblem joins a kind of refusal with its cause.
// The cause's text is kept, so that the message names the file and the system's error.
func WrapProblem(kind error, format string, args ...any) error {
	return fmt.Errorf("%w: %w", kind, fmt.Errorf(format, args...))
}

// ReadError is a document that cannot be read. It names the document for the repair command.
type ReadError struct {
	What string // the kind
	Name string
	Err  error
}

func (e *ReadError) Error() string { return fmt.Sprintf("read %s %q: %v", e.What, e.Name, e.Err) }
func (e *ReadError) Unwrap() error { return e.Err }
