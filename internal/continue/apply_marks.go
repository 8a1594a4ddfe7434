package continuation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// pause records the model's own statement that it cannot continue.
// It holds until the user's next prompt, whatever happens in between.
func pause(a *applied) error {
	proof := a.led.Gate
	if todo.Count(a.doc.Todos.Current()).Open == 0 && (proof == nil || !proof.Failed()) {
		return ErrNothingOpen // and no gate that fails either
	}
	a.led.Paused = &session.Paused{Reason: strings.TrimSpace(a.event.Reason), At: a.now}
	a.record("paused")
	return nil
}

// stop records that the user stopped the session: it holds across prompts.
func stop(a *applied) error {
	if a.led.StoppedAt != 0 {
		return nil
	}
	a.led.StoppedAt = a.now
	a.record("stopped")
	return nil
}

func resume(a *applied) error {
	l := a.led
	if !marked(*l) && l.StoppedAt == 0 {
		return nil
	}
	l.StoppedAt, l.AbortedAt, l.Paused, l.Error = 0, 0, nil, nil
	l.Attempts, l.Stagnation, l.TotalPrompt = 0, 0, 0
	forgive(l)
	a.record("resumed")
	return nil
}

func abort(a *applied) error {
	a.led.AbortedAt = a.now
	a.record("aborted")
	return nil
}

func fail(a *applied) error {
	class := cmp.Or(a.event.ErrorClass, ErrorUnknown)
	a.raise(class)
	a.record("error %s", class)
	return nil
}

// raise opens an error, or counts one more in a row.
func (a *applied) raise(class ErrorClass) {
	f := session.Failure{Class: string(class), At: a.now, Count: 1}
	// A continuation whose turn failed was no attempt of the model: failures are counted by themselves.
	if last := a.led.Last; last != nil && last.Action == Continue.Action() && (a.led.Error == nil || last.At > a.led.Error.At) {
		a.led.Attempts, a.led.Stagnation = max(0, a.led.Attempts-1), max(0, a.led.Stagnation-1)
	}
	if a.led.Error != nil {
		f.Count = a.led.Error.Count + 1
	}
	if a.event.RetryAfter > 0 {
		f.RetryAt = a.now + todo.Time(a.event.RetryAfter)
	}
	a.led.Error = &f
}

func backgroundStart(a *applied) error {
	e := a.event
	e.Kind = cmp.Or(e.Kind, "shell")
	if slices.ContainsFunc(a.led.Background, func(t session.Task) bool { return t.ID == e.ID }) {
		return nil
	}
	// Expired tasks are dropped here, so that the list stays short.
	a.led.Background = append(running(a.led.Background, a.now), session.Task{ID: e.ID, Kind: e.Kind, Since: a.now})
	a.record("background work %q started", e.ID)
	return nil
}

func backgroundEnd(a *applied) error {
	rest := slices.DeleteFunc(slices.Clone(a.led.Background), func(t session.Task) bool { return t.ID == a.event.ID })
	if len(rest) == len(a.led.Background) {
		return nil
	}
	a.led.Background = rest
	if len(rest) == 0 {
		a.led.WaitingSince, a.led.CheckIns = 0, 0
	}
	a.record("background work %q ended", a.event.ID)
	return nil
}

// running returns the background work that still counts:
// an end may have been lost, so nothing counts forever.
func running(tasks []session.Task, now todo.Time) []session.Task {
	return slices.DeleteFunc(slices.Clone(tasks), func(t session.Task) bool {
		limit := 24 * time.Hour
		if t.Kind == "subagent" {
			limit = 30 * time.Minute
		}
		return t.Since.Since(now) > limit
	})
}

// mark sets one of the marks that expire by themselves, or ends it, where the time is 0.
func (a *applied) mark(at *todo.Time, to todo.Time) error {
	if *at != 0 || to != 0 {
		*at = to
		a.record("%s", a.event.Type)
	}
	return nil
}

// compactionEnd frees the context, so a context error is over with it.
func compactionEnd(a *applied) error {
	a.led.CompactingAt, a.led.CompactedAt = 0, a.now
	if a.led.Error != nil && ErrorClass(a.led.Error.Class) == ErrorContext {
		a.led.Error = nil
	}
	a.record("compaction-end")
	return nil
}

func sessionEnd(a *applied) error {
	l := a.led
	a.doc.Owner = nil
	l.RecoveringAt, l.CompactingAt, l.CompactedAt, l.QuestionAt = 0, 0, 0, 0
	l.Background, l.WaitingSince, l.CheckIns, l.PendingCalls = nil, 0, 0, 0
	a.record("session ended")
	return nil
}
