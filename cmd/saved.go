package cmd

import "onward/internal/session"

// ofSaved marks a command about a list that must exist: if --session names a session that never existed, the name is
// misspelt.
type ofSaved struct{}

func (ofSaved) saved() {}

func isOfSaved(command any) bool {
	_, is := command.(interface{ saved() })
	return is
}

// strict reports whether the session must exist for such a command. The environment, or a line that the user types
// into an agent, may mean one that nothing has been written to yet.
func (a *app) strict() bool { return a.Session != nil && !a.inner }

// everWas returns an error if --session names a session that never existed.
func (a *app) everWas(t target, doc *session.Document) error {
	if !a.strict() {
		return nil
	}
	return t.store.CheckExists(t.name, doc)
}
