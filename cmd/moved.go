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

// follow finds the lists and the settings of a project that was moved here, where it is clear which one that is. It looks
// only where a folder has neither, or where a linked worktree's repository has no settings.
func (t *target) follow() error {
	if t.store.Folders == nil {
		return nil
	}
	if !t.saved(session.Key(session.Name{Session: t.name.Session})) {
		set, err := t.store.ProjectSettings(t.project)
		if err != nil || len(set.Current()) > 0 && t.project.Repository == t.project.Dir {
			return nil // what is wrong with the settings is reported when they are used
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

// saved reports whether a document is there, without reading it.
func (t *target) saved(k store.Key) bool {
	_, err := os.Lstat(t.files.Path(k))
	return !errors.Is(err, fs.ErrNotExist)
}

// adopt makes what was moved to a project the project's.
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

// noteCame tells the user that what was in a folder that is gone is here now.
func (a *app) noteCame(t target) {
	if t.came == "" {
		return
	}
	a.printNote(t.cameText())
	a.hint("`onward session use --derived` starts another list here")
}

// left is a project whose folder is not there any more, and which may be the one that is asked from.
type left struct {
	name    session.Name // of its list
	project string
	open    int
}

func (l left) String() string {
	return fmt.Sprintf("session %s of %s, a folder that is not there any more, has %s", l.name, render.Text(l.project), todo.Plural(l.open, "open item"))
}

// hint names the command that takes the list.
func (l left) hint() string {
	return "if that project was moved here: `onward session use " + l.name.String() + "`"
}

// maxLeft is how many lists are looked through, newest first, beside those that are named after a folder of this name.
const maxLeft = 200

// movedHere returns the lists of projects that may have been moved to the folder that is asked from, though it is not clear
// that they were. It looks on a store in files only: elsewhere a repository is known by its origin.
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

// mayBe reports whether a project that is gone may be the one that is asked from: it has its folder's name, or it had
// git's folder from the same moment, or where that is not known, one that is older than the list.
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

// noteMoved tells the user of open lists that a project may have left at its old place, once: not where it has settings.
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

// movedFindings is what doctor says of them.
func movedFindings(t target) []doctor.Finding {
	if doc, err := t.store.Load(t.name); doc != nil || err != nil {
		return nil
	}
	return render.Each(t.movedHere(), func(_ int, l *left) doctor.Finding {
		return doctor.Finding{Name: "moved", State: doctor.Note, Detail: l.String(), Hint: l.hint()}
	})
}

// settle makes the project of a session that is gone this one, with all its lists and settings.
func settle(files storage, id string, project session.Project, now todo.Time) error {
	lists := files.sessions()
	doc, err := lists.Load(session.Name{Session: id})
	if err != nil || doc == nil || lists.Folders == nil || !lists.Folders.Gone(doc.Project) {
		return nil // a choice needs no list, and what is wrong with one is reported when it is used
	}
	return lists.Adopt(project, doc.Project, id, now)
}
