package overview

import (
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/session"
)

// ReadProject reads what a user wants to know first of the project of a list.
func ReadProject(t find.List, config *find.Config) (is output.Project, err error) {
	is.Row, _ = ReadRow(t, session.StoredList{Name: t.Name, Current: true}, config)
	if is.Run, err = t.Store.ReadRun(t.Name); err != nil {
		return is, err
	}
	if is.Receipt, err = t.Store.ReadReceipt(t.Name); err != nil {
		return is, err
	}
	is.AtWork = is.Run != nil && !is.Run.HasEnded() && !t.Store.WasCutOff(is.Run)
	is.Old = is.Run != nil && is.Run.Outdated(t.Now)
	facts, _, err := ask.AddCallFacts(t.Calls(), t.Name, continuation.Facts{})
	if is.Row == nil && len(facts.Awaiting) > 0 {
		row := rowWithoutList(t, session.StoredList{Name: t.Name, Current: true}, config)
		is.Row = &row
	}
	is.Waiting = len(facts.UserMessages())
	return is, err
}
