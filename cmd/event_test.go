package cmd

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	continuation "onward/internal/continue"
)

// The help and the completion of the command name every event.
func TestEventHelpNamesEveryEvent(t *testing.T) {
	field, _ := reflect.TypeFor[eventCmd]().FieldByName("Type")
	completed := strings.Split(strings.TrimPrefix(field.Tag.Get("complete"), "="), "|")
	explained := field.Tag.Get("help")
	for _, name := range continuation.Types() {
		if !strings.Contains(explained, name) {
			t.Errorf("the help does not name %s", name)
		}
		if found := slices.Contains(completed, name); found == (name == string(continuation.Todos)) {
			t.Errorf("%s is completed: %v", name, found)
		}
	}
}
