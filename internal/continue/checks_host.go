package continuation

import (
	"slices"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// failure returns the open error of one of some classes.
func (q *question) failure(classes ...ErrorClass) *session.Failure {
	if f := q.led.Error; f != nil && slices.Contains(classes, ErrorClass(f.Class)) {
		return f
	}
	return nil
}

func hostError(q *question) *Decision {
	if f := q.failure(ErrorAuth, ErrorBilling, ErrorInvalidRequest); f != nil {
		mend := "check the agent's own error"
		switch ErrorClass(f.Class) {
		case ErrorAuth:
			mend = "log in to the agent"
		case ErrorBilling:
			mend = "check the agent's account"
		}
		return because(HostError, "host_error", "the agent's host refused: %s", f.Class).hinted("%s, then `onward resume`", mend)
	}
	return nil
}

func contextFull(q *question) *Decision {
	if r := q.facts.ContextRatio; r != nil && *r >= contextRatio || q.failure(ErrorContext) != nil {
		return because(HostError, "context_full", "the agent's context is full").
			hinted("compact the agent's conversation or begin a new one, then `onward resume`")
	}
	return nil
}

func rateLimited(q *question) *Decision {
	f := q.failure(ErrorRateLimit)
	if f == nil {
		return nil
	}
	pause := rateLimitDefault
	if f.RetryAt > f.At {
		pause = f.At.Since(f.RetryAt)
	}
	if left := pause - q.age(f.At); left > 0 {
		return waitFor(left, "rate_limited", "the agent's host limits the rate")
	}
	return nil
}

func backoff(q *question) *Decision {
	f := q.failure(ErrorServer, ErrorUnknown, ErrorCutOff)
	if f == nil {
		return nil
	}
	if f.Count >= failuresInARow {
		if q.age(f.At) < failuresPause {
			return because(HostError, "failures", "%d turns failed in a row, the last with %s", f.Count, f.Class).
				hinted("check the agent's own error; `onward resume` asks again at once")
		}
		return nil
	}
	pause := min(backoffFirst<<max(0, f.Count-1), backoffLongest)
	if left := pause - q.age(f.At); left > 0 {
		return waitFor(left, "backoff", "the last turn failed (%s)", f.Class)
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

// background waits for work beside the conversation, but not forever:
// 30 minutes after the waiting began, an hour later, and then every two hours,
// the agent is asked after it.
func background(q *question) *Decision {
	n := len(running(q.led.Background, q.now))
	if b := q.facts.Background; b != nil {
		n = *b
	}
	if n <= 0 {
		q.led.WaitingSince, q.led.CheckIns = 0, 0
		return nil
	}
	if q.led.WaitingSince == 0 {
		q.led.WaitingSince = q.now
	}
	if h := q.facts.Hook; h != nil && h.Ends {
		q.beside = true // to wait would be to lose it
		return nil
	}
	due := 30 * time.Minute
	if q.led.CheckIns > 0 {
		due = 90*time.Minute + time.Duration(q.led.CheckIns-1)*2*time.Hour
	}
	if left := due - q.led.WaitingSince.Since(q.now); left > 0 {
		return waitFor(min(left, pollBackground), "background", "background work runs (%d)", n)
	}
	q.checkIn = true
	return nil
}

// hostCap stops one continuation before the host would silently override the answer.
func hostCap(q *question) *Decision {
	h := q.facts.Hook
	if h == nil {
		return nil
	}
	// A todo tool is no work, but it is a tool; it ran where the list has moved since the last prompt.
	if h.WorkFrees && (q.led.ToolCalls > 0 || q.led.Attempts == 0) {
		q.led.HookBlocks = nil
	}
	blocks := q.led.HookBlocks
	if h.Cap > 0 && len(blocks) >= max(1, h.Cap-1) {
		return because(Limit, "host_cap", "stopped after %s in a row, one before the agent's own limit", todo.Plural(len(blocks), "continuation")).
			hinted(promptHint)
	}
	if len(blocks) >= 3 && q.led.ToolCalls == 0 && q.led.Stagnation >= 3 {
		first, err := time.Parse(time.RFC3339, blocks[len(blocks)-3])
		if err == nil && q.age(todo.TimeOf(first)) < rapidBlocks {
			return because(Limit, "host_cap", "stopped after 3 continuations within a minute that did nothing").
				hinted(promptHint)
		}
	}
	return nil
}

// duplicate makes the second of two concurrent callers wait.
func duplicate(q *question) *Decision {
	last := q.led.Last
	if last == nil || last.Action != Continue.Action() {
		return nil
	}
	// After a new prompt of the user it is another question.
	if q.facts.ReadRev > 0 && last.Rev > q.facts.ReadRev && q.led.TotalPrompt > 0 {
		return waitFor(pollTools, "duplicate", "another process was asked to continue just now")
	}
	if h := q.facts.Hook; h != nil && h.Key != "" && h.Key == last.Key && q.age(last.At) < hookDuplicate {
		return waitFor(hookDuplicate-q.age(last.At), "duplicate", "the same question was answered just now")
	}
	return nil
}
