package cmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"onward/internal/output"

	"onward/internal/find"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/transfer"
)

// copySettings copies the settings of the projects of the lists, or if all lists are copied, of every project.
func (c *storeCopyCmd) copySettings(a *app, t *transfer.Transfer, from, to find.Storage, lists []session.Name) (all []copied, err error) {
	saved, err := t.From.Lists.SavedSettings()
	if err != nil {
		return nil, err
	}
	if len(c.IDs) > 0 && len(saved) > 0 {
		meant := map[string]bool{}
		for _, name := range lists {
			// Errors of a list are reported when it is copied.
			if doc, _, err := t.From.Lists.LoadMoved(name); err == nil && doc != nil && doc.Project != "" && doc.Moved == "" {
				meant[t.From.Lists.SettingsName(from.ProjectOf(doc))] = true
			}
		}
		saved = slices.DeleteFunc(saved, func(name string) bool { return !meant[name] })
	}
	for _, name := range saved {
		of, did, err := settingsTo(t, from, to, name)
		if errors.Is(err, store.ErrUnavailable) {
			return all, err
		}
		all = append(all, copied{did: did, err: err, project: of})
		a.committed = a.committed || err == nil && !c.DryRun && did != transfer.Unchanged
	}
	return all, nil
}

// settingsTo copies the settings with a name, and returns the project that they belong to.
func settingsTo(t *transfer.Transfer, from, to find.Storage, name string) (of string, did transfer.Result, err error) {
	doc, _, err := t.From.Lists.PeekSettings(name)
	if err != nil || doc == nil {
		return name, transfer.Unchanged, err
	}
	project, err := counterpart(from, to, doc.Project)
	if err == nil {
		did, err = t.Settings(name, project)
	}
	if err != nil {
		err = fmt.Errorf("copy the settings of %s: %w", doc.Project, err)
	}
	return doc.Project, did, err
}

// renaming returns the names that a session with the name of its project has in the two stores, if they differ: a store
// that machines share names projects by their repositories, one in files by their folders. Otherwise it returns nil.
func renaming(lists *session.Store, from, to find.Storage, name session.Name) *transfer.Names {
	doc, _, err := lists.LoadMoved(name)
	if err != nil || doc == nil || doc.Project == "" || from.Shared() == to.Shared() {
		return nil
	}
	here := from.ProjectNamed(doc.Project)
	if from.Shared() {
		here.Session, err = lists.Derived(here)
	}
	if err != nil || name.Session != here.Session && name.Session != here.Key {
		return nil // the user has named the session
	}
	there, err := counterpart(from, to, doc.Project)
	if err != nil {
		return nil
	}
	at := to.Sessions()
	as, err := at.Derived(there)
	if err != nil || as == name.Session {
		return nil
	}
	return &transfer.Names{From: name.Session, To: as, FromProject: doc.Project, ToProject: there.Label()}
}

// counterpart returns the project with a label of one store as the other store names it: by its repository if machines
// share that store, else by its folder.
func counterpart(from, to find.Storage, label string) (session.Project, error) {
	if to.Shared() || filepath.IsAbs(label) {
		return to.ProjectNamed(label), nil
	}
	here, err := find.Project("")
	if err != nil {
		return here, err
	}
	asked := here
	if from.Identify(&asked); asked.Origin != label && asked.Upstream != label {
		return here, fmt.Errorf("%w: the store %s names projects by their folders; run this command in a checkout of %s", session.ErrUnnamed, to.Address.Text, label)
	}
	return here, nil
}

// copiedSettingsJSON is the settings of one project in onward/copy/v1.
func copiedSettingsJSON(_ int, s *copied) output.Members {
	if s.err != nil {
		return output.Members{"project", s.project, "result", "refused", "problem", s.err.Error()}
	}
	return output.Members{"project", s.project, "result", s.did}
}
