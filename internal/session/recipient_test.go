package session

import "testing"

func TestWhoGetsAnAnswer(t *testing.T) {
	paused := Ledger{Paused: &Paused{}}
	for _, c := range []struct {
		last             *Run
		outdated, atWork bool
		ledger           Ledger
		want             Recipient
	}{
		{nil, false, false, Ledger{}, RecipientNone},
		{nil, false, false, paused, RecipientPausedAgent},
		{nil, true, false, paused, RecipientNextRun},
		{nil, true, false, Ledger{}, RecipientNone},
		{&Run{Keeper: &Process{}}, false, true, Ledger{}, RecipientRunAtWork},
		{&Run{}, false, true, Ledger{}, RecipientRunBetween},
		{&Run{}, false, true, Ledger{StoppedAt: 1}, RecipientStoppedRun},
		{&Run{}, false, false, Ledger{}, RecipientEndedRun},
		{&Run{}, false, false, Ledger{StoppedAt: 1}, RecipientEndedRun},
		{&Run{}, false, false, paused, RecipientEndedRun},
	} {
		if got := recipientOf(c.last, c.outdated, c.atWork, &c.ledger); got != c.want {
			t.Errorf("a run %v, at work %v, %+v: got %d, want %d", c.last != nil, c.atWork, c.ledger, got, c.want)
		}
	}
}
