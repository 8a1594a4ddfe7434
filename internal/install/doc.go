// Package install adds onward's hooks to the settings of agents, and removes them again.
//
// A settings file belongs to its owner: every other entry stays, byte for byte, with its comments,
// its order and its layout. A file that cannot be parsed is refused and left as it is.
// The previous content of a file is kept in the store, so that a file that has not changed since gets its old bytes back.
package install

import (
	"errors"
	"fmt"
)

// The kinds of refusal in addition to those of package durable. The caller maps each to its exit code.
var (
	ErrParse        = errors.New("cannot be parsed")                    // a settings file is not what its agent reads
	ErrUnfit        = errors.New("does not fit")                        // no such agent, scope or hook
	ErrNoRepository = errors.New("no git repository")                   // there is nothing to put a hook of git into
	ErrProgram      = errors.New("no such program")                     // the hook would name something that does not run
	ErrMoved        = errors.New("another program changed it just now") // state unchanged
	ErrReceipt      = errors.New("the receipt of an install")           // the previous content of the file is not known
	ErrStray        = errors.New("no agent reads this any longer")      // onward wrote it, and does not know which agent it belongs to now
)

// unfit describes what does not fit, in words that need no kind before them.
func unfit(format string, args ...any) error {
	return &unfitError{fmt.Errorf(format, args...)}
}

type unfitError struct{ cause error }

func (e *unfitError) Error() string   { return e.cause.Error() }
func (e *unfitError) Unwrap() []error { return []error{ErrUnfit, e.cause} }
