package cmd

import (
	"errors"
	"slices"

	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/transfer"
)

// copySettings copies the settings of the projects of the lists, or if all lists are copied, of every project.
func (c *storeCopyCmd) copySettings(a *app, t *transfer.Transfer, from, to find.Storage, lists []session.Name) (all []output.Copied, err error) {
	saved, err := t.From.Lists.SavedSettings()
	if err != nil {
		return nil, err
	}
	if len(c.IDs) > 0 && len(saved) > 0 {
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
		of, did, err := find.CopySettings(t, from, to, name)
		if errors.Is(err, store.ErrUnavailable) {
			return all, err
		}
		all = append(all, output.Copied{Did: did, Err: err, Project: of})
		a.committed = a.committed || err == nil && !c.DryRun && did != transfer.Unchanged
	}
	return all, nil
}
