package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"onward/internal/doctor"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// follow finds the lists and settings of a project that was moved here, if it is certain which project that is. It looks
// for them only if this folder has neither, or if the repository of a linked worktree has no settings.
func (t *target) follow() error {
	if t.store.Folders == nil {
		return nil
	}
	if !t.saved(session.Key(session.Name{Session: t.name.Session})) {
		set, err := t.store.ProjectSettings(t.project)
		if err != nil || len(set.Current()) > 0 && t.project.Repository == t.project.Dir {
			return nil // wrong settings are reported when they are used
		}
		if err := t.adopt(t.project); err != nil {
			return err
		}
	}
	if of := t.project.Repository; of != t.project.Dir {
		main := session.NewProject(of, filepath.Base(of))
		if !t.saved(session.SettingsKey(t.store.SettingsName(main))) {
			return t.adopt(main)
		}
	}
	return nil
}

// saved reports whether a document exists, without reading it.
func (t *target) saved(k store.Key) bool {
	_, err := os.Lstat(t.files.Path(k))
	return !errors.Is(err, fs.ErrNotExist)
}

// adopt gives a project the lists and settings of the one that was moved to its folder.
func (t *target) adopt(project session.Project) error {
	dir := t.store.MovedFrom(project)
	if dir == "" {
		return nil
	}
	if err := t.store.Adopt(project, dir, "", t.now); err != nil {
		return fmt.Errorf("take over the lists and settings of %s, which was moved to %s: %w", dir, project.Dir, err)
	}
	t.came = dir
	id, err := t.store.Chosen(t.project)
	t.name.Session = id
	return err
}

func (t target) cameText() string {
	return fmt.Sprintf("this project was moved here from %s, and its lists and settings with it", render.Text(t.came))
}

// noteCame tells the user that this project has taken over the list and settings of a folder that does not exist any more.
func (a *app) noteCame(t target) {
	if t.came == "" {
		return
	}
	a.printNote(t.cameText())
	a.hint("`onward session use --derived` starts another list here")
}

// left is a project whose folder does not exist any more, and which may have been moved to this folder.
type left struct {
	name    session.Name // the name of its list
	project string
	open    int
}

func (l left) String() string {
	return fmt.Sprintf("session %s of %s, a folder that is not there any more, has %s", l.name, render.Text(l.project), todo.Plural(l.open, "open item"))
}

// hint names the command that takes over the list.
func (l left) hint() string {
	return "if that project was moved here: `onward session use " + l.name.String() + "`"
}

// maxLeft is how many lists are examined, newest first, in addition to those that are named after a folder of this name.
const maxLeft = 200

// movedHere returns the lists of projects that may have been moved to this folder, though it is not certain that they
// were. It does so only for a store in files: in others, a project is known by the origin of its repository.
func (t target) movedHere() (found []left) {
	if t.named || t.name.Agent != "" || t.store.Folders == nil || t.project.Dir == "" {
		return nil
	}
	saved, _ := t.store.Catalog(t.name)
	here := t.store.Folders.Place(t.project.Dir)
	_, alike := t.store.Recorded(here)
	for i, entry := range saved {
		folder, derived := session.DerivedFrom(entry.Name.Session)
		if !entry.Name.IsMain() || i >= maxLeft && (!derived || folder != session.Folder(t.project.Dir)) {
			continue
		}
		doc := t.store.Read(entry).Doc
		if doc == nil || !t.store.Folders.Gone(doc.Project) || !slices.Contains(alike, doc.Project) && !t.mayBe(doc, here) {
			continue
		}
		open := 0
		for _, it := range doc.Current() {
			if it.Status.Open() {
				open++
			}
		}
		if open > 0 {
			found = append(found, left{entry.Name, doc.Project, open})
		}
	}
	return found
}

// mayBe reports whether a project whose folder is gone may be this one: their folders have the same name, or their git
// folders were made at the same moment, or if that is not known, this git folder is older than the list.
func (t target) mayBe(doc *session.Document, here session.Place) bool {
	if filepath.Base(doc.Project) == filepath.Base(t.project.Dir) {
		return true
	}
	if doc.Place != "" {
		return sameBirth(doc.Place, here.Git)
	}
	git, err := os.Stat(filepath.Join(t.project.Dir, ".git", "description"))
	return err == nil && todo.TimeOf(git.ModTime()) <= doc.CreatedAt
}

// noteMoved tells the user once of open lists that the project may have left at its old place. It does not do so for a
// project that has settings here.
func (a *app) noteMoved(t target) {
	if set, err := t.store.ProjectSettings(t.project); set == nil && err == nil {
		a.noteLeft(t)
	}
}

func (a *app) noteLeft(t target) {
	for _, l := range t.movedHere() {
		a.printNote(l.String())
		a.hint(l.hint())
	}
}

// movedFindings are the findings of doctor about such lists.
func movedFindings(t target) []doctor.Finding {
	if doc, err := t.store.Load(t.name); doc != nil || err != nil {
		return nil
	}
	return render.Each(t.movedHere(), func(_ int, l *left) doctor.Finding {
		return doctor.Finding{Name: "moved", State: doctor.Note, Detail: l.String(), Hint: l.hint()}
	})
}

// settle gives this project all lists and settings of the project of a session, whose folder is gone.
func settle(files storage, id string, project session.Project, now todo.Time) error {
	lists := files.sessions()
	doc, err := lists.Load(session.Name{Session: id})
	if err != nil || doc == nil || lists.Folders == nil || !lists.Folders.Gone(doc.Project) {
		return nil // a session can be chosen without a list, and errors of a list are reported when it is used
	}
	return lists.Adopt(project, doc.Project, id, now)
}
