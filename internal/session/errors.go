package session

import (
	"errors"
	"fmt"
)

// The kinds of refusal that only lists have, in addition to those of every store.
var (
	ErrNoSession = errors.New("no such session")
	ErrNoChange  = errors.New("nothing to undo")
	ErrChoice    = errors.New("the session chosen for the project is not known")
)

// NoSessionError is ErrNoSession with the name that is not saved.
type NoSessionError struct{ Name string }

func (e *NoSessionError) Error() string { return fmt.Sprintf("%v: %q", ErrNoSession, e.Name) }
func (e *NoSessionError) Unwrap() error { return ErrNoSession }
