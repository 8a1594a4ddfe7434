package cmd

import (
	"reflect"
	"slices"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/cli"
	"onward/internal/session"
)

// TestEveryCommandRuns finds a method Run with a parameter that the function start cannot supply. The compiler does not.
func TestEveryCommandRuns(t *testing.T) {
	known := []reflect.Type{
		reflect.TypeFor[func(*app) error](), reflect.TypeFor[func(*app, target) error](),
		reflect.TypeFor[func(*app, target, *session.Document) error](), reflect.TypeFor[func(*app, target, *schedule.Document) error](),
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
