// Package system has what a run needs from this machine: the clock and the signals, the agent's program, the files of the project, and the
// list in its store.
package system

import (
	"os"
	"time"

	"onward/internal/find"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/internal/wait"
)

// Clock is the clock of a run, and its signals.
type Clock struct {
	Finder  *find.Finder
	List    *find.List // its time is that of the clock
	Signals chan os.Signal
	Began   time.Time
}

// Now returns the time of changes, which the user may have set.
func (c *Clock) Now() (todo.Time, error) {
	now, err := c.Finder.Clock()
	c.List.Now = now
	return now, err
}

// Wall returns the machine's time.
func (c *Clock) Wall() time.Time { return time.Now() }

// Elapsed returns the time since the run began.
func (c *Clock) Elapsed() time.Duration { return time.Since(c.Began) }

// After calls a function once a time has passed, unless it is stopped before.
func (c *Clock) After(d time.Duration, do func()) (stop func()) {
	over := make(chan struct{})
	go wait.After(d, over, do)
	return func() { close(over) }
}

// OnChange calls a function whenever the list may have changed, until it is stopped.
func (c *Clock) OnChange(do func()) (stop func()) {
	watch, over := c.List.Watch(), make(chan struct{})
	go func() {
		defer watch.Close()
		for {
			select {
			case <-over:
				return
			case <-watch.Changes:
				do()
			}
		}
	}()
	return func() { close(over) }
}

// Wait lets time pass until a signal comes or, if it watches, until the list changes.
func (c *Clock) Wait(d time.Duration, watches bool) os.Signal {
	if c.jump(d) {
		return nil
	}
	var watch store.Watch
	if watches {
		watch = c.List.Watch()
		defer watch.Close()
	}
	for began := time.Now(); ; {
		left := d - wait.Since(began)
		if left <= 0 {
			return nil
		}
		// The machine may sleep in the meantime, so the clock is read again.
		select {
		case s := <-c.Signals:
			return s
		case <-watch.Changes:
			return nil
		case <-time.After(min(left, time.Minute)):
		}
	}
}

// jump moves a fixed clock of the user to the end of a wait, and reports whether there is such a clock.
func (c *Clock) jump(d time.Duration) bool {
	now, err := c.Finder.Clock()
	if _, set := find.FlagOrVariable(c.Finder.Now, "ONWARD_NOW"); !set || err != nil {
		return false
	}
	c.Finder.Now = new((now + todo.Time(d.Milliseconds())).String())
	return true
}

// PendingSignal returns a signal that has come; nil if none has.
func (c *Clock) PendingSignal() os.Signal {
	select {
	case s := <-c.Signals:
		return s
	default:
		return nil
	}
}

// HandledSignal returns the signal that ended a countdown or the gate. The gate has a channel of its own, and the signal is sent to both.
func (c *Clock) HandledSignal() os.Signal {
	select {
	case s := <-c.Signals:
		return s
	case <-time.After(time.Second):
		return os.Interrupt
	}
}

// OnSignal calls a function at each signal, until it is stopped.
func (c *Clock) OnSignal(do func(os.Signal)) (stop func()) {
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-over:
				return
			case s := <-c.Signals:
				do(s)
			}
		}
	}()
	return func() { close(over) }
}

// Send sends a signal to the run, unless that is over before.
func (c *Clock) Send(s os.Signal, over <-chan struct{}) {
	select {
	case c.Signals <- s:
	case <-over:
	}
}
