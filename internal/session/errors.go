package session

import "errors"

// The kinds of refusal that only lists have, in addition to those of every store.
var (
	ErrNoSession = errors.New("no such session")
	ErrNoChange  = errors.New("nothing to undo")
	ErrChoice    = errors.New("the session chosen for the project is not known")
)
