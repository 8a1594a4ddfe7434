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
		return Project{}, fmt.Errorf("find project: %w", systemError(err))
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
	return Project{Dir: top, Session: fmt.Sprintf("%s-%08x", CleanID(filepath.Base(top), maxSession-9), h.Sum32())}, nil
}

// choice is the session that a person chose for a project.
type choice struct {
	Schema  string `json:"schema"`
	Project string `json:"project"`
	Session string `json:"session"`
}

// Chosen gives the session last chosen with `session use`, or the derived one.
func (s *Store) Chosen(p Project) (string, error) {
	root, err := s.open()
	if root == nil || err != nil {
		return p.Session, err
	}
	defer root.Close()
	path := filepath.Join(projectsDir, p.Session+".json")
	data, _, err := readFile(root, path, 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return p.Session, nil
	}
	var c choice
	if err == nil {
		if err = json.Unmarshal(data, &c); err != nil {
			err = problem(ErrCorrupt, "%s", parseProblem(err))
		} else {
			err = CheckName(Name{Session: c.Session})
		}
	}
	if err != nil {
		return "", fmt.Errorf("read the session chosen for %s: %w", p.Dir, err)
	}
	return c.Session, nil
}

// Choose makes a session the one of a project, until another is chosen. An empty id goes back to the derived one.
func (s *Store) Choose(p Project, id string) error {
	if id == "" {
		id = p.Session
	}
	if err := CheckName(Name{Session: id}); err != nil {
		return err
	}
	if err := s.choose(p, id); err != nil {
		return fmt.Errorf("choose session %q: %w", id, err)
	}
	return nil
}

func (s *Store) choose(p Project, id string) error {
	root, err := s.create(projectsDir)
	if err != nil {
		return err
	}
	defer root.Close()
	lock, err := openLock(root, filepath.Join(projectsDir, p.Session+".lock"))
	if err != nil {
		return err
	}
	if err := acquire(lock, s.LockTimeout); err != nil {
		return err
	}
	defer lock.Close()
	w := object.NewWriter(256)
	w.Open('{')
	w.String("schema", "onward/project/v1")
	w.String("project", p.Dir)
	w.String("session", id)
	w.Close('}')
	w.Line()
	// A fixed name does no harm here: only the holder of the lock writes it.
	path := filepath.Join(projectsDir, p.Session+".json")
	temp := path + ".tmp"
	root.Remove(temp)
	err = writeSynced(root, temp, w.Bytes(), 0o600, time.Now())
	if err == nil {
		err = rename(root, temp, path)
	}
	if err != nil {
		root.Remove(temp)
		return systemError(err)
	}
	if err := syncDir(root, projectsDir); err != nil {
		return fmt.Errorf("%w: %w", ErrNotDurable, err)
	}
	return nil
}
