package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// usage is EX_USAGE, the exit code of a command line that cannot be understood.
const usage = 64

// Error is an error that itself determines how it ends a command, for what is not in the table of failures.
type Error struct {
	Cause error
	Code  int    // 0 leaves it to the cause
	Next  string // what to do about it; an error with neither code nor hint has none
}

func (e *Error) Error() string { return e.Cause.Error() }
func (e *Error) Unwrap() error { return e.Cause }

// Failf makes an error with an exit code.
func Failf(code int, format string, args ...any) error {
	return &Error{Cause: fmt.Errorf(format, args...), Code: code}
}

// Usagef makes an error about a command line that cannot be understood.
func Usagef(format string, args ...any) error { return Failf(usage, format, args...) }

// Hinted adds to an error what to do about it, in place of what the table of failures has; its code stays.
func Hinted(err error, next string) error { return &Error{Cause: err, Next: next} }

// usageError is Usagef for a text, with what to do about it.
func usageError(message, next string) *Error {
	return &Error{Cause: errors.New(message), Code: usage, Next: next}
}

// ExitCode is an exit code that is a result, not a failure: nothing is printed about it.
type ExitCode int

func (a ExitCode) Error() string { return fmt.Sprintf("exit %d", int(a)) }

// ErrBug is a panic.
var ErrBug = errors.New("internal error")

// Bug is where a panic happened.
type Bug struct {
	Value any
	Stack []byte
}

// Panicked makes an error of what was recovered.
func Panicked(value any) error { return &Bug{value, debug.Stack()} }

func (b *Bug) Error() string { return fmt.Sprintf("%v: %v", ErrBug, b.Value) }
func (b *Bug) Unwrap() error { return ErrBug }
