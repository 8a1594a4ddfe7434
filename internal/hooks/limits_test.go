package hooks

import (
	"testing"
	"time"

	continuation "onward/internal/continue"
)

func TestLimitsWithAStorePastThisMachine(t *testing.T) {
	for _, c := range []struct {
		activity    continuation.Type
		set         time.Duration
		limit, wait time.Duration
	}{
		{"", 4 * time.Second, 4 * time.Second, 3500 * time.Millisecond},
		{continuation.UserPrompt, 4 * time.Second, 4 * time.Second, 3500 * time.Millisecond},
		{continuation.ToolEnd, 4 * time.Second, 1200 * time.Millisecond, 1050 * time.Millisecond},
		{continuation.ToolEnd, 800 * time.Millisecond, 800 * time.Millisecond, 700 * time.Millisecond},
	} {
		if limit, wait := StoreLimits(c.set, c.activity); limit != c.limit || wait != c.wait {
			t.Errorf("%q with %v: %v, of which %v for the store; want %v and %v", c.activity, c.set, limit, wait, c.limit, c.wait)
		}
	}
}

func TestLimitsOfTheGate(t *testing.T) {
	for _, c := range []struct{ left, gate, limit time.Duration }{
		{60 * time.Second, 50 * time.Second, 57 * time.Second},
		{60*time.Second - time.Millisecond, 49 * time.Second, 57*time.Second - time.Millisecond}, // whole seconds
		{10 * time.Second, 0, 7 * time.Second},
		{6 * time.Second, -4 * time.Second, Limit}, // too little for a gate, and the hook still has its usual time
	} {
		if gate, limit := GateTime(c.left), GateLimit(c.left); gate != c.gate || limit != c.limit {
			t.Errorf("%v left: the gate %v, the hook %v; want %v and %v", c.left, gate, limit, c.gate, c.limit)
		}
	}
}
