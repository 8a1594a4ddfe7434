package session

import "testing"

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
