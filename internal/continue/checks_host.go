package continuation

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/kballard/go-shellquote"

	"onward/internal/session"
	"onward/internal/todo"
)

// openFailure returns the open error if it is of one of the classes.
func (q *question) openFailure(classes ...ErrorClass) *session.Failure {
	if f := q.led.Error; f != nil && slices.Contains(classes, ErrorClass(f.Class)) {
		return f
	}
	return nil
}

// finishedBeforeFailure reports whether the list is finished although a turn failed after it: an item was completed, nothing is
// open, and neither a message of the user nor the task of a run waits for a turn. A gate that fails asks for more turns.
func (q *question) finishedBeforeFailure() bool {
	n, g := q.facts.QueuedMessages, q.facts.Gate
	return q.counts.Open == 0 && q.closed.Of(todo.Completed) > 0 && q.led.Dropped == nil && !q.facts.TaskWaits &&
		(n == nil || *n == 0) && len(q.waiting(true)) == 0 && (g == nil || g.Passed())
}

func hostError(q *question) *Decision {
	if f := q.openFailure(ErrorAuth, ErrorBilling, ErrorInvalidRequest); f != nil && !q.finishedBeforeFailure() {
		why, mend := "the agent's provider refused the request", "check the agent's own error"
		switch ErrorClass(f.Class) {
		case ErrorAuth:
			why, mend = "the agent could not log in", "log in to the agent"
		case ErrorBilling:
			why, mend = "the agent's credit or quota is used up", "check the agent's account"
		}
		return because(HostError, "host_error", "%s", why).withHint("%s, then %s", mend, q.continueCommand())
	}
	return nil
}

func contextFull(q *question) *Decision {
	full := q.openFailure(ErrorContext) != nil || q.facts.ContextRatio != nil && *q.facts.ContextRatio >= contextRatio
	if full && !q.finishedBeforeFailure() {
		return because(HostError, "context_full", "the agent's context is full").
			withHint("compact the agent's conversation or start a new one, then %s", q.continueCommand())
	}
	return nil
}

func rateLimited(q *question) *Decision {
	f := q.openFailure(ErrorRateLimit)
	if f == nil || q.finishedBeforeFailure() {
		return nil
	}
	if f.RetryAt > f.At {
		return q.untilReset(f, "rate_limited", "usage limit")
	}
	if f.Since != 0 && f.Since.Since(f.At) >= limitWait {
		return because(Limit, ReasonLimitWait, "the agent has been rate-limited for %s, and its provider does not say until when", todo.SpanText(limitWait)).
			withHint("check the agent's account; %s asks again now", q.continueCommand())
	}
	if left := doubled(limitFirst, limitLongest, f.Count) - q.age(f.At); left > 0 {
		return waitFor(left, "rate_limited", "the agent is rate-limited")
	}
	return nil
}

// untilReset waits until the time at which the host can be asked again, and a tenth longer. The margin is for clocks that
// differ, and for many agents that wait for the same moment.
func (q *question) untilReset(f *session.Failure, reason, why string) *Decision {
	wait := f.At.Since(f.RetryAt)
	if left := wait + min(max(wait/10, marginLeast), marginMost) - q.age(f.At); left > 0 {
		d := waitFor(left, reason, "%s %s", why, UntilText(q.now+todo.Time(left.Milliseconds()), q.now))
		d.ResetAt = f.RetryAt
		return d.withHint("ask again then, as `onward check-continue --wait` does")
	}
	return nil
}

// doubled returns a pause that doubles with each failure in a row.
func doubled(first, longest time.Duration, count int) time.Duration {
	return min(first<<min(max(0, count-1), 16), longest)
}

// OutagePause returns the pause after a failure of servers, by their number in a row.
func OutagePause(count int) time.Duration { return doubled(backoffFirst, outageLongest, count) }

func retryOrGiveUp(q *question) *Decision {
	f := q.openFailure(ErrorServer, ErrorUnknown, ErrorTurnCutOff)
	if f == nil || q.finishedBeforeFailure() {
		return nil
	}
	server := ErrorClass(f.Class) == ErrorServer
	switch gone := f.Since.Since(f.At); {
	case server && f.Since != 0 && gone >= maxOutage:
		if q.age(f.At) < failuresPause {
			return because(HostError, "failures", "the agent's provider has failed for %s", todo.SpanText(gone)).
				withHint("check the agent's own error; %s asks again now", q.continueCommand())
		}
		return nil
	case !server && f.Count >= failuresInARow:
		if q.age(f.At) < failuresPause {
			return because(HostError, "failures", "%s", FailedText(fmt.Sprintf("the agent's last %d turns", f.Count), f.Class)).
				withHint("check the agent's own error; %s asks again now", q.continueCommand())
		}
		return nil
	case f.RetryAt > f.At:
		return q.untilReset(f, "backoff", "the agent's provider fails")
	}
	pause := doubled(backoffFirst, backoffLongest, f.Count)
	if server {
		pause = OutagePause(f.Count)
	}
	if left := pause - q.age(f.At); left > 0 {
		return waitFor(left, "backoff", "%s", FailedText("the agent's last turn", f.Class))
	}
	return nil
}

func recovering(q *question) *Decision {
	if at := q.led.RecoveringAt; at != 0 && q.age(at) < markExpires {
		return waitFor(pollTools, "recovering", "the agent's session is being repaired")
	}
	return nil
}

func compaction(q *question) *Decision {
	if at := q.led.CompactingAt; at != 0 && q.age(at) < markExpires {
		return waitFor(pollTools, "compaction", "the agent's context is being compacted")
	}
	if at := q.led.CompactedAt; at != 0 && q.age(at) < afterCompaction && q.facts.ActiveAt <= at {
		return waitFor(afterCompaction-q.age(at), "compaction", "the agent's context was compacted just now")
	}
	return nil
}

func toolsPending(q *question) *Decision {
	if n := q.facts.Running; n > 0 {
		return waitFor(pollTools, "tools_pending", "`onward schedule run` has %s to run", todo.Plural(n, "tool call"))
	}
	if q.pending <= 0 {
		return nil
	}
	return waitFor(pollTools, "tools_pending", "the agent still has tool calls to run")
}

// working waits for the end of a turn that began and has not ended. A stop hook asks at that end.
func working(q *question) *Decision {
	if q.facts.AtWork {
		return waitFor(pollTurn, "working", "the agent is working: `onward run` has started it")
	}
	t := q.led.Turn
	if t == nil || q.facts.Hook != nil || q.facts.TurnGone {
		return nil
	}
	seen, silent := t.At, turnSilent
	if q.facts.ActiveAt >= t.At {
		seen = q.facts.ActiveAt
		if q.facts.CallOpen {
			silent = callSilent
		}
	}
	left := silent - q.age(seen)
	if left <= 0 {
		return nil
	}
	d := waitFor(min(left, pollTurn), "working", "the agent is working: its turn has not ended")
	return d.withHint("%s; if no agent is working, `onward event turn-end` ends the turn", d.Hint)
}

// background waits for work that runs next to the conversation, but not forever:
// 30 minutes after the waiting began, an hour later, and then every two hours,
// the agent is asked after it.
func background(q *question) *Decision {
	tasks := running(q.led.Background, q.now)
	if q.facts.Ended {
		tasks = slices.DeleteFunc(tasks, func(t session.BackgroundTask) bool { return t.Kind == subAgent })
	}
	n := len(tasks)
	if b := q.facts.Background; b != nil {
		n = *b
	}
	if n <= 0 {
		q.led.WaitingSince, q.led.CheckIns = 0, 0
		return nil
	}
	if q.led.WaitingSince == 0 || q.led.WaitingSince > q.now { // or the clock was set back
		q.led.WaitingSince = q.now
	}
	if h := q.facts.Hook; h != nil && h.Ends {
		q.beside = true // the work would be lost if the turn ended now
		return nil
	}
	due := 30 * time.Minute
	if q.led.CheckIns > 0 {
		due = 90*time.Minute + time.Duration(q.led.CheckIns-1)*2*time.Hour
	}
	if left := due - q.led.WaitingSince.Since(q.now); left > 0 {
		d := waitFor(min(left, pollBackground), "background", "%s %s running", todo.Plural(n, "background task"), plural(n, "is", "are"))
		if q.facts.Background == nil {
			d = d.withHint("%s; if the work has ended, `onward event background-end %s` says so", d.Hint, shellquote.Join(tasks[0].ID))
		}
		return d
	}
	q.checkIn = true
	return nil
}

// hostCap stops one continuation before the host would silently override the answer.
func hostCap(q *question) *Decision {
	if d := capReached(q); d != nil || q.facts.Hook == nil {
		return d
	}
	if blocks := q.led.HookBlocks; len(blocks) >= 3 && q.led.ToolCalls == 0 && q.led.Stagnation >= 3 {
		first, err := time.Parse(time.RFC3339, blocks[len(blocks)-3])
		if err == nil && q.age(todo.TimeOf(first)) < rapidBlocks {
			return because(Limit, "host_cap", "the agent was stopped after 3 continuations within a minute that did nothing").
				withHint(promptHint)
		}
	}
	return nil
}

// capReached reports that the host would ignore one more continuation.
func capReached(q *question) *Decision {
	h := q.facts.Hook
	if h == nil {
		return nil
	}
	// Todo tools do not count as work, but as tools here. One has run if the list has changed since the last prompt.
	if h.WorkFrees && (q.led.ToolCalls > 0 || q.led.Attempts == 0) {
		q.led.HookBlocks = nil
	}
	blocks := q.led.HookBlocks
	if h.Cap > 0 && len(blocks) >= max(1, h.Cap-1) {
		return because(Limit, "host_cap", "the agent was stopped after %s in a row, one before the agent's own limit", todo.Plural(len(blocks), "continuation")).
			withHint(promptHint)
	}
	return nil
}

// waitForDuplicate makes the second of two concurrent callers wait.
func waitForDuplicate(q *question) *Decision {
	last := q.led.Last
	if last == nil || last.Action != Continue.Action() {
		return nil
	}
	// After a new prompt of the user it is another question.
	if q.facts.ReadRev != nil && last.Rev > *q.facts.ReadRev && q.led.TotalPrompt > 0 {
		return waitFor(pollTools, "duplicate", "another process was asked to continue just now")
	}
	// The gate may have taken its time since the question was asked.
	age := max(0, last.At.Since(cmp.Or(q.facts.AskedAt, q.now)))
	if h := q.facts.Hook; h != nil && h.Key != "" && h.Key == last.Key && age < hookDuplicate {
		return waitFor(hookDuplicate-age, "duplicate", "the same question was answered just now")
	}
	return nil
}
