package continuation

import (
	"errors"
	"testing"
	"time"

	"onward/internal/todo"
)

// TestCompletionRunsGatesFirst checks that the first step changes nothing while an item has a gate, that the second completes all of
// them, and that an item which has changed in between is left as it is.
func TestCompletionRunsGatesFirst(t *testing.T) {
	ranges, err := todo.ParseRanges([]string{"all"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		gate      bool
		reworded  bool
		completed int
		err       error
	}{
		{name: "no gate", completed: 2},
		{name: "a gate", gate: true, completed: 2},
		{name: "a gate of an item that is another one by then", gate: true, reworded: true, err: todo.ErrChanged},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := document(item("a", todo.Pending), item("b", todo.Pending))
			if c.gate {
				doc.Todos.Items[1].Gate = &todo.Gate{Command: "make"}
			}
			all := ItemCompletion{Ranges: ranges, By: todo.ByUser}
			did, err := all.Apply(doc, noon)
			if err != nil || (did.What == "") != c.gate || len(all.Gated) > 0 != c.gate {
				t.Fatalf("first step: %q, gates of %v, %v", did.What, all.Gated, err)
			}
			if c.gate {
				all.AddPassedRun(todo.GateRun{Item: doc.Todos.Items[1]}, time.Second)
				if c.reworded {
					doc.Todos.Items[1].Content = "another"
				}
				if did, err = all.Apply(doc, noon); !errors.Is(err, c.err) {
					t.Fatalf("second step: %v", err)
				}
				if err == nil && len(did.Events) == 0 {
					t.Error("the history does not tell that the gate passed")
				}
			}
			if got := todo.Count(doc.Todos.Items).Of(todo.Completed); got != c.completed {
				t.Errorf("%d are completed", got)
			}
		})
	}
}
