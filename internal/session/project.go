package session

import (
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/durable"
	"onward/internal/object"
)

// Project is a folder whose shell, git hooks, CI and agents share a list.
type Project struct {
	Dir     string // the folder, with links resolved
	Session string // the id derived from it
	Old     string // the one that version 1 derived, by which projects could be mistaken for each other
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
	base := filepath.Base(top)
	return Project{
		Dir:     top,
		Session: cleanID(base, maxSession-33) + hashed(fnv.New128a(), top),
		Old:     cleanID(base, maxSession-9) + hashed(fnv.New32a(), top),
	}, nil
}

func hashed(h hash.Hash, text string) string {
	h.Write([]byte(text))
	return fmt.Sprintf("-%x", h.Sum(nil))
}

// choice gives the place of the project's choice in a store.
func (p Project) choice() durable.Document {
	return durable.Document{Folder: projectsDir, Name: p.Session}
}

// derived returns the session of a project for which none was chosen. A list of version 1 stays the project's.
func (s *Store) derived(p Project) string {
	if _, err := os.Lstat(s.Path(Name{Session: p.Session})); err == nil || p.Old == "" {
		return p.Session
	}
	switch old, err := s.Load(Name{Session: p.Old}); {
	case err != nil, old != nil && (old.Project == "" || old.Project == p.Dir):
		return p.Old
	}
	return p.Session
}

// checkProject refuses a document that is another project's though its name is derived from this one.
func (s *Store) checkProject(doc *Document) error {
	if doc == nil || doc.Session != s.project.Session || doc.Project == "" || doc.Project == s.project.Dir {
		return nil
	}
	name := Name{doc.Session, doc.Agent}
	return &ReadError{"session", name, durable.Problem(ErrForeign, "it is the list of the project %s", doc.Project)}
}

// maxChoice is the limit of a project's document in bytes.
const maxChoice = 64 << 10

// choice is the session that a person chose for a project.
type choice struct {
	schema           string
	minReader        int
	project, session string
}

func decodeChoice(data []byte) (c choice, err error) {
	err = durable.Format{Kind: "project", Limit: maxChoice}.Decode(data, false, func(r *object.Reader) durable.Header {
		r.Read(&c)
		return durable.Header{Schema: c.schema, MinReader: c.minReader, Saved: true}
	})
	if err == nil {
		err = CheckName(Name{Session: c.session})
	}
	return c, err
}

func encodeChoice(project, session string) []byte {
	w := object.NewWriter(256)
	w.Write(&choice{"onward/project/v1", durable.Reader, project, session})
	w.Line()
	return durable.Seal(w.Bytes())
}

// ChoicePath gives the file that keeps the choice, for who wants to know when it changes.
func (s *Store) ChoicePath(p Project) string {
	return filepath.Join(s.Dir, projectsDir, p.Session+".json")
}

// Chosen gives the session last chosen with `session use`, or the derived one.
// From then on the store refuses lists of the derived name that are another project's.
func (s *Store) Chosen(p Project) (string, error) {
	s.project = p
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return p.Session, err
	}
	defer root.Close()
	c, err := readChoice(root, p.choice())
	if err == nil && c.session == "" && p.Old != "" {
		// One of version 1, unless it is another project's.
		if c, err = readChoice(root, durable.Document{Folder: projectsDir, Name: p.Old}); c.project != p.Dir {
			c.session = ""
		}
	} else if err == nil && c.session != "" && c.project != p.Dir {
		err = durable.Problem(ErrForeign, "it is of the project %s", c.project)
	}
	if err != nil {
		return "", fmt.Errorf("%w: read %s: %w", ErrChoice, s.ChoicePath(p), err)
	}
	if c.session == "" {
		return s.derived(p), nil
	}
	return c.session, nil
}

// readChoice reads a project's choice; an empty one where none was ever made.
func readChoice(root *os.Root, place durable.Document) (c choice, err error) {
	data, _, err := durable.ReadFile(root, place.Path(), maxChoice)
	if errors.Is(err, fs.ErrNotExist) {
		return c, place.Missing(root)
	}
	if err == nil {
		c, err = decodeChoice(data)
	}
	return c, err
}

// Choose makes a session the one of a project, until another is chosen, and gives its id.
// An empty id goes back to the derived one.
func (s *Store) Choose(p Project, id string, now time.Time) (string, error) {
	if id == "" {
		id = s.derived(p)
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
	return t.Replace(encodeChoice(p.Dir, id), old, now, nil)
}

// DerivedFrom returns the folder that a session's name was made from, and
// whether the name has the form of such a one.
func DerivedFrom(name string) (folder string, derived bool) {
	at := strings.LastIndexByte(name, '-')
	if at < 1 || len(name)-at != 9 || strings.Trim(name[at+1:], "0123456789abcdef") != "" {
		return "", false
	}
	return name[:at], true
}
