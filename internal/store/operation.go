package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

const (
	keptOperations = 16  // how many operations a document keeps; see OperationLog for those before
	maxOp          = 128 // bytes of an operation's id
)

// CheckOp refuses an operation id that is too long to be kept.
func CheckOp(op string) error {
	if len(op) > maxOp || !utf8.ValidString(op) || strings.ContainsFunc(op, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return fmt.Errorf("%w: operation id %q is too long, or contains spaces or invalid UTF-8", ErrInvalidName, op)
	}
	return nil
}

// OperationID returns the id of an operation: the caller's, or a new one.
func OperationID(given string) string {
	if given != "" {
		return given
	}
	return fmt.Sprintf("o%016x", rand.Uint64())
}

// KeepOperation adds an operation to those that a document keeps, newest last.
func KeepOperation[O any](ops []O, op O) []O {
	ops = append(ops, op)
	return ops[max(0, len(ops)-keptOperations):]
}
