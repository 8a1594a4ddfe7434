package simulate

import (
	"cmp"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// spoken returns what a prompt of the user changes in the truth.
func (w *world) spoken(key string) func(*truth) {
	at := w.wall()
	return func(t *truth) {
		if key != "" && key == t.key {
			return
		}
		t.key, t.fresh, t.sent, t.failed = key, true, false, false
		t.aborted, t.paused, t.asked = false, false, false
		t.refunded = 0
		t.limited, t.failing, t.spent, t.most, t.unexcused, t.dropped = 0, 0, 0, 0, 0, nil
		t.heard = at
	}
}

// fails returns what a failed turn changes in the truth.
func (g *agent) fails(class continuation.ErrorClass, after time.Duration) func(*truth) {
	now, at, knows := g.clock(), g.at, func(time.Duration) {}
	if g.shift != nil && class == continuation.ErrorRateLimit {
		knows = g.shift.relay.refuses()
	}
	g.failure = func(t *truth) {
		t.running = false
		t.full = class == continuation.ErrorContext
		t.failed = class == continuation.ErrorAuth || t.full || class == continuation.ErrorInvalidRequest
		if t.limited != t.reset || t.failed {
			t.limited = 0
		}
		if t.inTurn {
			t.unexcused, t.inTurn = max(0, t.unexcused-1), false
			// The host refused the turn, so it may count as an attempt that cost nothing. A message of the user has cost nothing anyway.
			if (class == continuation.ErrorRateLimit || class == continuation.ErrorServer || t.limited > now) && t.spent > 0 && t.refunded < 50 {
				t.spent, t.refunded = t.spent-1, t.refunded+1
			}
		}
		if t.failing = cmp.Or(t.failing, g.at); class == continuation.ErrorRateLimit || t.failed {
			t.failing = 0
		}
		switch {
		case class != continuation.ErrorRateLimit:
		case after > 0:
			knows(at + after)
			t.limited = now + todo.Time(after.Milliseconds())
			t.reset = t.limited
		default:
			t.limited = max(t.limited, now+todo.Time(time.Minute.Milliseconds()))
		}
	}
	return g.failure
}

// TestRefusedTurnIsRefunded checks that a continuation whose turn the host refused is not counted, up to fifty of them, and that a
// refused message of the user, which has cost nothing, is none of the fifty.
func TestRefusedTurnIsRefunded(t *testing.T) {
	for _, c := range []struct{ spent, refunded, left, now int }{
		{0, 0, 0, 0}, {1, 0, 0, 1}, {3, 49, 2, 50}, {3, 50, 3, 50},
	} {
		is := truth{inTurn: true, spent: c.spent, refunded: c.refunded}
		w := newWorld(newDice(1))
		w.agent("a").fails(continuation.ErrorServer, 0)(&is)
		if is.spent != c.left || is.refunded != c.now {
			t.Errorf("%d spent, %d refunded: %d and %d", c.spent, c.refunded, is.spent, is.refunded)
		}
	}
}

// compacted changes the truth at the end of a compaction: the context is no longer full.
func compacted(t *truth) { t.failed, t.full = t.failed && !t.full, false }

// ends changes the truth at the end of a turn.
func ends(t *truth) { t.failed, t.inTurn, t.running, t.limited, t.failing = false, false, false, 0, 0 }

// paused changes the truth when the agent pauses. If no item is open, the pause counts only if a gate fails.
func paused(t *truth) { t.paused, t.fresh = t.paused || t.open > 0, false }

// endsPaused changes the truth at the end of a turn in which the agent paused.
func endsPaused(t *truth) {
	ends(t)
	paused(t)
}

// begun changes the truth at the start of a turn.
// If several conversations have no list yet, the manual does not say whose turn counts, so none is assumed.
func (w *world) begun(t *truth) { t.running, t.since = t.listed || len(w.agents) == 1, w.at }
