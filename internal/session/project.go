package session

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/store"
)

// Project is a folder whose shell, git hooks, CI and agents share a list.
type Project struct {
	Dir     string // the folder, with links resolved
	Session string // the id derived from it, which prompts repeat: it is short, and two folders may have the same
	Key     string // the name of what is kept for it alone, and of its list where Session is not free, or where it had that already
	Origin  string // the repository, where machines share the store and it has one

	// Repository is the folder whose settings hold here: Dir, or for a linked worktree that of its main checkout,
	// and where git keeps the repository elsewhere and does not know where it was checked out, git's folder.
	Repository string
	Claimed    bool   // only the checkout says that it is of Repository, which does not know it
	Upstream   string // the origin of the repository, where a linked worktree has no Origin of its own
}

// NewProject returns the project of a folder, whose path is absolute and without links, so that one
// folder is one project.
func NewProject(dir, base string) Project {
	return Project{
		Dir: dir, Repository: dir,
		Session: cleanID(base, maxSession-9) + hashed(fnv.New32a(), dir),
		Key:     cleanID(base, maxSession-33) + hashed(fnv.New128a(), dir),
	}
}

func hashed(h hash.Hash, text string) string {
	h.Write([]byte(text))
	return fmt.Sprintf("-%x", h.Sum(nil))
}

// DerivedSession returns the session of a project for which none was chosen: the short id, unless that is another project's, or
// the project has a list under the long one, or what else is kept for a list.
func (s *Store) DerivedSession(p Project) (string, error) {
	switch {
	case s.Machine != nil:
		return p.shared()
	case p.Key == "":
		return p.Session, nil
	}
	v, err := s.Backend.Get(Key(Name{Session: p.Session}))
	if v.Data != nil {
		// A list that was begun here and has been moved away is no other project's by its name.
		if of := projectIn(v.Data); of != p.Dir && NewProject(of, FolderName(of)).Session == p.Session {
			return p.Key, nil
		}
		return p.Session, nil
	}
	if err != nil && !errors.Is(err, store.ErrGone) {
		return p.Session, nil // it is reported when the list is read
	}
	for _, kind := range append([]*store.Spec{&kind}, s.Beside...) {
		v, err := s.Backend.Get(store.Key{Kind: kind, Name: p.Key})
		if v.Data != nil || v.Log != nil || err != nil && !errors.Is(err, store.ErrGone) {
			return p.Key, nil
		}
	}
	return p.Session, nil
}

// projectIn returns the project that a document names, whose other members may be many; empty if it names none, or
// cannot be read, which is reported when it is.
func projectIn(data []byte) string {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	for {
		switch token, err := dec.ReadToken(); {
		case err != nil, token.Kind() == '}':
			return ""
		case token.Kind() == '{':
			continue
		case token.String() == "project":
			project, _ := dec.ReadToken()
			return project.String()
		case token.String() == "todos": // it would have come before
			return ""
		}
		if dec.SkipValue() != nil {
			return ""
		}
	}
}

// checkProject refuses a document that is another project's though its name is derived from this one.
func (s *Store) checkProject(doc *Document) error {
	if doc == nil || doc.Session != s.project.Session || doc.Project == "" || doc.Project == s.project.Dir {
		return nil
	}
	return &store.ReadError{What: "session", Name: Name{doc.Session, doc.Agent}.String(), Err: store.WrapProblem(store.ErrForeign, "it is the list of the project %s", doc.Project)}
}

// choiceKind describes how the choices of projects are kept.
var choiceKind = store.Spec{Name: "project", Folder: "projects", Limit: 64 << 10}

// choice is the session that the user chose for a project.
type choice struct{ project, session string }

// ChoiceKey returns the address of the choice of a project in a backend.
func (p Project) ChoiceKey() store.Key { return store.Key{Kind: &choiceKind, Name: p.Key} }

// choices returns where the sessions chosen for projects are kept.
func (s *Store) choices() store.Backend {
	if s.Machine != nil {
		return s.Machine
	}
	return s.Backend
}

// chosen reads the choice of a project; nil if none was ever made.
func (s *Store) chosen(p Project) (*choice, error) {
	v, err := s.choices().Get(p.ChoiceKey())
	if err != nil || v.Data == nil {
		return nil, err
	}
	c := &choice{}
	if err = choiceKind.Read(v.Data, c); err == nil {
		err = CheckName(Name{Session: c.session})
	}
	return c, err
}

// ChosenSession returns the session last chosen with `session use`, or the derived one.
// From then on the store refuses lists of the derived name that are another project's.
func (s *Store) ChosenSession(p Project) (string, error) {
	s.project = p
	c, err := s.chosen(p)
	if err == nil && c == nil && p.Session != "" {
		// One of version 1, unless it is another project's.
		if c, err = s.chosen(Project{Key: p.Session}); c != nil && c.project != p.Dir {
			c = nil
		}
	} else if err == nil && c != nil && c.project != p.Dir {
		err = store.WrapProblem(store.ErrForeign, "it is of the project %s", c.project)
	}
	if err != nil {
		return "", fmt.Errorf("%w: read %s: %w", ErrChoice, s.choices().Path(p.ChoiceKey()), err)
	}
	id := ""
	if c != nil {
		id = c.session
	} else if id, err = s.DerivedSession(p); err != nil {
		return "", err
	}
	if s.project.Session = id; id != p.Session && id != p.Key {
		s.project.Session = "" // so that the derived one can be another project's by now, which was moved
	}
	return id, nil
}

// ChooseSession selects the session of a project until another is selected, and returns its id.
// An empty id returns to the derived session. Any earlier choice is replaced. An agent may not leave a list that the user has stopped, or
// on which it was sent back: the next one knows nothing of that.
func (s *Store) ChooseSession(p Project, id string, now time.Time) (string, error) {
	if id == "" {
		var err error
		if id, err = s.DerivedSession(p); err != nil {
			return "", err
		}
	}
	if err := s.mayLeave(p, id); err != nil {
		return "", err
	}
	return s.setChoice(p, id, now)
}

// mayLeave returns an error if an agent chooses another session than the present one, and may not.
func (s *Store) mayLeave(p Project, id string) error {
	if s.Agent == nil || id == "" {
		return nil
	}
	present, err := s.currentSession(p)
	if err != nil || present == id {
		return err
	}
	doc, err := s.Load(Name{Session: present})
	if err != nil {
		return err
	}
	if l := doc.Ledger(); l.Stopped() || l.Paused.ByUser() || l.AbortedAt != 0 || l.TotalPrompt > 0 {
		f := RefuseResume(l, doc.Current())
		f.What, f.User = fmt.Sprintf("%s, so it may not leave session %s", f.What, present), "session use "+id
		return f
	}
	return nil
}

func (s *Store) setChoice(p Project, id string, now time.Time) (string, error) {
	if err := CheckName(Name{Session: id}); err != nil {
		return "", err
	}
	data := choiceKind.Write(&choice{project: p.Dir, session: id})
	err := s.choices().Update(p.ChoiceKey(), func(store.Value, error) (store.Write, error) {
		return store.Write{Data: data, Now: now}, nil
	})
	if err != nil {
		return "", fmt.Errorf("choose session %q: %w", id, err)
	}
	return id, nil
}

// FolderName returns the name of a project's folder, without its path; empty if there is none.
func FolderName(project string) string { return project[strings.LastIndexAny(project, `/\`)+1:] }

// DerivedFrom returns the folder that a session's name was made from, and
// whether the name has the form of such a one.
func DerivedFrom(name string) (folder string, derived bool) {
	at := strings.LastIndexByte(name, '-')
	if digits := len(name) - at - 1; at < 1 || digits != 32 && digits != 8 || strings.Trim(name[at+1:], "0123456789abcdef") != "" {
		return "", false
	}
	return name[:at], true
}
