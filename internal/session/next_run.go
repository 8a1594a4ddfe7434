package session

// AfterPause returns the conversation that a run of an agent resumes once it has ended the pause of the list; empty if no pause is in its
// way, or if the conversation is another agent's.
func (r *Run) AfterPause(doc *Document, agent string) string {
	if l := doc.Ledger(); !r.HasEnded() || l.Paused == nil || l.Stopped() || r.Agent != agent {
		return ""
	}
	return r.Conversation
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
