package report

import (
	"strings"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestCutOffTurnIsARow checks that what the turns of a run have spent adds up to its total, with those in which it was cut off.
func TestCutOffTurnIsARow(t *testing.T) {
	entry := func(at todo.Time, events ...session.Event) session.Entry {
		return session.Entry{At: at, Events: events}
	}
	cut, ended := session.Event{Type: session.CutOff, Text: "in turn 1"}, session.Event{Type: "turn-end", Input: 1200, Cached: 200, Written: 30, Cost: 400_000}
	before := entry(5, session.Event{Type: "turn-end", Input: 99, Written: 1, Cost: 7}) // of another run
	receipt := &session.Receipt{Began: 10, Ended: 90, Turns: 2, Tokens: 6030, Micros: 500_000}
	for name, c := range map[string]struct {
		src           Source
		tokens, costs int
		facts         string
	}{
		"not taken up yet":         {Source{Run: &session.Run{Began: 10, Seen: 20, Turns: 1, OpenTokens: 5000, OpenMicros: 100_000}, Standing: continuation.Standing{State: continuation.IsCutOff}}, 5000, 100_000, "5000 tokens · $0.1000"},
		"taken up, done":           {Source{Receipt: receipt, Entries: []session.Entry{before, entry(20, cut), entry(30, ended)}}, 5000, 100_000, "5000 tokens · $0.1000"},
		"cut off twice":            {Source{Receipt: receipt, Entries: []session.Entry{entry(15, cut), entry(20, cut), entry(30, ended)}}, 5000, 100_000, "all 2 turns that were cut off · 5000 tokens · $0.1000"},
		"the next turn reports it": {Source{Receipt: &session.Receipt{Began: 10, Ended: 90, Turns: 2, Tokens: 1030, Micros: 400_000}, Entries: []session.Entry{entry(20, cut), entry(30, ended)}}, 0, 0, ""},
	} {
		var last Event
		s := Build(c.src)
		for _, e := range s.Events {
			if e.Type == session.CutOff {
				last = e
			}
		}
		if last.Tokens != c.tokens || last.Cost != c.costs || last.facts() != c.facts {
			t.Errorf("%s: %+v: %q", name, last, last.facts())
		}
	}
	if s := Build(Source{Run: &session.Run{Began: 10, Seen: 20, Turns: 1, OpenTokens: 5000}, Standing: continuation.Standing{State: continuation.IsCutOff}}); !strings.Contains(s.Run.spent, "5000 tokens") {
		t.Errorf("the total lacks the open turn: %s", s.Run.spent)
	}
}
