package live

import (
	"testing"
	"time"
)

func TestShiftLine(t *testing.T) {
	began := time.Date(2026, 11, 23, 22, 0, 0, 0, time.UTC)
	now := began.Add(3*time.Hour + 12*time.Minute)
	full := StatusLine{Agent: "claude", Turn: 12, Began: began, Tokens: 812345, Micros: 420000, Doing: "at work"}
	waits := full
	waits.Doing, waits.Until = "the agent is rate-limited", now.Add(2*time.Hour+14*time.Minute)
	for _, tc := range []struct {
		what  string
		shift StatusLine
		width int
		want  string
	}{
		{"all of it", full, 0, "claude  turn 12  3 h 12 min  812345 tokens  $0.42  at work"},
		{"a wait, wide", waits, 120, "claude  turn 12  3 h 12 min  812345 tokens  $0.42  the agent is rate-limited, 2 h 14 min left"},
		{"without the tokens", waits, 80, "claude  turn 12  3 h 12 min  $0.42  the agent is rate-limited, 2 h 14 min left"},
		{"narrow", waits, 60, "turn 12  $0.42  the agent is rate-limited, 2 h 14 min left"},
		{"nothing is known yet", StatusLine{Agent: "codex", Turn: 1, Began: now.Add(-9 * time.Second), Doing: "at work"}, 80, "codex  turn 1  9 s  at work"},
		{"minutes", StatusLine{Agent: "codex", Turn: 1, Began: now.Add(-9 * time.Minute), Tokens: 1}, 80, "codex  turn 1  9 min  1 token"},
	} {
		if got := tc.shift.Line(now, tc.width); got != tc.want {
			t.Errorf("%s:\n%q, want\n%q", tc.what, got, tc.want)
		}
	}
}
