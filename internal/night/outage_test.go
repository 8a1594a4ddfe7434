package night

import (
	"errors"
	"os"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/store"
)

// passing is a clock whose waits end at once; it counts the time that passed.
type passing struct {
	Clock
	now time.Duration
}

func (c *passing) Wait(d time.Duration, _ bool) os.Signal {
	c.now += d
	return nil
}

// failing is a store that fails until some time.
type failing struct {
	Store
	clock *passing
	until time.Duration
	how   error
}

func (s failing) Load() (*session.Document, error) {
	if s.clock.now < s.until {
		return nil, s.how
	}
	return nil, nil
}

// TestWaitForSilentStore waits ten minutes for a store: servers that answer again earlier are noticed within a minute. A disk that is full can be
// read all the time, so reading it does not show whether it can be written again.
func TestWaitForSilentStore(t *testing.T) {
	for _, c := range []struct {
		how            error
		pause, silence time.Duration
		takes          time.Duration
	}{
		{store.ErrUnavailable, 10 * time.Minute, 150 * time.Second, 3 * time.Minute},
		{store.ErrUnavailable, 10 * time.Minute, time.Hour, 10 * time.Minute},
		{store.ErrUnavailable, 5 * time.Second, time.Hour, 5 * time.Second},
		{store.ErrIO, 10 * time.Minute, 0, 10 * time.Minute},
	} {
		clock := &passing{}
		r := Runner{Clock: clock, Store: failing{clock: clock, until: c.silence, how: c.how}, silent: errors.Is(c.how, store.ErrUnavailable)}
		if r.waitForStore(c.pause); clock.now != c.takes {
			t.Errorf("%v, silent for %v: it waits %v of %v, not %v", c.how, c.silence, clock.now, c.pause, c.takes)
		}
	}
}
