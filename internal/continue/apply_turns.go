package continuation

import (
	"cmp"

	"onward/internal/session"
	"onward/internal/todo"
)

// userPrompt applies a prompt of the user: pauses and errors end, and the counters are reset.
// A finished list is archived; an open list stays, and so does any list if the prompt is only inferred.
func userPrompt(a *applied) error {
	if hasTag(a.event.Text) {
		return nil
	}
	if a.event.PromptKey != "" && a.event.PromptKey == a.led.PromptKey {
		return nil
	}
	before := *a.led
	l := a.led
	if a.event.PromptKey != "" {
		l.PromptKey = a.event.PromptKey
	}
	l.Paused, l.Error, l.QuestionAt, l.AbortedAt = nil, nil, 0, 0
	l.Attempts, l.Stagnation, l.TotalPrompt = 0, 0, 0
	forgive(l)
	l.HookBlocks = nil
	items := a.doc.Todos.Current()
	if len(items) == 0 {
		if marked(before) {
			a.record("user prompt")
		}
		return nil
	}
	l.PromptAt = a.now
	a.record("user prompt")
	if todo.Count(items).Open == 0 && !a.event.Inferred {
		a.archive()
		a.record("user prompt: the finished list was cleared")
		a.change.List = true
	}
	return nil
}

// marked reports whether a user prompt has anything to end, if there is no list to keep it for.
func marked(l session.Ledger) bool {
	return l.Paused != nil || l.Error != nil || l.QuestionAt != 0 || l.AbortedAt != 0 ||
		l.Attempts != 0 || l.Stagnation != 0 || l.TotalPrompt != 0 || l.Gate != nil && l.Gate.Failures != 0
}

func turnStart(a *applied) error {
	if a.led.CompactedAt == 0 && a.led.PendingCalls == 0 {
		return nil
	}
	a.led.CompactedAt, a.led.PendingCalls = 0, 0
	a.record("turn started")
	return nil
}

// turnEnd adds up the model's work. A turn that used tools is work,
// so the attempts are reset; the status of the turn opens or closes an error.
func turnEnd(a *applied) error {
	e, l := a.event, a.led
	switch e.Status {
	case "", Done:
		l.Error = nil
	case Failed:
		a.raise(cmp.Or(e.ErrorClass, ErrorUnknown))
	case CutOff:
		a.raise(ErrorCutOff)
	case Aborted:
		l.AbortedAt = a.now
	default:
		_, err := todo.OneOf("turn status", string(e.Status), Done, Failed, Aborted, CutOff)
		return err
	}
	l.Turns++
	l.CompactedAt = 0
	l.PendingCalls = e.PendingToolCalls
	usedTools(l, e.ToolCalls)
	a.record("turn ended")
	return nil
}

// usedTools counts tool calls since the last continuation.
func usedTools(l *session.Ledger, n int) {
	if n > 0 {
		l.ToolCalls += n
		l.Attempts = 0
	}
}
