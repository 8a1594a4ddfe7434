package session

import (
	"errors"
	"fmt"

	"onward/internal/durable"
)

// The kinds of refusal of the store are those of every store. Each has its own exit code.
var (
	ErrCorrupt         = durable.ErrCorrupt
	ErrForeign         = durable.ErrForeign
	ErrLimit           = durable.ErrLimit
	ErrNewer           = durable.ErrNewer
	ErrBusy            = durable.ErrBusy
	ErrLockUnsupported = durable.ErrLockUnsupported
	ErrNotDurable      = durable.ErrNotDurable
	ErrPermission      = durable.ErrPermission
	ErrIO              = durable.ErrIO
	ErrNoSession       = errors.New("no such session")
	ErrNoChange        = errors.New("no such change")
	ErrChoice          = errors.New("the session chosen for the project is not known")
)

// ReadError is a document that cannot be read. It names the session, for the command that repairs it.
type ReadError struct {
	What string // session or schedule
	Name Name
	Err  error
}

func (e *ReadError) Error() string { return fmt.Sprintf("read %s %q: %v", e.What, e.Name, e.Err) }
func (e *ReadError) Unwrap() error { return e.Err }
