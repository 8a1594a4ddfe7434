package todo

import (
	"errors"
	"strings"
	"testing"
)

func TestAssertion(t *testing.T) {
	items := []Item{{Status: Pending}, {Status: InProgress, Subtasks: []Subtask{{Status: Completed}, {}}}, {Status: Blocked}, {Status: Cancelled}, {Status: Completed}}
	for _, c := range []struct{ open, allow, want string }{
		{"", "", "1 2 2.2 3"},
		{"", "blocked", "1 2 2.2"},
		{"blocked", "", "3"},
		{"cancelled done", "cancel", "5"},
		{"pending", "pending", ""},
	} {
		a, err := ParseAssertion(strings.Fields(c.open), strings.Fields(c.allow))
		if err != nil {
			t.Fatal(err)
		}
		var places []string
		for _, at := range Select(items, a) {
			places = append(places, at.Label())
		}
		if got := strings.Join(places, " "); got != c.want {
			t.Errorf("--status %q --allow %q: %s, want %s", c.open, c.allow, got, c.want)
		}
	}
	for _, words := range [][2][]string{{{"x"}, nil}, {nil, {"x"}}} {
		if _, err := ParseAssertion(words[0], words[1]); !errors.Is(err, ErrSyntax) {
			t.Errorf("%v: %v", words, err)
		}
	}
}
