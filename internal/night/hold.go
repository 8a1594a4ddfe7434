package night

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"onward/internal/cli"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

const (
	leaseWait  = 12 * time.Second // longer than the lease of a run that has ended
	holdsAgain = time.Second      // the pause between two attempts to hold the session again
)

// Acquire holds the session. Servers keep the hold of a process that was killed until its lease is over, so this waits for
// that, unless the run that has the session is known to be alive.
func (r *Runner) Acquire() (err error) {
	r.held, err = r.Store.Hold(0)
	if errors.Is(err, store.ErrBusy) && r.Store.Remote() {
		if before, unread := r.Store.ReadRun(); unread == nil && (before == nil || before.HasEnded() || !r.Store.IsAlive(before.Process)) {
			r.Tell.Note("waiting up to " + leaseWait.String() + ": " + r.holder() + " may have ended")
			r.held, err = r.Store.Hold(leaseWait)
		}
	}
	switch {
	case errors.Is(err, store.ErrBusy):
		return r.atWorkError("start a run", store.ErrBusy)
	case err != nil:
		return fmt.Errorf("start a run: %w", err)
	}
	return nil
}

// holder names who holds the session.
func (r *Runner) holder() string {
	if other, _ := r.Store.ReadRun(); other != nil && !other.HasEnded() && other.Process != nil {
		return fmt.Sprintf("process %d on %s", other.Process.PID, other.Process.Host)
	}
	return "another run"
}

// atWorkError reports who holds the session.
func (r *Runner) atWorkError(what string, kind error) error {
	return cli.WithHint(fmt.Errorf("%s: %w: %s keeps an agent going on session %q", what, kind, r.holder(), r.Name),
		"`onward watch --session "+r.Name.Session+"` shows it, and Ctrl-C in its own terminal ends it; another session is named with --session")
}

// currentHold returns what holds the session now.
func (r *Runner) currentHold() store.Held {
	r.holding.Lock()
	defer r.holding.Unlock()
	return r.held
}

// write writes the record of the run; nil removes it.
func (r *Runner) write(record *session.Run, now todo.Time) error {
	return r.commit(func(held store.Held) error { return session.WriteRun(held, r.Name, record, now) })
}

// commit writes by what holds the session. If the servers have ended the hold, the run holds the session again.
func (r *Runner) commit(write func(store.Held) error) error {
	for {
		held := r.currentHold()
		err := write(held)
		if !errors.Is(err, store.ErrHoldLost) {
			return err
		}
		if err = r.holdAgain(held); err != nil {
			return err
		}
	}
}

// holdAgain holds the session again, after the servers have ended the hold that this run had. The error is ErrHoldLost if another
// run has held it since: that one has the session now.
func (r *Runner) holdAgain(lost store.Held) error {
	r.holding.Lock()
	defer r.holding.Unlock()
	if r.held != lost {
		return nil
	}
	again, err := r.Store.Hold(0)
	switch {
	case errors.Is(err, store.ErrBusy):
		return r.atWorkError("go on with the run", store.ErrHoldLost)
	case err != nil:
		return fmt.Errorf("go on with the run: %w", err)
	}
	record, err := r.Store.ReadRun()
	if err == nil && (record == nil || record.Mark != r.Mark) {
		err = store.WrapProblem(store.ErrHoldLost, "go on with the run: another run has been at work on session %q since", r.Name)
	}
	if err != nil {
		again.Release()
		return err
	}
	lost.Release()
	r.held = again
	return nil
}

// keepHold holds the session again whenever the servers have ended the hold, until the returned function is called. If
// another run holds it by then, this run ends.
func (r *Runner) keepHold() (stop func()) {
	over := make(chan struct{})
	var kept sync.WaitGroup
	kept.Go(func() {
		for {
			held := r.currentHold()
			lease, is := held.(store.Lease)
			if !is {
				return
			}
			select {
			case <-over:
				return
			case <-lease.Lapsed():
			}
			for err := r.holdAgain(held); err != nil; err = r.holdAgain(held) {
				pause := time.After(holdsAgain)
				if errors.Is(err, store.ErrHoldLost) {
					r.Clock.Send(holdLostSignal{err}, over)
					return
				}
				select {
				case <-over:
					return
				case <-pause: // the store does not answer, and may the next time
				}
			}
		}
	})
	return func() {
		close(over)
		kept.Wait()
	}
}

// holdLostSignal ends a run as a signal does.
type holdLostSignal struct{ why error }

func (holdLostSignal) Signal() {}

func (l holdLostSignal) String() string { return l.why.Error() }

// endAtLostHold ends a run whose session another one holds. That one has the record and the item, so neither is touched.
func (r *Runner) endAtLostHold(why error) error {
	if r.Item != nil {
		r.Item.release()
	}
	hint := "`onward watch --session " + r.Name.Session + "` shows the run that has it"
	return r.tellEnd(run.Action{Outcome: run.Stopped, Reason: "hold_lost", Message: why.Error(), Hint: hint}, cli.ExitBusy)
}
