package native

import (
	"testing"

	"onward/internal/todo"
)

func TestAuthorOfAnEdit(t *testing.T) {
	for _, c := range []struct {
		name         string
		main, typed  bool
		conversation string
		agent        string
		want         string
	}{
		{"no sign of an agent", true, false, "", "", todo.ByUser},
		{"an agent's command", true, false, "", "claude", ""},
		{"a conversation's command", true, false, "a1", "", ""},
		{"typed in an agent", true, true, "a1", "claude", todo.ByUser},
		{"a sub-agent's list", false, true, "", "", ""},
	} {
		if got := CommandAuthor(c.main, c.typed, c.conversation, c.agent); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
