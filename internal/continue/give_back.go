package continuation

import "onward/internal/session"

// GiveBack takes the last continuation off the counters where its turn was cut off with the run that it was for:
// no end of a turn was reported since. It reports whether there is one. The turn is over then, so it is given back once.
func GiveBack(doc *session.Document) bool {
	l := &doc.Continuation
	if last := l.Last; last == nil || last.Action != Continue.Action() || l.Turns != last.Turns || l.TotalPrompt == 0 {
		return false
	}
	l.Attempts, l.Stagnation = max(0, l.Attempts-1), max(0, l.Stagnation-1)
	l.TotalPrompt, l.TotalSession = l.TotalPrompt-1, max(0, l.TotalSession-1)
	l.Turns++
	return true
}
