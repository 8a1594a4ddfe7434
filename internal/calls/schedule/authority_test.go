package schedule

import (
	"errors"
	"slices"
	"testing"

	"onward/internal/todo"
)

func TestCheckMessages(t *testing.T) {
	before := []Message{{ID: "a", By: "codex", Text: "of the agent"}, {ID: "u", Text: "of the user"}, {ID: "s", Text: "sent"}}
	for _, c := range []struct {
		name   string
		change func([]Message) []Message
		want   bool // forbidden
	}{
		{"nothing", func(m []Message) []Message { return m }, false},
		{"push", func(m []Message) []Message { return append(m, Message{ID: "n", By: "codex"}) }, false},
		{"edit its own", func(m []Message) []Message { m[0].Text = "x"; return m }, false},
		{"drop its own", func(m []Message) []Message { return m[1:] }, false},
		{"drop what was sent", func(m []Message) []Message { return m[:2] }, false},
		{"drop the user's", func(m []Message) []Message { return slices.Delete(m, 1, 2) }, true},
		{"edit the user's", func(m []Message) []Message { m[1].Text = "x"; return m }, true},
		{"make it an agent's", func(m []Message) []Message { m[1].By = "codex"; return m }, true},
		{"pop all", func([]Message) []Message { return nil }, true},
	} {
		if err := CheckMessages(before, c.change(slices.Clone(before)), []string{"s"}); errors.Is(err, todo.ErrForbidden) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
