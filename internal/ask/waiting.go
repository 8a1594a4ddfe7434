package ask

import (
	"errors"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// Waiting lets time pass.
type Waiting interface {
	// Elapsed is the time since the question was asked.
	Elapsed() time.Duration
	// Wait returns after some time, or as soon as the list may have changed, or the user wants to wait no longer.
	// A change before the first call counts as a change.
	Wait(time.Duration) WakeReason
	// DropInput drops what the user typed so far, for it was not meant for the countdown that begins.
	DropInput()
}

// WakeReason is the reason why a wait ended.
type WakeReason int

// The ends of a wait.
const (
	WokeAtLimit      WakeReason = iota
	Changed                     // another process may have changed something
	CountdownSkipped            // the user wants no more countdown
	Stopped                     // a signal ends the question
)

// ErrStopped reports that a signal ended the question while it waited. Nothing is decided then.
var ErrStopped = errors.New("stopped by a signal")

// PollUntil looks until a look reports that nothing more is waited for, or the limit has passed; below 0 there is none.
// It looks again as soon as something may have changed, and after the interval in any case.
func PollUntil(waiting Waiting, limit, interval time.Duration, look func() (over bool, err error)) error {
	for {
		over, err := look()
		left := interval
		if limit >= 0 {
			left = min(interval, limit-waiting.Elapsed())
		}
		if over || err != nil || left <= 0 {
			return err
		}
		waiting.Wait(left)
	}
}

// quiet is how long a conversation must be idle until its turn counts as over without an event that ends it.
const quiet = time.Minute

// userTurn is the turn after a cancelled countdown. The user has stepped in, so it is theirs:
// the question is open again when that turn ends.
type userTurn struct {
	turns int              // that had ended when the countdown was cancelled
	signs session.Activity // the last activity
	since time.Duration    // when it was seen
	fresh bool             // the countdown of this very look at the list was cancelled
}

// remainingYield returns how long the question rests, unless the turn ends before; 0 if it does not.
func (q *asking) remainingYield(doc *session.Document) time.Duration {
	r := q.yielded
	if r == nil {
		return 0
	}
	if signs := q.List.Activity(); signs != r.signs {
		r.signs, r.since = signs, q.Waiting.Elapsed()
	}
	left := quiet - (q.Waiting.Elapsed() - r.since)
	if r.fresh {
		return left
	}
	if left <= 0 || doc.Continuation.Turns != r.turns {
		q.yielded = nil
		return 0
	}
	return left
}

// countdown gives the user time to intervene, and reads the list again if it took any time.
// Activity in the conversation cancels it; a user's message in its first moments does not,
// since it results from the end of the turn.
// It ends early if the list as it is then is not to be continued any more.
func (q *asking) countdown(a *Answer) error {
	length := a.Settings.Countdown
	if length <= 0 {
		return nil
	}
	before, began := q.List.Activity(), q.Waiting.Elapsed()
	cancelled, err := q.waitCountdown(*a, began, before)
	if err != nil {
		return err
	}
	if cancelled {
		q.yielded = &userTurn{turns: a.Doc.Ledger().Turns, signs: q.List.Activity(), since: q.Waiting.Elapsed(), fresh: true}
	}
	q.Now += todo.Time((q.Waiting.Elapsed() - began).Milliseconds())
	fresh, err := q.gather(a.Doc)
	*a = fresh
	return err
}

// waitCountdown counts down, and reports whether that was cancelled.
func (q *asking) waitCountdown(a Answer, began time.Duration, before session.Activity) (cancelled bool, err error) {
	q.Waiting.DropInput()
	for shown := -1; ; {
		took := q.Waiting.Elapsed() - began
		left := a.Settings.Countdown - took
		if left <= 0 {
			return false, nil
		}
		seconds := int((left + time.Second - 1) / time.Second)
		if seconds != shown {
			shown = seconds
			q.Notes.NoteCountdown(seconds, a.Decision.Counts.Open)
		}
		switch q.Waiting.Wait(left - time.Duration(seconds-1)*time.Second) {
		case WokeAtLimit:
			continue
		case CountdownSkipped:
			return false, nil
		case Stopped:
			return false, ErrStopped
		}
		if is := q.List.Activity(); is != before {
			if continuation.Type(is.Kind) != continuation.UserPrompt || q.Waiting.Elapsed()-began >= a.Settings.Grace {
				return true, nil
			}
			before = is
		}
		if !q.stillContinues() {
			return false, nil // the new state contains the reason
		}
	}
}

// stillContinues reports whether the list as it is now would be continued.
func (q *asking) stillContinues() bool {
	doc, err := q.List.Load()
	if err != nil {
		return false
	}
	a, err := q.gather(doc)
	if err == nil {
		err = q.decide(&a)
	}
	return err == nil && a.Decision.Outcome == continuation.Continue
}
