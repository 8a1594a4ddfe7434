package report

import (
	"strings"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestCutOffTurnCounts checks that the columns of a report are the sums of its rows, with those of the turns in which the run was cut off.
func TestCutOffTurnCounts(t *testing.T) {
	used := session.Event{Text: "Second turn.", Called: "TodoWrite\n$ make", Input: 6000, Cached: 1500, Written: 500, Cost: 100_000}
	open := &session.Run{Began: 10, Seen: 20, Turns: 1, Open: &used}
	was := open.CutOffEvent(new(session.Ledger))
	ended := session.Event{Type: "turn-end", Input: 1200, Cached: 200, Written: 30, Cost: 400_000}
	entry := func(at todo.Time, events ...session.Event) session.Entry {
		return session.Entry{At: at, Events: events}
	}
	cutOff := continuation.Standing{State: continuation.IsCutOff}
	for name, c := range map[string]struct {
		src                  Source
		in, cached, out, usd int
		facts                string
	}{
		"not taken up yet":   {Source{Run: open, Standing: cutOff}, 6000, 1500, 500, 100_000, "6\u202f000 tokens in, 500 out · $0.1000"},
		"its end was saved":  {Source{Run: open, Standing: cutOff, Doc: &session.Document{Continuation: session.Ledger{AllTokens: 1030}}, Entries: []session.Entry{entry(15, ended)}}, 1200, 200, 30, 400_000, ""},
		"taken up, and done": {Source{Entries: []session.Entry{entry(20, was), entry(30, ended)}}, 7200, 1700, 530, 500_000, "6\u202f000 tokens in, 500 out · $0.1000"},
		"cut off twice":      {Source{Entries: []session.Entry{entry(15, was), entry(20, was), entry(30, ended)}}, 13200, 3200, 1030, 600_000, "6\u202f000 tokens in, 500 out · $0.1000"},
	} {
		var last Event
		s := Build(c.src)
		for _, e := range s.Events {
			if e.Type == session.CutOff {
				last = e
			}
		}
		is := s.Totals
		if is.TokensIn != c.in || is.TokensCached != c.cached || is.TokensOut != c.out || is.CostMicros != c.usd || last.facts() != c.facts {
			t.Errorf("%s: %+v: %q", name, is, last.facts())
		}
	}
	s := Build(Source{Run: open, Standing: cutOff})
	said, words := s.Events[0].sentence()
	if made := s.Events[0].made(); said != "The run was cut off after this, in turn 1:" || words != "Second turn." || len(made) != 2 {
		t.Errorf("the turn in which it was cut off: %q, %q, %q", said, words, made)
	}
	if !strings.Contains(s.Run.spent, "5000 tokens") {
		t.Errorf("the total lacks the open turn: %s", s.Run.spent)
	}
}

// TestCallsOutsideTheCount says why more calls are listed than are counted.
func TestCallsOutsideTheCount(t *testing.T) {
	for want, e := range map[string]Event{
		"2 tool calls": {Calls: 2, Called: []string{"Edit a.go", "$ make"}},
		"1 tool call, not counting its todo tool and sub-agents": {Calls: 1, Called: []string{"TodoWrite", "$ make"}},
	} {
		if got := e.facts(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
