package find

import (
	"errors"
	"testing"

	"onward/internal/agents"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

func TestAuthorOfAChange(t *testing.T) {
	cleared.once.Do(func() {}) // what runs this test does not count
	for _, name := range agents.MarkerVariables() {
		t.Setenv(name, "")
	}
	for _, c := range []struct {
		name     string
		variable string
		typed    bool
		list     session.Name
		agent    string // the conversation that runs the command
		byUser   bool
		alone    bool
	}{
		{"typed in a terminal", "", true, session.Name{Session: "s"}, "", true, false},
		{"a script", "", false, session.Name{Session: "s"}, "", true, false},
		{"a conversation", "", false, session.Name{Session: "s"}, "c1", false, false},
		{"in the terminal of a run", supervise.RunVariable, true, session.Name{Session: "s"}, "", false, true},
		{"the user's gate", supervise.InGateVariable, false, session.Name{Session: "s"}, "", true, true},
		{"a sub-agent's list", "", true, session.Name{Session: "s", Agent: "a"}, "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, own := range runAndGateVariables() {
				t.Setenv(own, "")
			}
			if c.variable != "" {
				t.Setenv(c.variable, "1")
			}
			t.Setenv(supervise.ItemVariable, "queue:t1")
			l := List{Name: c.list, Conversation: session.Conversation{ID: c.agent}}
			if got := l.Author(c.typed); (got == todo.ByUser) != c.byUser {
				t.Errorf("by %q", got)
			}
			if by := (List{Name: session.Name{Session: "queue"}}).Writer(false); by.Alone != c.alone || by.Item != "t1" {
				t.Errorf("alone %v, on the item %q", by.Alone, by.Item)
			}
			if by := (List{Name: session.Name{Session: "other"}}).Writer(false); by.Item != "" {
				t.Errorf("on the item %q of another list", by.Item)
			}
		})
	}
}

func TestWhoTakesAList(t *testing.T) {
	cleared.once.Do(func() {})
	owner := &session.Owner{Agent: "claude", Session: "other", SeenAt: 1}
	for _, c := range []struct {
		name    string
		rev     uint64
		owner   *session.Owner
		inShell string // the value of an agent's variable
		what    string
		fails   bool
	}{
		{"nothing is saved", 0, nil, "", "", true},
		{"nobody owns it", 1, nil, "", "", false},
		{"a person takes it", 1, owner, "", "took the list from claude session other", false},
		{"an agent may not", 1, owner, "1", "took the list from claude session other", true},
		{"an agent changes nothing", 1, nil, "1", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range append(agents.MarkerVariables(), runAndGateVariables()...) {
				t.Setenv(name, "")
			}
			t.Setenv(supervise.RunVariable, c.inShell)
			did, err := List{Name: session.Name{Session: "demo"}, Now: 2}.TakeOwnership(&session.Document{Rev: c.rev, Owner: c.owner}, session.Conversation{})
			if did.What != c.what || (err != nil) != c.fails || errors.Is(err, session.ErrNoSession) != (c.rev == 0) {
				t.Errorf("got %q, %v", did.What, err)
			}
		})
	}
}
