package session

import (
	"errors"

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
)
