package session

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"

	"onward/internal/durable"
	"onward/internal/object"
)

// Project is a folder whose shell, git hooks, CI and agents share a list.
type Project struct {
	Dir     string // the folder, with links resolved
	Session string // the id derived from it
}

// FindProject gives the project of a folder: the nearest one upwards that holds .git,
// which in a worktree is a file, else the folder itself. Git is never started.
func FindProject(dir string) (Project, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		// One folder reached by two paths is one project.
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return Project{}, fmt.Errorf("find project: %w", durable.SystemError(err))
	}
	top := dir
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			top = at
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	h := fnv.New32a()
	h.Write([]byte(top))
	return Project{Dir: top, Session: fmt.Sprintf("%s-%08x", cleanID(filepath.Base(top), maxSession-9), h.Sum32())}, nil
}

// choice gives the place of the project's choice in a store.
func (p Project) choice() durable.Document {
	return durable.Document{Folder: projectsDir, Name: p.Session}
}

// choice is the session that a person chose for a project.
type choice struct {
	Schema  string `json:"schema"`
	Project string `json:"project"`
	Session string `json:"session"`
}

// ChoicePath gives the file that keeps the choice, for who wants to know when it changes.
func (s *Store) ChoicePath(p Project) string {
	return filepath.Join(s.Dir, projectsDir, p.Session+".json")
}

// Chosen gives the session last chosen with `session use`, or the derived one.
func (s *Store) Chosen(p Project) (string, error) {
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return p.Session, err
	}
	defer root.Close()
	data, _, err := durable.ReadFile(root, p.choice().Path(), 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return p.Session, nil
	}
	var c choice
	if err == nil {
		if err = json.Unmarshal(data, &c); err != nil {
			err = durable.Problem(ErrCorrupt, "%s", parseProblem(err))
		} else {
			err = CheckName(Name{Session: c.Session})
		}
	}
	if err != nil {
		return "", fmt.Errorf("read the session chosen for %s: %w", p.Dir, err)
	}
	return c.Session, nil
}

// Choose makes a session the one of a project, until another is chosen, and gives its id.
// An empty id goes back to the derived one.
func (s *Store) Choose(p Project, id string, now time.Time) (string, error) {
	if id == "" {
		id = p.Session
	}
	if err := CheckName(Name{Session: id}); err != nil {
		return "", err
	}
	if err := s.choose(p, id, now); err != nil {
		return "", fmt.Errorf("choose session %q: %w", id, err)
	}
	return id, nil
}

func (s *Store) choose(p Project, id string, now time.Time) error {
	t, err := durable.Begin(s.Dir, p.choice(), s.LockTimeout)
	if err != nil {
		return err
	}
	defer t.End()
	old, err := t.Root.Lstat(p.choice().Path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return durable.SystemError(err)
	}
	w := object.NewWriter(256)
	w.Open('{')
	w.String("schema", "onward/project/v1")
	w.String("project", p.Dir)
	w.String("session", id)
	w.Close('}')
	w.Line()
	return t.Replace(w.Bytes(), old, now, nil)
}
