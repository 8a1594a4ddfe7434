package cmd

import (
	"reflect"
	"slices"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/session"
)

// TestEveryCommandRuns finds a method Run with a parameter that the function start cannot supply. The compiler does not.
func TestEveryCommandRuns(t *testing.T) {
	known := []reflect.Type{
		reflect.TypeFor[func(*app) error](), reflect.TypeFor[func(*app, find.List) error](),
		reflect.TypeFor[func(*app, find.List, *session.Document) error](), reflect.TypeFor[func(*app, find.List, *schedule.Document) error](),
	}
	for path, c := range cli.All(commands()) {
		if c.Make == nil {
			continue
		}
		if run := reflect.ValueOf(c.Make()).MethodByName("Run"); !run.IsValid() || !slices.Contains(known, run.Type()) {
			t.Errorf("%s: nothing runs a %T", path, c.Make())
		}
	}
}
