package session

import "testing"

func TestWhoGetsAnAnswer(t *testing.T) {
	for _, c := range []struct {
		last                     *Run
		outdated, atWork, paused bool
		want                     Recipient
	}{
		{nil, false, false, false, RecipientNone},
		{nil, false, false, true, RecipientPausedAgent},
		{nil, true, false, true, RecipientNextRun},
		{nil, true, false, false, RecipientNone},
		{&Run{}, false, true, false, RecipientRunAtWork},
		{&Run{}, false, false, false, RecipientEndedRun},
		{&Run{}, false, false, true, RecipientEndedRun},
	} {
		if got := recipientOf(c.last, c.outdated, c.atWork, c.paused); got != c.want {
			t.Errorf("a run %v, at work %v, paused %v: got %d, want %d", c.last != nil, c.atWork, c.paused, got, c.want)
		}
	}
}
