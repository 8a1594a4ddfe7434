package simulate

import (
	"cmp"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
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

// TestRefusedTurnSpends checks that a turn that used tokens before it failed counts for the budget, also where onward could not save its
// end and saves it later.
func TestRefusedTurnSpends(t *testing.T) {
	w := newWorld(newDice(1))
	g, k := w.agent("a"), &kept{}
	s := w.shift(g, run.Rules{})
	g.program, g.job = k, &job{pipe: &pipe{}}
	k.pipe = g.job.pipe
	k.failed(g, continuation.ErrorContext, 0)
	if g.failure(&truth{}); s.tokens != int64(g.tokens) || s.tokens == 0 {
		t.Errorf("the turn used %d tokens, and %d count", g.tokens, s.tokens)
	}
}

// TestEndOfOutput checks what is known while output is read: a line that was read counts with the next commit, and what the program
// wrote to standard error before it ended, such as a usage limit, counts only once its end was read. A run that is killed before knows of
// no limit, so it may prompt again.
func TestEndOfOutput(t *testing.T) {
	p := &pipe{}
	in := &input{pipe: p, c: newCommand(newWorld(newDice(1)).agent("a").actor, session.Name{}), idle: func() error { return nil }}
	p.print([]byte("line\n"), func(t *truth) { t.running = true })
	p.mean(func(t *truth) { t.limited = noon })
	p.closed = true
	for _, want := range []truth{{running: true}, {running: true, limited: noon}} {
		var is truth
		for range len("line\n") { // it is read in parts
			if _, err := in.Read(make([]byte, 10)); err != nil || len(p.text) == 0 && want.limited == 0 {
				break
			}
		}
		if in.c.means(&is); is.running != want.running || is.limited != want.limited {
			t.Errorf("it is known that %+v, want %+v", is, want)
		}
	}
}

// TestRunCountsItsOwnSwitches checks that a run that continues another one may change its agent as often as any run, and that one that
// begins anew knows of no limits.
func TestRunCountsItsOwnSwitches(t *testing.T) {
	first, second := &host{name: "agent1", known: time.Hour}, &host{name: "agent2"}
	for _, c := range []struct {
		anew bool
		at   *host
	}{{false, second}, {true, nil}} {
		l := &relay{hosts: []*host{first, second}, at: first, told: second, switches: 3}
		if l.begins(c.anew); l.switches != 0 || l.at != c.at || (first.known == 0) != c.anew {
			t.Errorf("anew %v: %d switches, at %v, a limit until %v", c.anew, l.switches, l.at, first.known)
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
