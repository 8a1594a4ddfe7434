package report

import (
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// cutOff says what the turns have spent in which the last run was cut off: what is in its total, and in no turn that has ended. Several
// are told as one, with the last of them.
func (b *builder) cutOff(src Source) {
	total := session.RunAgent{}
	var since, until todo.Time
	switch run, receipt := src.Run, src.Receipt; {
	case run != nil && !run.HasEnded():
		total, since = run.SpentWithOpenTurn(src.Standing.State == continuation.IsCutOff), run.Began
	case receipt != nil:
		total, since, until = session.RunAgent{Tokens: receipt.Tokens, Micros: receipt.Micros}, receipt.Began, receipt.Ended
	}
	for i := range src.Entries {
		for _, ev := range src.Entries[i].Events {
			if ev.Type == string(continuation.TurnEnd) && src.Entries[i].At >= since {
				total.Tokens -= max(0, ev.Input-ev.Cached) + ev.Written
				total.Micros -= ev.Cost
			}
		}
	}
	var last *Event
	turns := 0
	for i := range b.Events {
		if e := &b.Events[i]; e.Type == session.CutOff && e.At >= since && (until == 0 || e.At <= until) {
			last, turns = e, turns+1
		}
	}
	if last == nil || total.Tokens <= 0 && total.Micros <= 0 {
		return
	}
	last.Tokens, last.Cost = max(0, total.Tokens), max(0, total.Micros)
	if turns > 1 {
		last.Turns = turns
	}
	b.Totals.CostMicros += last.Cost
}
