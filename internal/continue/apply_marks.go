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
// It holds until the user's next prompt, no matter what happens in between.
func pause(a *transition) error {
	proof, items := a.led.Gate, a.doc.Todos.Current()
	tasked := a.event.InRun && (len(items) == 0 || allMissing(items)) // by the run, and the agent has no list yet
	if todo.Count(items).Open == 0 && !tasked && (proof == nil || !proof.Failed()) {
		return ErrNothingOpen // and no gate that fails either
	}
	paused := session.Paused{Reason: strings.TrimSpace(a.event.Reason), At: a.now}
	switch {
	case a.event.Person:
		paused.By = todo.ByUser
	case a.led.Paused.ByUser():
		return nil // it keeps the user's reason
	}
	a.led.Paused = &paused
	a.record("paused")
	return nil
}

// stop records that the user stopped the session: it holds across prompts. A stop by the command outlasts one in the agent's window.
func stop(a *transition) error {
	l := a.led
	first := !l.Stopped()
	here, now := a.event.Here && (first || l.StoppedHere), a.event.Now || l.StoppedNow
	if !first && here == l.StoppedHere && now == l.StoppedNow {
		return nil
	}
	l.StoppedAt, l.StoppedHere, l.StoppedNow = cmp.Or(l.StoppedAt, a.now), here, now
	a.record("stopped")
	return nil
}

func resume(a *transition) error {
	l := a.led
	switch {
	case !changedByPrompt(l) && !l.Stopped():
		return nil
	case a.event.Here && l.Stopped() && !l.StoppedHere:
		return ErrStoppedElsewhere
	case !a.event.Own:
	case !l.Stopped() && l.Paused != nil && !l.Paused.ByUser():
		l.Paused = nil
		a.record("ended the pause")
		return nil
	default:
		return session.RefuseResume(l, a.doc.Todos.Current())
	}
	l.StoppedHere, l.StoppedNow = false, false
	l.StoppedAt, l.AbortedAt, l.Paused, l.Error, l.Denied, l.Repeated = 0, 0, nil, nil, nil, nil
	l.ResetCounters(session.ByUser)
	resetGateFailures(l)
	a.record("resumed")
	return nil
}

func abort(a *transition) error {
	a.led.AbortedAt, a.led.Turn = a.now, nil
	a.record("aborted")
	return nil
}

func fail(a *transition) error {
	class := cmp.Or(a.event.ErrorClass, ErrorUnknown)
	a.openError(class)
	if a.event.EndsTurn {
		a.led.Turn = nil
	}
	a.record("error %s", class)
	return nil
}

// openError opens an error, or counts one more in a row.
func (a *transition) openError(class ErrorClass) {
	l, was := a.led, a.led.Error
	f := session.Failure{Class: string(class), At: a.now, Since: a.now, Count: 1, RetryAt: a.event.retryAt(a.now, was)}
	if f.RetryAt == 0 && was != nil && ErrorClass(was.Class) == ErrorRateLimit && was.RetryAt > a.now && a.now.Since(was.RetryAt) <= ResetFuture && class.passesWithTime() {
		// The host said when it can be asked again. A turn that fails before that time adds no information.
		// A time further ahead was recorded before the clock was set back.
		f.Class, f.RetryAt = was.Class, was.RetryAt
	}
	// A continuation whose turn failed was not an attempt of the model: failures have their own count.
	if last := l.Last; last != nil && last.Action == Continue.Action() && (was == nil || last.At > was.At) {
		giveBackAttempt(l, ErrorClass(f.Class).isOfHost())
		if ErrorClass(f.Class).isOfHost() && a.event.ToolCalls+l.ToolCalls == 0 && l.Refunds < maxRefunds && a.begunByContinuation(last) {
			l.Refunds++
			giveBackBudgets(l)
		}
	}
	if was != nil && sameKind(was, &f) {
		f.Count = was.Count + 1
	}
	if was != nil && (sameKind(was, &f) || outageOutlasts(was, &f)) {
		f.Since = cmp.Or(was.Since, was.At)
	}
	l.Error = &f
}

// begunByContinuation reports whether the turn that fails was begun by a continuation. If an agent woke itself up, or the user has spoken
// since, the continuation before is not refunded. A turn that a stop hook began lasts until another one begins; other agents
// report each beginning or end.
func (a *transition) begunByContinuation(last *session.LastDecision) bool {
	l := a.led
	if l.TotalPrompt == 0 {
		return false
	}
	if n := len(l.HookBlocks); n > 0 && l.HookBlocks[n-1] == last.At.String() {
		return l.Turn != nil && l.Turn.At == last.At
	}
	return l.Turns == last.Turns && (l.Turn != nil || a.event.Type == TurnEnd)
}

// maxRefunds limits the continuations without progress that are not counted because the host failed before their turn began.
const maxRefunds = 50

// retryAt returns when the host can be asked again; 0 is unknown. The open failure may have named a time that is over.
func (e *Event) retryAt(now todo.Time, was *session.Failure) todo.Time {
	if e.RetryAfter > 0 {
		return now + todo.Time(e.RetryAfter)
	}
	var due todo.Time
	if was != nil {
		due = was.RetryAt
	}
	return e.Reset.instantFollowing(cmp.Or(e.At, now).Time().Local(), due)
}

// sameKind reports whether two failures are of the same kind, so that they count as failures in a row. A usage limit with a
// known end and one without are of different kinds.
func sameKind(was, is *session.Failure) bool {
	a, b := ErrorClass(was.Class), ErrorClass(is.Class)
	if a == ErrorRateLimit && b == a {
		return (was.RetryAt == 0) == (is.RetryAt == 0)
	}
	return a == b || !a.isOfHost() && !b.isOfHost()
}

// outageOutlasts reports whether an outage of the host continues through a failure of another kind: that a conversation cannot be
// resumed, for example, does not show that the host answers again.
func outageOutlasts(was, is *session.Failure) bool {
	goesOn := func(c string) bool { return ErrorClass(c).passesWithTime() && ErrorClass(c) != ErrorRateLimit }
	return goesOn(was.Class) && goesOn(is.Class)
}

// isOfHost reports whether the host failed, which neither the agent's program nor the user can change.
func (c ErrorClass) isOfHost() bool { return c == ErrorRateLimit || c == ErrorServer }

// passesWithTime reports whether a failure goes away with time, without an action of anybody.
func (c ErrorClass) passesWithTime() bool {
	return c == ErrorRateLimit || c == ErrorServer || c == ErrorUnknown || c == ErrorTurnCutOff
}

func backgroundStart(a *transition) error {
	e := a.event
	e.Kind = cmp.Or(e.Kind, "shell")
	if slices.ContainsFunc(a.led.Background, func(t session.BackgroundTask) bool { return t.ID == e.ID }) {
		return nil
	}
	// Expired tasks are dropped here, so that the list stays short.
	a.led.Background = append(running(a.led.Background, a.now), session.BackgroundTask{ID: e.ID, Kind: e.Kind, Since: a.now})
	a.record("background work %q started", e.ID)
	return nil
}

func backgroundEnd(a *transition) error {
	rest := slices.DeleteFunc(slices.Clone(a.led.Background), func(t session.BackgroundTask) bool { return t.ID == a.event.ID })
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

// subAgent is the kind of background work that ends with its agent at the latest.
const subAgent = "subagent"

// running returns the background work that still counts. The report of its end may be lost, so it counts for a limited time.
func running(tasks []session.BackgroundTask, now todo.Time) []session.BackgroundTask {
	return slices.DeleteFunc(slices.Clone(tasks), func(t session.BackgroundTask) bool {
		limit := 24 * time.Hour
		if t.Kind == subAgent {
			limit = 30 * time.Minute
		}
		return t.Since.Since(now) > limit
	})
}

// setMark sets one of the marks that expire by themselves; a time of 0 ends it.
func (a *transition) setMark(at *todo.Time, to todo.Time) error {
	if *at != 0 || to != 0 {
		*at = to
		a.record("%s", a.event.Type)
	}
	return nil
}

// compactionEnd frees the context, so a context error is over with it.
func compactionEnd(a *transition) error {
	a.led.CompactingAt, a.led.CompactedAt = 0, a.now
	if a.led.Error != nil && ErrorClass(a.led.Error.Class) == ErrorContext {
		a.led.Error = nil
	}
	a.record("compaction-end")
	return nil
}

// setGoal keeps the goal that an agent follows, until it has reached it.
func setGoal(a *transition) error {
	e, is := a.event, a.doc.Goal
	text := session.ShortText(e.Text)
	switch {
	case e.State == "complete" || e.State == "" || text == "":
		if is != nil {
			a.doc.Goal = nil
			a.record("the goal of %s is over", e.Source)
		}
	case is == nil || is.Text != text || is.State != e.State:
		a.doc.Goal = &session.Goal{Agent: e.Source, Text: text, State: e.State, At: a.now}
		a.record("%s follows a goal: %s", e.Source, e.State)
	}
	return nil
}

// noteUnread keeps the kind of something that onward does not know, for `doctor` to name.
func noteUnread(a *transition) error {
	e := a.event
	if a.doc.NoteUnread(session.Unread{Agent: e.Source, Version: e.Version, Name: e.ID, At: a.now}) {
		a.record("%s sent %q, which onward does not know", e.Source, e.ID)
	}
	return nil
}

func sessionEnd(a *transition) error {
	a.doc.Owner = nil
	a.led.DropMarks()
	a.record("session ended")
	return nil
}
