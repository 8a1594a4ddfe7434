package night

import (
	"testing"

	continuation "onward/internal/continue"
)

// The item's own gate comes first, and a gate of the run that proves nothing here is not joined to it.
func TestJoinGate(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     continuation.Settings
		trusted bool
		want    string
		proves  bool
	}{
		{"no gate of the run", continuation.Settings{}, false, "make item", true},
		{"a flag's gate needs no trust", continuation.Settings{Gate: "make all", GateFrom: continuation.FromFlag}, false, "sh -c 'make item' && sh -c 'make all'", true},
		{"a trusted gate of the project", continuation.Settings{Gate: "make all", GateFrom: continuation.FromProject}, true, "sh -c 'make item' && sh -c 'make all'", true},
		{"one that is not trusted", continuation.Settings{Gate: "make all", GateFrom: continuation.FromSession}, false, "", false},
		{"one of another checkout", continuation.Settings{Gate: "make all", GateFrom: continuation.FromSession, GateElsewhere: "/other"}, true, "", false},
	} {
		q := NewItem("t1")
		got, proves, err := q.JoinGate("make item", c.set, func(*continuation.Settings) (bool, error) { return c.trusted, nil })
		if got != c.want || proves != c.proves || err != nil || (q.Gate == "make item") != c.proves {
			t.Errorf("%s: %q, %v, %v, item %q; want %q, %v", c.name, got, proves, err, q.Gate, c.want, c.proves)
		}
	}
}
