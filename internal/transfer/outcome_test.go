package transfer

import (
	"errors"
	"testing"
)

func TestAnyChange(t *testing.T) {
	failed := errors.New("busy")
	for _, c := range []struct {
		name string
		all  []Outcome
		want bool
	}{
		{"nothing", nil, false},
		{"the target has everything", []Outcome{{Did: Unchanged}, {Did: Unchanged, Project: "/src/app"}}, false},
		{"one of them is new", []Outcome{{Did: Unchanged}, {Did: Copied}}, true},
		{"one is moved", []Outcome{{Did: Moved}}, true},
		{"one cannot be copied", []Outcome{{Did: Unchanged}, {Err: failed}}, false},
	} {
		if got := AnyChange(c.all); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}
