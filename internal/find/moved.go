package find

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// followMovedProject finds the lists and settings of a project that was moved here, if it is certain which project that is. It looks
// for them only if this folder has neither, or if the repository of a linked worktree has no settings.
func (t *List) followMovedProject() error {
	if t.Store.Folders == nil {
		return nil
	}
	if !t.documentExists(session.Key(session.Name{Session: t.Name.Session})) {
		set, err := t.Store.ProjectSettings(t.Project)
		if err != nil || len(set.Current()) > 0 && t.Project.Repository == t.Project.Dir {
			return nil // wrong settings are reported when they are used
		}
		if err := t.adopt(t.Project); err != nil {
			return err
		}
	}
	if of := t.Project.Repository; of != t.Project.Dir {
		main := session.NewProject(of, filepath.Base(of))
		if !t.documentExists(session.SettingsKey(t.Store.SettingsName(main))) {
			return t.adopt(main)
		}
	}
	return nil
}

// documentExists reports whether a document exists, without reading it.
func (t *List) documentExists(k store.Key) bool {
	_, err := os.Lstat(t.Storage.Path(k))
	return !errors.Is(err, fs.ErrNotExist)
}

// adopt gives a project the lists and settings of the one that was moved to its folder.
func (t *List) adopt(project session.Project) error {
	dir := t.Store.MovedFrom(project)
	if dir == "" {
		return nil
	}
	if err := t.Store.AdoptProject(project, dir, "", t.Now); err != nil {
		return fmt.Errorf("take over the lists and settings of %s, which was moved to %s: %w", dir, project.Dir, err)
	}
	t.MovedFrom = dir
	id, err := t.Store.ChosenSession(t.Project)
	t.Name.Session = id
	return err
}

// MovedText tells the user from where the project was moved.
func (t List) MovedText() string {
	return fmt.Sprintf("this project was moved here from %s, and its lists and settings with it", render.Text(t.MovedFrom))
}

// GoneProject is a project whose folder does not exist any more, and which may have been moved to this folder.
type GoneProject struct {
	name    session.Name // the name of its list
	project string
	open    int
}

func (l GoneProject) String() string {
	return fmt.Sprintf("session %s of %s, a folder that is not there any more, has %s", l.name, render.Text(l.project), todo.Plural(l.open, "open item"))
}

// Hint names the command that takes over the list.
func (l GoneProject) Hint() string {
	return "if that project was moved here: `onward session use " + l.name.String() + "`"
}

// maxLeft is how many lists are examined, newest first, in addition to those that are named after a folder of this name.
const maxLeft = 200

// PossiblyMovedProjects returns the lists of projects that may have been moved to this folder, though it is not certain that they
// were. It does so only for a store in files: in others, a project is known by the origin of its repository.
func (t List) PossiblyMovedProjects() (found []GoneProject) {
	if t.Named || t.Name.Agent != "" || t.Store.Folders == nil || t.Project.Dir == "" {
		return nil
	}
	saved, _ := t.Store.SavedLists(t.Name)
	here := t.Store.Folders.Identity(t.Project.Dir)
	_, alike := t.Store.FoldersSeenAt(here)
	for i, entry := range saved {
		folder, derived := session.DerivedFrom(entry.Name.Session)
		if !entry.Name.IsMain() || i >= maxLeft && (!derived || folder != session.FolderName(t.Project.Dir)) {
			continue
		}
		doc := t.Store.Read(entry).Doc
		if doc == nil || !t.Store.Folders.Gone(doc.Project) || !slices.Contains(alike, doc.Project) && !t.mayHaveMovedHere(doc, here) {
			continue
		}
		open := 0
		for _, it := range doc.Current() {
			if it.Status.Open() {
				open++
			}
		}
		if open > 0 {
			found = append(found, GoneProject{entry.Name, doc.Project, open})
		}
	}
	return found
}

// PossiblyLeftProjects is PossiblyMovedProjects for a project that has neither a list nor settings here.
func (t List) PossiblyLeftProjects(list *session.Document) []GoneProject {
	if list != nil {
		return nil
	}
	if set, err := t.Store.ProjectSettings(t.Project); set != nil || err != nil {
		return nil
	}
	return t.PossiblyMovedProjects()
}

// ProjectsLeftByFirst is PossiblyLeftProjects as it was before a commit: the first one of a list hides those that were left elsewhere.
func (t List) ProjectsLeftByFirst(commit session.Commit) []GoneProject {
	if !commit.IsNew() || commit.Doc.Rev != 1 {
		return nil
	}
	return t.PossiblyLeftProjects(nil)
}

// ProjectsLeftByFirstSetting is the same for the first commit of the project's settings: later commands find these, and would not look
// for lists at the old place.
func (t List) ProjectsLeftByFirstSetting(commit store.Commit[session.ProjectSettings, session.Change]) []GoneProject {
	if !commit.IsNew() || commit.Doc.Rev != 1 {
		return nil
	}
	if doc, err := t.Store.Load(t.Name); doc != nil || err != nil {
		return nil
	}
	return t.PossiblyMovedProjects()
}

// mayHaveMovedHere reports whether a project whose folder is gone may be this one: their folders have the same name, or their git
// folders were made at the same moment, or if that is not known, this git folder is older than the list.
func (t List) mayHaveMovedHere(doc *session.Document, here session.ProjectIdentity) bool {
	if filepath.Base(doc.Project) == filepath.Base(t.Project.Dir) {
		return true
	}
	if doc.Place != "" {
		return sameBirth(doc.Place, here.Git)
	}
	git, err := os.Stat(filepath.Join(t.Project.Dir, ".git", "description"))
	return err == nil && todo.TimeOf(git.ModTime()) <= doc.CreatedAt
}

// AdoptGoneProject gives this project all lists and settings of the project of a session, whose folder is gone.
func AdoptGoneProject(files Storage, id string, project session.Project, now todo.Time) error {
	lists := files.Sessions()
	lists.Agent = AuthorityOverSessions()
	doc, err := lists.Load(session.Name{Session: id})
	if err != nil || doc == nil || lists.Folders == nil || !lists.Folders.Gone(doc.Project) {
		return nil // a session can be chosen without a list, and errors of a list are reported when it is used
	}
	return lists.AdoptProject(project, doc.Project, id, now)
}
