package run

import (
	"strings"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// limitedFor returns the answer at a usage limit that lasts for a time.
func limitedFor(d time.Duration) Answer {
	a := limited
	a.RetryAfter, a.Message = d, "usage limit"
	return a
}

// TestRelay checks which agent goes on at each limit, and how long a run waits.
func TestRelay(t *testing.T) {
	const h, min = time.Hour, time.Minute
	wait := func(d time.Duration) Action { return waits(d) }
	to := Action{Kind: SwitchAgent}
	closed := &EndedTurn{Worked: true, Closed: true}
	type step struct {
		turn   *EndedTurn
		answer Answer
		after  time.Duration
		want   Action
		at     int // the agent at work then
	}
	hit := failing(continuation.ErrorRateLimit)
	far := &EndedTurn{Failed: true, Class: continuation.ErrorRateLimit, TooFar: night + todo.Time((20 * 24 * h).Milliseconds())}
	farther := &EndedTurn{Failed: true, Class: continuation.ErrorRateLimit, TooFar: far.TooFar + todo.Time(h.Milliseconds())}
	for _, c := range []struct {
		name   string
		agents string
		steps  []step
	}{
		{"a short limit is waited for", "a b", []step{
			{turn: hit, want: asks},
			{answer: limitedFor(5 * min), want: wait(5 * min)},
		}},
		{"the next agent goes on, in a new conversation", "a b", []step{
			{turn: worked, want: asks},
			{answer: proceed, want: resumes},
			{turn: hit, want: asks},
			{answer: limitedFor(h), want: to, at: 1},
			{answer: proceed, want: Action{Kind: Start, Text: Prompt}, at: 1},
			{turn: worked, want: asks, at: 1},
			{answer: proceed, want: resumes, at: 1, after: 2 * h}, // the first one is at no limit any more
		}},
		{"without a list, it gets the work of the one before", "a b", []step{
			{turn: worked, want: asks},
			{answer: noList, want: Action{Kind: Start, Text: ListOnly, Resume: true}},
			{turn: hit, want: asks},
			{answer: limitedFor(h), want: to, at: 1},
			{answer: noList, want: Action{Kind: Start, Text: Handover}, at: 1},
		}},
		{"or the task, where nothing was done", "a b", []step{
			{turn: hit, want: asks},
			{answer: limitedFor(h), want: to, at: 1},
			{answer: noList, want: Action{Kind: Start, Text: Task}, at: 1},
		}},
		{"one that is at its limit is left out", "a b c", []step{
			{turn: closed, want: asks},
			{answer: limitedFor(h), want: to, at: 1},
			{turn: closed, want: asks, at: 1},
			{answer: limitedFor(2 * h), want: to, at: 2},
			{turn: closed, want: asks, at: 2, after: 90 * min},
			{answer: limitedFor(2 * h), want: to, at: 0},
			{turn: closed, want: asks, at: 0},
			{answer: limitedFor(10 * h), want: wait(30 * min), at: 0},
			{answer: limitedFor(10*h - 30*min), want: to, at: 1, after: 30 * min},
		}},
		{"the one at work is waited for, if it is the first", "a b", []step{
			{turn: hit, want: asks},
			{answer: limitedFor(3 * h), want: to, at: 1},
			{turn: hit, want: asks, at: 1},
			{answer: limitedFor(h), want: wait(h), at: 1},
			{answer: proceed, want: Action{Kind: Start, Text: Prompt, Resume: true}, at: 1, after: h},
		}},
		{"or nearly", "a b", []step{
			{turn: hit, want: asks},
			{answer: limitedFor(h), want: to, at: 1},
			{turn: hit, want: asks, at: 1},
			{answer: limitedFor(h + 4*min), want: wait(h + 4*min), at: 1},
		}},
		{"three switches without a completed item are enough", "a b c d e", []step{
			{turn: hit, want: asks},
			{answer: limitedFor(h), want: to, at: 1},
			{turn: worked, want: asks, at: 1},
			{answer: limitedFor(h), want: to, at: 2},
			{turn: hit, want: asks, at: 2},
			{answer: limitedFor(h), want: to, at: 3},
			{turn: hit, want: asks, at: 3},
			{answer: limitedFor(h), want: wait(h), at: 3},
			{answer: proceed, want: Action{Kind: Start, Text: Prompt, Resume: true}, at: 3, after: h},
			{turn: closed, want: asks, at: 3},
			{answer: limitedFor(h), want: to, at: 4},
		}},
		{"a limit whose end is too far ahead to be waited for brings in the next agent at once, and is left out then", "a b", []step{
			{turn: far, want: asks},
			{answer: limitedFor(min), want: to, at: 1},
			{turn: hit, want: asks, at: 1},
			{answer: limitedFor(h), want: wait(h), at: 1},
		}},
		{"if all are at such limits, the run tries again", "a b", []step{
			{turn: far, want: asks},
			{answer: limitedFor(min), want: to, at: 1},
			{turn: farther, want: asks, at: 1},
			{answer: limitedFor(min), want: wait(min), at: 1},
		}},
		{"no agent goes on once a budget is used up", "a b", []step{
			{turn: hit, want: asks},
			{answer: Answer{Decision: limitedFor(h).Decision, Class: limited.Class, Over: &continuation.Decision{Outcome: continuation.Limit}}, want: ends(AtLimit, continuation.Limit)},
		}},
		{"another wait is none for a limit", "a b", []step{
			{turn: hit, want: asks},
			{answer: Answer{Decision: continuation.Decision{Outcome: continuation.Wait, Reason: "background", RetryAfter: h}, Class: continuation.ErrorRateLimit}, want: wait(h)},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			agents := strings.Fields(c.agents)
			m := Machine{Rules: Rules{Task: true, MaxOutage: h, RelayAfter: 5 * min}, Relay: &Relay{Agents: agents, Until: make([]todo.Time, len(agents))}}
			now := night
			m.Begin(false)
			for i, s := range c.steps {
				var got Action
				if now += todo.Time(s.after.Milliseconds()); s.turn != nil {
					got = m.TurnEnded(*s.turn)
				} else {
					got = m.Answered(s.answer, now)
				}
				if got.Kind != s.want.Kind || got.Text != s.want.Text || got.Resume != s.want.Resume || got.Outcome != s.want.Outcome || got.Kind == WaitFor && got.For != s.want.For {
					t.Fatalf("step %d: got %+v, want %+v", i+1, got, s.want)
				}
				if m.Relay.At != s.at {
					t.Fatalf("step %d: agent %d is at work, want %d", i+1, m.Relay.At, s.at)
				}
			}
		})
	}
}
