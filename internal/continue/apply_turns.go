package continuation

import (
	"cmp"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// userPrompt applies a prompt of the user: pauses and errors end, and the counters are reset.
// A finished list is archived, unless its gate has still to pass for it; an open list stays, and so does any list if
// the prompt is only inferred, or asks for nothing new.
func userPrompt(a *transition) error {
	if hasTag(a.event.Text) {
		return nil
	}
	if a.event.PromptKey != "" && a.event.PromptKey == a.led.PromptKey {
		return nil
	}
	l := a.led
	if a.event.PromptKey != "" {
		l.PromptKey = a.event.PromptKey
	}
	was := l.Dropped
	if resetForPrompt(l); a.event.Stays {
		askAgain(l, was) // the user has said nothing about it
	}
	l.HookBlocks, l.RunGate = nil, ""
	t := &a.doc.Todos
	items := t.Current()
	if t.Emptied {
		items = t.Items // its agent emptied the list, which is not archived yet
	}
	if len(items) == 0 {
		// A result of the gate without a list was about the work before this prompt.
		l.Gate = nil
		l.ResetCounters(session.ByArchive)
	}
	if !t.Active {
		l.Deleted, l.Cancelled = nil, nil // from a list that is gone
	}
	l.PromptAt = a.now // the time budget counts from here, even if the list is written later
	a.record("user prompt")
	if len(items) == 0 {
		return nil
	}
	switch shown := t.Active; {
	case todo.Count(items).Open > 0 || a.event.Inferred || a.event.Stays:
	case !a.proven():
		a.record("user prompt: the finished list stays until its gate passes")
	default:
		a.archive()
		a.record("user prompt: the finished list was cleared")
		a.change.List = shown
	}
	return nil
}

// proven reports whether the gate has passed for the list as it is; without a gate, it is true.
func (a *transition) proven() bool {
	p := a.led.Gate
	return a.event.Gate == "" || p.PassedFor(a.doc.Todos.Current()) && p.Command == a.event.Gate
}

// BeginsTask reports whether an event is a prompt by which the user gives a new task: nothing is open, and no work that is said to be
// done still waits for a gate. A prompt that is known already gives none.
func BeginsTask(doc *session.Document, e Event) bool {
	l, items := doc.Ledger(), doc.Current()
	switch {
	case e.Type != UserPrompt || hasTag(e.Text) || e.PromptKey != "" && e.PromptKey == l.PromptKey || todo.Count(items).Open > 0:
		return false
	case len(items) == 0:
		return l.Gate == nil || !l.Gate.Failed()
	}
	return e.Gate == "" || l.Gate.PassedFor(items)
}

// changedByPrompt reports whether a user prompt changes the ledger if there is no list.
func changedByPrompt(l *session.Ledger) bool {
	return l.Paused != nil || l.Error != nil || l.QuestionAt != 0 || l.AbortedAt != 0 ||
		l.Dropped != nil || l.Deleted != nil || l.Denied != nil || l.Repeated != nil || l.ClearedAt != 0 || l.HasCounters(session.ByUser) || l.Gate != nil && l.Gate.Failures != 0
}

// turnStart notes that the agent works until the turn's end. Some agents report several beginnings of one turn.
func turnStart(a *transition) error {
	l := a.led
	// The turn that a stop hook's answer begins reports no start, so this start is of another turn.
	own := l.Last != nil && l.Turn != nil && l.Turn.At == l.Last.At
	known := l.Turn != nil && l.Turn.At.Since(a.now) < beginsAgain && !own
	if known && l.CompactedAt == 0 && l.PendingCalls == 0 {
		return nil
	}
	if !known {
		l.Turn = &session.Turn{At: a.now} // whoever reports it may know its process
	}
	l.CompactedAt, l.PendingCalls = 0, 0
	a.record("turn started")
	return nil
}

// beginsAgain is the age of a turn from which another report of its beginning counts as a new turn.
const beginsAgain = time.Minute

// turnEnd adds up the model's work. A turn that used tools is work,
// so the attempts are reset; the status of the turn opens or closes an error.
func turnEnd(a *transition) error {
	e, l := a.event, a.led
	switch l.Repeated = nil; {
	case e.Repeats > 0: // onward ended the turn, if it could, and nothing has failed
		l.Error, l.Repeated = nil, &session.RepeatedCall{Call: e.RepeatedCall, Count: e.Repeats}
	case e.Status == "", e.Status == Done:
		l.Error = nil
	case e.Status == Failed:
		a.openError(cmp.Or(e.ErrorClass, ErrorUnknown))
	case e.Status == CutOff:
		a.openError(ErrorTurnCutOff)
	case e.Status == Aborted:
		l.AbortedAt = a.now
	default:
		_, err := todo.ParseOneOf("turn status", string(e.Status), Done, Failed, Aborted, CutOff)
		return err
	}
	l.Turns++
	l.Turn, l.CompactedAt = nil, 0
	l.PendingCalls = e.PendingToolCalls
	if e.Repeats == 0 { // else the turn counts as one without work
		usedTools(l, e.ToolCalls-e.DeniedToolCalls)
	}
	l.Denied = addDenied(l.Denied, &e, a.now)
	if u := &a.event.Usage; u.Thread != "" {
		*u = recordTotal(l, *u)
	}
	if total := a.event.SubAgents; total.Thread != "" {
		a.event.Usage.Add(recordTotal(l, total))
	}
	spent := a.event.Usage
	l.SpentTokens, l.AllTokens = l.SpentTokens+spent.Tokens(), l.AllTokens+spent.Tokens()
	l.SpentMicros, l.AllMicros = l.SpentMicros+spent.Cost, l.AllMicros+spent.Cost
	l.SpentCached += spent.Cached
	a.record("turn ended")
	return nil
}

// OpenTurnUsage returns what an open turn has used, by the total of its thread so far.
func OpenTurnUsage(doc *session.Document, total Usage) Usage {
	l := *doc.Ledger() // it counts only at the turn's end
	return recordTotal(&l, total)
}

// StartUsageFrom leaves what a thread has used so far, by its total, out of what its next turn has used.
func StartUsageFrom(doc *session.Document, total Usage) {
	recordTotal(doc.Ledger(), total)
}

// recordTotal records what a thread has used so far, and returns what it has used since the total before.
func recordTotal(l *session.Ledger, total Usage) Usage {
	before := l.RecordTotal(session.Thread{ID: total.Thread, Input: total.Input, Output: total.Output, Cached: total.Cached, Cost: total.Cost})
	total.Thread = ""
	return total.Since(Usage{Input: before.Input, Output: before.Output, Cached: before.Cached, Cost: before.Cost})
}

// toolEnd subtracts one from the calls that the last turn's end reported as still to run.
func toolEnd(a *transition) error {
	if a.led.PendingCalls > 0 {
		a.led.PendingCalls--
		a.record("tool call ended")
	}
	return nil
}

// usedTools counts tool calls since the last continuation.
func usedTools(l *session.Ledger, n int) {
	if n > 0 {
		l.ToolCalls += n
		l.Attempts = 0
	}
}
