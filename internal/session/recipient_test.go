package session

import "testing"

func TestWhoGetsAnAnswer(t *testing.T) {
	for _, c := range []struct {
		last           *Run
		atWork, paused bool
		want           Recipient
	}{
		{nil, false, false, RecipientNone},
		{nil, false, true, RecipientPausedAgent},
		{&Run{}, true, false, RecipientRunAtWork},
		{&Run{}, false, false, RecipientEndedRun},
		{&Run{}, false, true, RecipientEndedRun},
	} {
		if got := RecipientOf(c.last, c.atWork, c.paused); got != c.want {
			t.Errorf("a run %v, at work %v, paused %v: got %d, want %d", c.last != nil, c.atWork, c.paused, got, c.want)
		}
	}
}
