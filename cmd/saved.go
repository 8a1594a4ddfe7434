package cmd

import (
	"onward/internal/find"
	"onward/internal/session"
)

// ofSaved marks a command about a list that must exist: if --session names a session that never existed, the name is
// misspelt.
type ofSaved struct{}

func (ofSaved) saved() {}

// ofAll marks a command that needs no current session, so that it works from a folder that has none on a store that machines
// share: it is about all sessions, or names its own.
type ofAll struct{}

func (ofAll) all() bool { return true }

func isOfAll(command any) bool {
	c, is := command.(interface{ all() bool })
	return is && c.all()
}

func isOfSaved(command any) bool {
	_, is := command.(interface{ saved() })
	return is
}

// mustExist reports whether the session must exist for such a command. The environment, or a line that the user types
// into an agent, may mean one that nothing has been written to yet.
func (a *app) mustExist() bool { return a.Session != nil && !a.inner }

// checkEverExisted returns an error if --session names a session that never existed.
func (a *app) checkEverExisted(t find.List, doc *session.Document) error {
	if !a.mustExist() {
		return nil
	}
	return t.CheckExists(doc)
}
