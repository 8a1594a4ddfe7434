package doctor

import (
	"onward/internal/render"
	"onward/internal/session"
)

// Budget reports a budget in money for an agent that does not report its cost. The function reports tells whether an agent does.
func Budget(doc *session.Document, maxUSD float64, reports func(agent string) bool) []Finding {
	note, hint := NoCost(doc, reports)
	if note == "" || maxUSD == 0 {
		return nil
	}
	return []Finding{{Name: "budget", State: Note, Detail: note, Hint: hint}}
}

// NoCost says that the agent of a list reports no cost, and what limits it instead; empty if it does, or if there is no agent.
func NoCost(doc *session.Document, reports func(agent string) bool) (note, hint string) {
	if doc == nil || doc.Owner == nil || reports(doc.Owner.Agent) {
		return "", ""
	}
	return render.Text(doc.Owner.Agent) + " reports no cost, so max-usd counts only what `check-continue --spend-usd` reports",
		"`onward set max-tokens N` counts by itself"
}
