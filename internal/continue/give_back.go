package continuation

import "onward/internal/session"

// GiveBack takes the last continuation off the counters: the run that it was for was cut off. It reports whether it was counted.
func GiveBack(doc *session.Document) bool {
	l := &doc.Continuation
	if l.TotalPrompt == 0 {
		return false
	}
	l.Attempts, l.Stagnation = max(0, l.Attempts-1), max(0, l.Stagnation-1)
	l.TotalPrompt, l.TotalSession = l.TotalPrompt-1, max(0, l.TotalSession-1)
	return true
}
