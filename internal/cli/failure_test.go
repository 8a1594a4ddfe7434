package cli

import (
	"errors"
	"fmt"
	"testing"
)

func TestFailures(t *testing.T) {
	kind := errors.New("no such item")
	f := &Failures{Otherwise: 70, Kinds: []Failure{{Kind: kind, Hint: "list them"}, {Kind: kind, Code: 66}, {Kind: ErrBug, Code: 70, Hint: "report it"}}}
	for _, c := range []struct {
		name string
		err  error
		code int
		hint string
	}{
		{"unknown", errors.New("x"), 70, ""},
		{"of the table", fmt.Errorf("show: %w", kind), 66, "list them"},
		{"with a code of its own", Failf(78, "show: %w", kind), 78, "list them"},
		{"usage", Usagef("--n is empty"), 64, ""},
		{"with a hint of its own", WithHint(kind, "add one"), 66, "add one"},
		{"with a hint on an error with a code", fmt.Errorf("show: %w", WithHint(Failf(78, "no file"), "make one")), 78, "make one"},
		{"without the hint of the table", WithHint(kind, ""), 66, ""},
		{"panic", Panicked("a bug"), 70, "report it"},
	} {
		if code, hint := f.Code(c.err), f.Hint(c.err); code != c.code || hint != c.hint {
			t.Errorf("%s: %d %q, want %d %q", c.name, code, hint, c.code, c.hint)
		}
	}
}
