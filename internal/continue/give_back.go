package continuation

import (
	"onward/internal/session"
	"onward/internal/todo"
)

// TakeUp prepares a list for a run that resumes an earlier one that was cut off, and reports whether it changed the list.
// It gives back what the last turn cost. It ends the interrupt that cut the earlier run off, since its user runs it again.
// And it takes the list from the last conversation: if this run is cut off too, before its own conversation becomes the
// owner, that one would keep the next run out.
func TakeUp(doc *session.Document, conversation string, now todo.Time) bool {
	given, interrupted := GiveBackTurn(doc), doc.Continuation.AbortedAt != 0
	doc.Continuation.AbortedAt = 0
	o := doc.Owner
	owned := o != nil && o.Session == conversation && o.EndedAt == 0
	if owned {
		o.EndedAt = now
	}
	return given || interrupted || owned
}

// GiveBackTurn takes the last continuation off the counters if its turn was cut off with the run that it was for:
// no end of a turn was reported since. It reports whether there is one. The turn is over then, so it is given back once.
func GiveBackTurn(doc *session.Document) bool {
	l := &doc.Continuation
	if last := l.Last; last == nil || last.Action != Continue.Action() || l.Turns != last.Turns || l.TotalPrompt == 0 {
		return false
	}
	giveBackAttempt(l, false)
	giveBackBudgets(l)
	if d := l.Delivering; d != nil && d.Turns == l.Turns {
		l.Delivering = new(*d)
		l.Delivering.CutOff = true
	}
	l.Turns++
	return true
}

// mostAskedAgain limits how often a question is repeated because the agent's program failed. Failures of its host have limits of their own.
const mostAskedAgain = 3

// giveBackAttempt takes the last continuation off the attempts of the model. What it asked about is asked again.
func giveBackAttempt(l *session.Ledger, hostFailed bool) {
	if d := l.Dropped; Tier(l.Last.Tier) == TierDropped && d != nil && (hostFailed || d.Failed < mostAskedAgain) {
		askAgain(l, d)
		if !hostFailed {
			l.Dropped.Failed++
		}
	}
	l.Attempts, l.Stagnation = max(0, l.Attempts-1), max(0, l.Stagnation-1)
}

// giveBackBudgets takes the last continuation off the budgets.
func giveBackBudgets(l *session.Ledger) {
	l.TotalPrompt, l.TotalSession = max(0, l.TotalPrompt-1), max(0, l.TotalSession-1)
}
