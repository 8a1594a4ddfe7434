package durable

import (
	"errors"
	"fmt"
	"io/fs"
)

// The kinds of refusal of a store. Each has its own exit code.
var (
	ErrCorrupt         = errors.New("corrupt")                // the file is not what was once written
	ErrForeign         = errors.New("not a document of ours") // valid, but of another program, or no file at all
	ErrLimit           = errors.New("over the limit")         // too large to read or to write
	ErrNewer           = errors.New("newer schema")           // written by a newer onward
	ErrBusy            = errors.New("busy")                   // another writer was faster; try again
	ErrLockUnsupported = errors.New("cannot lock")            // the file system has no locks
	ErrNotDurable      = errors.New("not durable")            // the new state is in place, but not certain to survive a crash
	ErrChecksum        = errors.New("the checksum does not match: the file is damaged, or was edited by hand")
	ErrGone            = errors.New("the document is gone, though it was saved before")
	ErrPermission      = errors.New("not permitted")
	ErrIO              = errors.New("input or output error")
)

// Problem joins a kind of refusal with its cause.
// The cause's text is kept, so that the message names the file and the system's own word.
func Problem(kind error, format string, args ...any) error {
	return fmt.Errorf("%w: %w", kind, fmt.Errorf(format, args...))
}

// SystemError sorts an error of the operating system.
func SystemError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w", ErrPermission, err)
	default:
		return fmt.Errorf("%w: %w", ErrIO, err)
	}
}
