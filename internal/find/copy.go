package find

import (
	"fmt"
	"path/filepath"

	"onward/internal/session"
	"onward/internal/transfer"
)

// CopySettings copies the settings with a name, and returns the project that they belong to.
func CopySettings(t *transfer.Transfer, from, to Storage, name string) (of string, did transfer.Result, err error) {
	doc, _, err := t.From.Lists.PeekSettings(name)
	if err != nil || doc == nil {
		return name, transfer.Unchanged, err
	}
	project, err := counterpart(from, to, doc.Project)
	if err == nil {
		did, err = t.CopySettings(name, project)
	}
	if err != nil {
		err = fmt.Errorf("copy the settings of %s: %w", doc.Project, err)
	}
	return doc.Project, did, err
}

// RenamedNames returns the names that a session with the name of its project has in the two stores, if they differ: a store
// that machines share names projects by their repositories, one in files by their folders. Otherwise it returns nil.
func RenamedNames(lists *session.Store, from, to Storage, name session.Name) *transfer.Renaming {
	doc, _, err := lists.LoadMoved(name)
	if err != nil || doc == nil || doc.Project == "" || from.Shared() == to.Shared() {
		return nil
	}
	here := from.ProjectNamed(doc.Project)
	if from.Shared() {
		here.Session, err = lists.DerivedSession(here)
	}
	if err != nil || name.Session != here.Session && name.Session != here.Key {
		return nil // the user has named the session
	}
	there, err := counterpart(from, to, doc.Project)
	if err != nil {
		return nil
	}
	at := to.Sessions()
	as, err := at.DerivedSession(there)
	if err != nil || as == name.Session {
		return nil
	}
	return &transfer.Renaming{From: name.Session, To: as, FromProject: doc.Project, ToProject: there.Label()}
}

// counterpart returns the project with a label of one store as the other store names it: by its repository if machines
// share that store, else by its folder.
func counterpart(from, to Storage, label string) (session.Project, error) {
	if to.Shared() || filepath.IsAbs(label) {
		return to.ProjectNamed(label), nil
	}
	here, err := Project("")
	if err != nil {
		return here, err
	}
	asked := here
	if from.Identify(&asked); asked.Origin != label && asked.Upstream != label {
		return here, fmt.Errorf("%w: the store %s names projects by their folders; run this command in a checkout of %s", session.ErrUnnamed, to.Address.Text, label)
	}
	return here, nil
}
