package find

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/transfer"
)

// CopyLists copies lists one after the other, with the names that they have in the other store. If one cannot be copied, the others still
// are, unless a store does not answer, which is an error. It tells before each list how many there were.
func CopyLists(t transfer.Transfer, from, to Storage, names []session.Name, tell func(done int)) (all []transfer.Outcome, err error) {
	for i, name := range names {
		tell(i)
		one, as := t, ""
		if names := projectRenaming(one.From.Lists, from, to, name); names != nil {
			one.To, as = t.To.Renamed(*names), names.To
		}
		did, err := one.TransferList(name)
		if errors.Is(err, store.ErrUnavailable) {
			return all, err // the rest cannot be copied either
		}
		all = append(all, transfer.Outcome{Name: name, As: as, Did: did, Err: err, Left: one.CallsLeft()})
	}
	return all, nil
}

// CopySettings copies the settings of the projects that lists belong to, or if there are no lists, of every project.
func CopySettings(t *transfer.Transfer, from, to Storage, lists []session.Name) (all []transfer.Outcome, err error) {
	saved, err := t.From.Lists.SavedSettings()
	if err != nil {
		return nil, err
	}
	if lists != nil && len(saved) > 0 {
		meant := map[string]bool{}
		for _, name := range lists {
			// Errors of a list are reported when it is copied.
			if doc, _, err := t.From.Lists.LoadMoved(name); err == nil && doc != nil && doc.Project != "" && doc.MovedTo == "" {
				meant[t.From.Lists.SettingsName(from.ProjectOf(doc))] = true
			}
		}
		saved = slices.DeleteFunc(saved, func(name string) bool { return !meant[name] })
	}
	for _, name := range saved {
		of, did, err := copyProject(t, from, to, name)
		if errors.Is(err, store.ErrUnavailable) {
			return all, err
		}
		all = append(all, transfer.Outcome{Did: did, Err: err, Project: of})
	}
	return all, nil
}

// copyProject copies the settings with a name, and returns the project that they belong to.
func copyProject(t *transfer.Transfer, from, to Storage, name string) (of string, did transfer.Result, err error) {
	doc, _, err := t.From.Lists.PeekSettings(name)
	if err != nil || doc == nil {
		return name, transfer.Unchanged, err
	}
	project, err := projectInOtherStore(from, to, doc.Project)
	if err == nil {
		did, err = t.CopySettings(name, project)
	}
	if err != nil {
		err = fmt.Errorf("copy the settings of %s: %w", doc.Project, err)
	}
	return doc.Project, did, err
}

// projectRenaming returns the names that a session with the name of its project has in the two stores, if they differ: a store
// that machines share names projects by their repositories, one in files by their folders. Otherwise it returns nil.
func projectRenaming(lists *session.Store, from, to Storage, name session.Name) *transfer.Renaming {
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
	there, err := projectInOtherStore(from, to, doc.Project)
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

// projectInOtherStore returns the project with a label of one store as the other store names it: by its repository if machines
// share that store, else by its folder.
func projectInOtherStore(from, to Storage, label string) (session.Project, error) {
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
