package ask

import (
	"time"
)

// fakeTime is a clock that moves only while a question waits. The function during can change the list in a wait.
type fakeTime struct {
	elapsed time.Duration
	waits   int
	during  func(wait int) WakeReason // what happens during a wait
	step    time.Duration             // how long a wait takes that an event ends
	forgets int
}

func (c *fakeTime) Elapsed() time.Duration { return c.elapsed }

func (c *fakeTime) DropInput() { c.forgets++ }

func (c *fakeTime) Wait(d time.Duration) WakeReason {
	c.waits++
	wake := WokeAtLimit
	if c.during != nil {
		wake = c.during(c.waits)
	}
	if wake != WokeAtLimit {
		d = min(d, c.step)
	}
	c.elapsed += d
	return wake
}
