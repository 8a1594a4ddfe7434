package session

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"onward/internal/store"
	"onward/internal/todo"
)

// MovedFrom returns the folder that a project was moved from; empty if none is known for sure. It is the only one
// with a list or settings that had the same git folder and is gone, or else the only one that had the same origin,
// and is gone: where there are several checkouts of a repository, none can be told from another.
func (s *Store) MovedFrom(p Project) string {
	if s.Folders == nil || p.Dir == "" {
		return ""
	}
	byGit, byOrigin := s.FoldersSeenAt(s.Folders.Identity(p.Dir))
	byGit = slices.DeleteFunc(byGit, func(dir string) bool { return dir == p.Dir || !s.Folders.Gone(dir) || !s.hasDocuments(dir, p) })
	byOrigin = slices.DeleteFunc(byOrigin, func(dir string) bool { return dir == p.Dir || !s.hasDocuments(dir, p) })
	switch {
	case len(byGit) == 1:
		return byGit[0]
	case len(byGit) == 0 && len(byOrigin) == 1 && s.Folders.Gone(byOrigin[0]):
		return byOrigin[0]
	}
	return ""
}

// hasDocuments reports whether a project has a list or settings of its own that can be read. If its move to another folder
// was cut off, they stay its own until the other folder has them.
func (s *Store) hasDocuments(dir string, to Project) bool {
	of := *s
	id, err := of.ChosenSession(NewProject(dir, FolderName(dir)))
	if err != nil {
		return false
	}
	if doc, err := of.withoutProject().Load(Name{Session: id}); err == nil && doc != nil && (doc.Project == dir || doc.Project == to.Dir) {
		return true
	}
	set, err := s.ProjectSettings(NewProject(dir, FolderName(dir)))
	return err == nil && len(set.Current()) > 0
}

// withoutProject returns the store without its current project, for a caller that works on lists of several projects.
func (s *Store) withoutProject() *Store {
	of := *s
	of.project = Project{}
	return &of
}

// currentSession returns the session of a project without making it the one that is asked from.
func (s *Store) currentSession(p Project) (string, error) { return s.withoutProject().ChosenSession(p) }

// AdoptProject makes the lists and the settings of a project whose folder is gone those of another project, and one of its
// sessions the current one there; an empty id is that of the list that the old one had, if it had one. Cut off, it can
// be run again. A list that is begun in the old folder later is another one.
func (s *Store) AdoptProject(p Project, dir, id string, now todo.Time) error {
	s = s.withoutProject()
	old := NewProject(dir, FolderName(dir))
	if id == "" {
		current, err := s.currentSession(old)
		if err != nil {
			return err
		}
		if doc, err := s.Load(Name{Session: current}); err != nil {
			return err
		} else if doc != nil {
			id = current
		}
	}
	if err := s.mayLeave(p, id); err != nil {
		return err
	}
	// The settings come first: the gate must hold as soon as the list is here.
	if err := s.adoptSettings(p, old, now); err != nil {
		return err
	}
	if err := s.setProject(dir, p, now); err != nil {
		return err
	}
	if id != "" {
		if _, err := s.setChoice(p, id, now.Time()); err != nil {
			return err
		}
	}
	s.recordPlace(p.Dir, dir, now)
	if err := s.recordMovedAway(old, now); err != nil {
		return err
	}
	return s.deleteSettings(old)
}

// adoptSettings copies settings of a project, other than those that the new one has itself.
func (s *Store) adoptSettings(p, old Project, now todo.Time) error {
	had, err := s.ProjectSettings(old)
	if err != nil || len(had.Current()) == 0 {
		return err
	}
	_, err = s.updateSettings(p, "", now, func(set *ProjectSettings) (did Change, err error) {
		for key, value := range had.Values {
			if _, own := set.Values[key]; !own && set.Set(key, value) {
				did.What = "took over the settings of " + old.Dir
			}
		}
		return did, nil
	})
	return err
}

// setProject makes all lists of a folder those of a project.
func (s *Store) setProject(dir string, p Project, now todo.Time) error {
	var names []Name
	_, err := s.VisitLists(Name{}, 0, func(l LoadedList) {
		if l.Doc != nil && l.Doc.Project == dir {
			names = append(names, l.Name)
		}
	})
	for _, name := range names {
		if err == nil {
			_, err = s.Update(name, "", now, func(d *Document) (Change, error) {
				at := s.Folders.Identity(p.Dir)
				d.Project, d.Place, d.Repository, d.HadSettings = p.Dir, at.Git, at.Repository, ""
				return Change{What: "moved from " + dir + " to " + p.Dir, By: "cli"}, nil
			})
		}
	}
	return err
}

// recordMovedAway records that the lists of a folder were moved away, so that a project that is created there later starts with a list
// of its own.
func (s *Store) recordMovedAway(old Project, now todo.Time) error {
	for n := 0; ; n++ {
		id := old.Session
		if n > 0 {
			id = cleanID(FolderName(old.Dir), maxSession-9) + hashed(fnv.New32a(), fmt.Sprintf("%s\x00%d", old.Dir, n))
		}
		v, err := s.Backend.Get(Key(Name{Session: id}))
		if v.Data != nil || v.Deleted || errors.Is(err, store.ErrGone) {
			continue
		}
		if err == nil {
			_, err = s.setChoice(old, id, now.Time())
		}
		return err
	}
}

func (s *Store) deleteSettings(p Project) error {
	name := s.SettingsName(p)
	_, err := s.settings(p, 0).Delete(name, store.Deletion[ProjectSettings]{
		Goes:             anyTime,
		RemoveDependents: func(store.Backend) (bool, error) { return s.settingsLog().Delete(name) },
	})
	if errors.Is(err, store.ErrNone) {
		err = nil
	}
	return err
}
