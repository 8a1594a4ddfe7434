package continuation

import (
	"testing"

	"onward/internal/todo"
)

func TestOutcomeForAWorker(t *testing.T) {
	for _, c := range []struct {
		name  string
		ready todo.Ready
		want  Outcome
	}{
		{"an item is ready", todo.Ready{Item: 0, Open: true, Working: true}, Continue},
		{"nothing is open", todo.Ready{Item: -1}, Finished},
		{"others are at work", todo.Ready{Item: -1, Open: true, Working: true}, Wait},
		{"all are blocked", todo.Ready{Item: -1, Open: true}, NeedsHuman},
	} {
		if got := (&NextItem{Ready: c.ready}).Outcome(); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
