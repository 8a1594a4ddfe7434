package ask

import (
	continuation "onward/internal/continue"
	"onward/internal/session"
)

// Standing returns what a session needs: the decision is that of a dry run, which uses the gate's
// last result if it still holds. It commits nothing, runs nothing, and does not look for a run: many sessions are shown
// at once.
// Gone reports that the process of the list's owner has ended.
func (of Question) Standing(doc *session.Document, gone bool) (Answer, continuation.Standing, error) {
	q := &asking{Question: of, asked: of.Now}
	a, err := q.gatherFacts(doc)
	if err != nil {
		return a, continuation.Standing{}, err
	}
	a.facts = a.facts.WithKnownGate(doc, a.Settings)
	if err := q.decide(&a); err != nil {
		return a, continuation.Standing{}, err
	}
	return a, continuation.DeriveStanding(doc, a.Decision, a.Settings, q.List.Activity, gone, q.Now), nil
}
