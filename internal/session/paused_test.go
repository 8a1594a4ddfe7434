package session

import (
	"testing"

	"onward/internal/todo"
)

func TestReasonOfAPause(t *testing.T) {
	user, agent := &Paused{By: todo.ByUser, Reason: "wait for Ada"}, &Paused{Reason: "no key"}
	for _, c := range []struct {
		paused  *Paused
		changed bool
		want    string
	}{
		{user, false, "wait for Ada"},
		{user, true, "asked"},
		{agent, false, "asked"},
		{agent, true, "asked"},
		{nil, false, "asked"}, // a retry, after which the pause has ended
	} {
		if got := c.paused.ReasonFor("asked", c.changed); got != c.want {
			t.Errorf("%+v, changed %v: got %q, want %q", c.paused, c.changed, got, c.want)
		}
	}
}
