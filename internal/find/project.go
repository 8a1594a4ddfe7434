package find

import (
	"fmt"
	"os"
	"path/filepath"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/session"
)

// Settings resolves the settings of a list by its document, which may be nil.
func (t List) Settings(config *Config, flags map[string]string, doc *session.Document) (continuation.Settings, error) {
	parent, err := t.MainDocument()
	if err != nil {
		return continuation.Settings{}, err
	}
	return t.Resolve(config, flags, doc, parent)
}

// CanContinue reports whether the agent of a list may continue now or later; its document may be nil.
func (t List) CanContinue(doc *session.Document) (bool, error) {
	set, err := t.Settings(ReadConfig(), nil, doc)
	if err != nil {
		return false, err
	}
	return continuation.CanContinue(doc, set, t.Now), nil
}

// Resolve resolves the settings of a list that has documents: a sub-agent's own first, then the main one. A missing one is nil.
func (t List) Resolve(config *Config, flags map[string]string, docs ...*session.Document) (continuation.Settings, error) {
	project, err := t.ProjectSettings(config, docs...)
	if err != nil {
		return continuation.Settings{}, err
	}
	set, err := config.Settings(flags, project, docs...)
	if err == nil && set.Gate != "" {
		err = t.SetGateFolder(&set, docs...)
	}
	return set, err
}

// ProjectSettings returns the settings of a list's project; nil if it has none.
func (t List) ProjectSettings(config *Config, docs ...*session.Document) (map[string]string, error) {
	project, err := t.ProjectOf(docs...)
	if err != nil {
		return nil, err
	}
	name := t.Store.SettingsName(project)
	if known, read := config.projects[name]; read {
		return known, nil
	}
	doc, err := t.Store.WithKnownSettings(docs...).ProjectSettings(project)
	if err != nil {
		return nil, err
	}
	if config.projects != nil {
		config.projects[name] = doc.Current()
	}
	return doc.Current(), nil
}

// ProjectOf returns the project of a list: the one that its document names, else, as for a session that the user named,
// the one of this folder.
func (t List) ProjectOf(docs ...*session.Document) (session.Project, error) {
	for _, doc := range docs {
		if doc != nil && doc.Project != "" && doc.Project != t.Project.Label() {
			return t.Storage.ProjectOf(doc), nil
		}
	}
	return t.CurrentProject()
}

// ProjectOf returns the project of a document. A linked worktree that was removed cannot say any more whose settings hold
// for it.
func (s Storage) ProjectOf(doc *session.Document) session.Project {
	project := s.ProjectNamed(doc.Project)
	if doc.Repository != "" && (checkouts{}).Gone(doc.Project) {
		project.Repository = doc.Repository
	}
	return project
}

// ProjectNamed returns the project of a label.
func (s Storage) ProjectNamed(label string) session.Project {
	if !filepath.IsAbs(label) {
		return session.Project{Origin: label}
	}
	project := session.NewProject(label, filepath.Base(label))
	project.Repository, project.Claimed = repositoryOf(label)
	s.Identify(&project)
	return project
}

// CurrentProject returns the project of the folder that the command is about.
func (t List) CurrentProject() (session.Project, error) {
	if t.Project.Dir != "" {
		return t.Project, nil
	}
	project, err := Project(t.dir)
	if err == nil {
		t.Storage.Identify(&project)
	}
	return project, err
}

// Project returns the project of a folder; empty is the working folder. It is the nearest one
// upwards that holds .git, which in a worktree is a file, else the folder itself. Git is never
// started.
func Project(dir string) (p session.Project, err error) {
	// A folder that is reached by two paths is one project.
	if dir == "" {
		if dir, err = currentFolder(); err != nil {
			return p, cli.Failf(cli.ExitIO, "find the working folder: %v", err)
		}
	} else if dir, err = filepath.Abs(dir); err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return p, fmt.Errorf("find project: %w", durable.SystemError(err))
	}
	top, linked, found := repositoryAround(dir)
	if !found {
		top = dir
	}
	p = session.NewProject(top, filepath.Base(top))
	if linked {
		p.Repository, p.Claimed = repositoryOf(top)
	}
	return p, nil
}

// repositoryAround returns the nearest folder upwards that holds .git, beginning with the folder itself, and whether that is a file, as in
// a worktree.
func repositoryAround(dir string) (top string, linked, found bool) {
	for at := dir; ; at = filepath.Dir(at) {
		if git, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, git.Mode().IsRegular(), true
		}
		if at == filepath.Dir(at) {
			return "", false, false
		}
	}
}
