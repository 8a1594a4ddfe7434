package cmd

import (
	"os"
	"time"

	"onward/internal/find"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/internal/wait"
)

// runClock is the clock of a run, and its signals.
type runClock struct {
	*runner
	began time.Time
}

func (c *runClock) Now() (todo.Time, error) {
	now, err := c.a.Clock()
	c.t.Now = now
	return now, err
}

func (c *runClock) Wall() time.Time { return time.Now() }

func (c *runClock) Elapsed() time.Duration { return time.Since(c.began) }

func (c *runClock) After(d time.Duration, do func()) (stop func()) {
	over := make(chan struct{})
	go wait.After(d, over, do)
	return func() { close(over) }
}

func (c *runClock) Wait(d time.Duration, watches bool) os.Signal {
	if c.jump(d) {
		return nil
	}
	var watch store.Watch
	if watches {
		watch = c.t.Watch()
		defer watch.Close()
	}
	for began := time.Now(); ; {
		left := d - wait.Since(began)
		if left <= 0 {
			return nil
		}
		// The machine may sleep meanwhile, so the clock is read again.
		select {
		case s := <-c.signals:
			return s
		case <-watch.Changes:
			return nil
		case <-time.After(min(left, time.Minute)):
		}
	}
}

// jump moves a fixed clock of the user to the end of a wait, and reports whether there is such a clock.
func (c *runClock) jump(d time.Duration) bool {
	now, err := c.a.Clock()
	if _, set := find.Setting(c.a.Now, "ONWARD_NOW"); !set || err != nil {
		return false
	}
	c.a.Now = new((now + todo.Time(d.Milliseconds())).String())
	return true
}

func (c *runClock) Pending() os.Signal {
	select {
	case s := <-c.signals:
		return s
	default:
		return nil
	}
}

// Coming returns the signal that ended a countdown or the gate. The gate has a channel of its own, and the signal is sent to both.
func (c *runClock) Coming() os.Signal {
	select {
	case s := <-c.signals:
		return s
	case <-time.After(time.Second):
		return os.Interrupt
	}
}

func (c *runClock) Each(do func(os.Signal)) (stop func()) {
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-over:
				return
			case s := <-c.signals:
				do(s)
			}
		}
	}()
	return func() { close(over) }
}

func (c *runClock) Send(s os.Signal, over <-chan struct{}) {
	select {
	case c.signals <- s:
	case <-over:
	}
}
