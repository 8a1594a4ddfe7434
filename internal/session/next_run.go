package session

import "onward/internal/todo"

// AfterPause returns the conversation that a run of an agent resumes once it has ended the pause of the list; empty if no pause is in its
// way, or if the conversation is another agent's.
func (r *Run) AfterPause(doc *Document, agent string) string {
	if l := doc.Ledger(); !r.HasEnded() || l.Paused == nil || l.Stopped() || r.Agent != agent {
		return ""
	}
	return r.Conversation
}

// SpentText says what a run has spent until a time, with the open turn if it was cut off in that.
func (r *Run) SpentText(until todo.Time, cutOff bool) string {
	of := *r
	if cutOff && r.Open != nil {
		of.Tokens, of.Micros = of.Tokens+r.Open.tokens(), of.Micros+r.Open.Cost
	}
	return of.Spent(until)
}

// LoadRun returns the record of the last run of a list, and the list; nil for each that there is none of.
func (s *Store) LoadRun(name Name) (*Run, *Document, error) {
	last, err := s.ReadRun(name)
	if err != nil {
		return nil, nil, err
	}
	doc, err := s.Load(name)
	return last, doc, err
}
