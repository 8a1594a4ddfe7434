package session

import (
	"testing"

	"onward/internal/store"
)

// A run spends what the ledger of its session grows by. What the user says in between changes nothing.
func TestRunSpends(t *testing.T) {
	var r Run
	for _, step := range []struct{ ledger, want int }{
		{100, 100},
		{100, 100},
		{250, 250},
		{0, 250}, // the session was deleted
		{40, 290},
		{30, 320}, // and again, meanwhile
	} {
		l := Ledger{SpentTokens: 7, AllTokens: step.ledger, AllMicros: 2 * step.ledger}
		l.StartAnew(ByUser)
		r.Spend(&l)
		if r.Tokens != step.want || r.Micros != 2*step.want {
			t.Errorf("at %d: %d tokens and %d millionths, want %d and %d", step.ledger, r.Tokens, r.Micros, step.want, 2*step.want)
		}
	}
}

// TestOpenTurnIsSpentOnce takes a run up that was cut off within a turn, before and after the end of the turn was in the ledger.
func TestOpenTurnIsSpentOnce(t *testing.T) {
	for ledger, want := range map[int]int{100: 150, 160: 160} {
		var r Run
		r.Spend(&Ledger{AllTokens: 100, AllMicros: 100})
		r.Mark, r.Agent, r.OpenTokens, r.OpenMicros = "m", "claude", 50, 50
		written, err := readRun(store.Value{Data: runKind.Write(&r)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			written.Spend(&Ledger{AllTokens: ledger, AllMicros: ledger})
			if written.Tokens != want || written.Micros != want {
				t.Errorf("at %d: %d tokens and %d millionths, want %d", ledger, written.Tokens, written.Micros, want)
			}
		}
	}
}
