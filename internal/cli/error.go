package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// Error is an error with an exit code or a hint of its own, which count before the table of failures.
type Error struct {
	Cause error
	Code  int      // 0 leaves the code to the cause
	Next  string   // what to do about it; may be empty
	Extra string   // the argument that is one too many; empty if there is none
	Word  string   // a name that is not known; empty if there is none
	Near  []string // names that are like it
}

func (e *Error) Error() string { return e.Cause.Error() }
func (e *Error) Unwrap() error { return e.Cause }

// Failf makes an error with an exit code.
func Failf(code int, format string, args ...any) error {
	return &Error{Cause: fmt.Errorf(format, args...), Code: code}
}

// Usagef makes an error about a command line that cannot be understood.
func Usagef(format string, args ...any) error { return Failf(ExitUsage, format, args...) }

// WithHint adds a hint to an error, instead of the one in the table of failures. The exit code stays.
func WithHint(err error, next string) error { return &Error{Cause: err, Next: next} }

// usageError makes an error about a command line, with a hint.
func usageError(message, next string) *Error {
	return &Error{Cause: errors.New(message), Code: ExitUsage, Next: next}
}

// ExitCode is an exit code that is a result, not a failure: nothing is printed about it.
type ExitCode int

func (a ExitCode) Error() string { return fmt.Sprintf("exit %d", int(a)) }

// ErrBug is a panic.
var ErrBug = errors.New("internal error")

// Bug is a panic with its stack.
type Bug struct {
	Value any
	Stack []byte
}

// Panicked makes an error of a recovered panic.
func Panicked(value any) error { return &Bug{value, debug.Stack()} }

func (b *Bug) Error() string { return fmt.Sprintf("%v: %v", ErrBug, b.Value) }
func (b *Bug) Unwrap() error { return ErrBug }

// OutputError is the error about standard output that could not be written; nil if err is nil. If a change was committed
// before, its code must not mean that nothing changed, because a retry would make the change twice.
func OutputError(err error, committed bool) error {
	switch {
	case err == nil:
		return nil
	case committed:
		err := Failf(ExitNotDurable, "write standard output: %w", err)
		return WithHint(err, "the change was made; only its answer could not be printed")
	}
	return Failf(ExitIO, "write standard output: %w", err)
}
