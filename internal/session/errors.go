package session

import (
	"errors"

	"onward/internal/store"
)

// The kinds of refusal of the store are those of every store. Each has its own exit code.
var (
	ErrCorrupt         = store.ErrCorrupt
	ErrForeign         = store.ErrForeign
	ErrLimit           = store.ErrLimit
	ErrNewer           = store.ErrNewer
	ErrBusy            = store.ErrBusy
	ErrLockUnsupported = store.ErrLockUnsupported
	ErrNotDurable      = store.ErrNotDurable
	ErrPermission      = store.ErrPermission
	ErrIO              = store.ErrIO
	ErrID              = store.ErrID
	ErrNoSession       = errors.New("no such session")
	ErrNoChange        = errors.New("no such change")
	ErrChoice          = errors.New("the session chosen for the project is not known")
)
