package cmd

import (
	"path/filepath"

	continuation "onward/internal/continue"
	"onward/internal/session"
)

// settings resolves the settings of a list by its document, which may be nil.
func (t target) settings(config *configFile, flags map[string]string, doc *session.Document) (continuation.Settings, error) {
	parent, err := t.parent()
	if err != nil {
		return continuation.Settings{}, err
	}
	return t.resolve(config, flags, doc, parent)
}

// resolve resolves the settings of a list that has documents: a sub-agent's own first, then the main one. A missing one is nil.
func (t target) resolve(config *configFile, flags map[string]string, docs ...*session.Document) (continuation.Settings, error) {
	project, err := t.projectSettings(config, docs...)
	if err != nil {
		return continuation.Settings{}, err
	}
	set, err := config.settings(flags, project, docs...)
	if err == nil && set.Gate != "" {
		err = t.placeGate(&set, docs...)
	}
	return set, err
}

// projectSettings returns the settings of a list's project; nil if it has none.
func (t target) projectSettings(config *configFile, docs ...*session.Document) (map[string]string, error) {
	project, err := t.projectOf(docs...)
	if err != nil {
		return nil, err
	}
	name := t.store.SettingsName(project)
	if known, read := config.projects[name]; read {
		return known, nil
	}
	doc, err := t.store.ProjectSettings(project)
	if err != nil {
		return nil, err
	}
	if config.projects != nil {
		config.projects[name] = doc.Current()
	}
	return doc.Current(), nil
}

// projectOf returns the project of a list: the one that its document names, else, as for a session that the user named,
// the one of this folder.
func (t target) projectOf(docs ...*session.Document) (session.Project, error) {
	for _, doc := range docs {
		if doc != nil && doc.Project != "" && doc.Project != t.project.Label() {
			return t.files.projectOf(doc), nil
		}
	}
	return t.here()
}

// projectOf returns the project of a document. A linked worktree that was removed cannot say any more whose settings hold
// for it.
func (s storage) projectOf(doc *session.Document) session.Project {
	project := s.labelled(doc.Project)
	if doc.Repository != "" && (checkouts{}).Gone(doc.Project) {
		project.Repository = doc.Repository
	}
	return project
}

// labelled returns the project of a label.
func (s storage) labelled(label string) session.Project {
	if !filepath.IsAbs(label) {
		return session.Project{Origin: label}
	}
	project := session.NewProject(label, filepath.Base(label))
	project.Repository, project.Claimed = repositoryOf(label)
	s.identify(&project)
	return project
}

// here returns the project of the folder that the command is about.
func (t target) here() (session.Project, error) {
	if t.project.Dir != "" {
		return t.project, nil
	}
	project, err := findProject(t.dir)
	if err == nil {
		t.files.identify(&project)
	}
	return project, err
}
