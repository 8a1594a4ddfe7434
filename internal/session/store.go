// Package session keeps session documents on disk.
//
// A store is a folder with one file a list. Readers take no lock:
// a document is replaced by renaming, so they see the old one or the new one.
// Writers follow the protocol of package durable, and only there are documents written.
package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/durable"
	"onward/internal/todo"
)

// The folders of a store.
const (
	sessionsDir = "sessions"
	historyDir  = "history"
	projectsDir = "projects"
)

// Store is a folder with session documents. The zero value is not usable.
// Its folder is made by the first write, never by a read.
type Store struct {
	Dir         string        // required
	LockTimeout time.Duration // how long to wait for another writer; 0 tries once
	// Gone reports whether a process has surely ended; nil knows of none.
	Gone func(*Process) bool

	project Project // the one that the current session was chosen or derived for, once it is known
}

// Change is what a writer did to a document.
type Change struct {
	What    string         // in words, for the history; empty means nothing to commit
	By      string         // who: cli, hook, ingest, or an agent
	List    bool           // the list itself changed, so that it can be undone
	Touched []todo.Touched // the items it is about
	Undo    bool           // it goes back to the list as it was after another change
	Back    uint64         // of an undo: the rev of that change; 0 is before the first
}

// maxWhat is from which length on, in bytes, the words for several changes in one are cut.
const maxWhat = 200

// Then is this change and the next one as one change.
func (c Change) Then(next Change) Change {
	switch {
	case next.What == "":
		return c
	case c.What == "":
		return next
	}
	next.List = next.List || c.List
	next.By = cmp.Or(next.By, c.By)
	switch {
	case c.What == next.What || strings.HasSuffix(c.What, "; "+next.What) || strings.HasSuffix(c.What, "; …"):
		next.What = c.What
	case len(c.What) > maxWhat:
		next.What = c.What + "; …"
	default:
		next.What = c.What + "; " + next.What
	}
	return next
}

// Commit tells what an update came to.
type Commit struct {
	Doc     *Document // as it stands now
	Change  Change
	Changed bool // false: there was nothing to change, and nothing was written
	Again   bool // the operation had been applied before; Change is the first answer
}

// Load reads one list. It gives nil where there never was one.
func (s *Store) Load(name Name) (*Document, error) {
	doc, err := s.load(name)
	if err == nil {
		err = s.checkProject(doc)
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

func (s *Store) load(name Name) (*Document, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	if data := durable.Quick(s.Dir, documentPath(name), maxDocument); data != nil {
		return decode(name, data, false)
	}
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	doc, _, err := load(root, name)
	if !errors.Is(err, durable.ErrGone) && !errors.Is(err, ErrBusy) {
		return doc, err
	}
	// On a file system in user space a document can be out of sight while it is replaced. Under its lock it is not.
	t, locked := durable.Begin(s.Dir, document(name), s.LockTimeout)
	if locked != nil {
		return doc, err
	}
	defer t.End()
	doc, _, err = load(t.Root, name)
	return doc, err
}

// load reads one list and says which file it was, so that a writer can see whether it moved.
func load(root *os.Root, name Name) (*Document, fs.FileInfo, error) {
	data, info, err := durable.ReadFile(root, documentPath(name), maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		// Where the lock file tells nothing, a history tells that there was a list.
		if err = document(name).Missing(root, historyPath(name)); err == nil {
			return nil, nil, nil
		}
	}
	if err != nil {
		return nil, nil, &ReadError{"session", name, err}
	}
	doc, err := decode(name, data, false)
	return doc, info, err
}

// decode reads the document of one list. Edited says that its checksum may be wrong.
func decode(name Name, data []byte, edited bool) (*Document, error) {
	doc, err := decodeDocument(data, edited)
	if err == nil {
		if is := (Name{doc.Session, doc.Agent}); is.String() != name.String() {
			err = durable.Problem(ErrCorrupt, "the file is of session %q", is)
		}
	}
	if err != nil {
		return nil, &ReadError{"session", name, err}
	}
	return doc, nil
}

// document gives the place of a list in the store.
func document(n Name) durable.Document {
	return durable.Document{Folder: sessionsDir, Name: n.String()}
}

func documentPath(n Name) string { return document(n).Path() }
func historyPath(n Name) string  { return filepath.Join(historyDir, n.String()+".jsonl") }

// trimmedPath is a shorter history on its way to take the place of the old one.
func trimmedPath(n Name) string { return historyPath(n) + ".tmp" }

// Path gives the file of a list, for messages.
func (s *Store) Path(n Name) string { return filepath.Join(s.Dir, documentPath(n)) }

// Update changes one list under its lock and commits the result, once.
// The function gets the document as it stands now, a new one where there was none,
// changes it in place and says what it did. Where it says nothing, nothing is written.
// An op that is among the document's last ones is not applied again.
func (s *Store) Update(name Name, op string, now todo.Time, change func(*Document) (Change, error)) (Commit, error) {
	if err := CheckName(name); err != nil {
		return Commit{}, err
	}
	if err := CheckOp(op); err != nil {
		return Commit{}, err
	}
	t, err := s.begin(name)
	if err != nil {
		return Commit{}, fmt.Errorf("write session %q: %w", name, err)
	}
	defer t.End()
	doc, info, err := load(t.Root, name)
	if errors.Is(err, ErrCorrupt) {
		// Whoever deletes or repairs it later, what it held is not lost.
		if _, uncopied := keep(t.Root, name); uncopied != nil {
			err = fmt.Errorf("%w (no copy could be kept: %w)", err, uncopied)
		}
	}
	if err == nil {
		err = s.checkProject(doc)
	}
	if err != nil {
		return Commit{}, err
	}
	if doc == nil {
		doc = newDocument(name, now)
	} else if again, found := t.answered(doc, op); found {
		return again, nil
	}
	if doc.Schema != Schema {
		return Commit{}, fmt.Errorf("write session %q: %w", name, durable.Problem(ErrNewer, "the file has the schema %q", doc.Schema))
	}
	did, err := change(doc)
	if err != nil || did.What == "" {
		return Commit{Doc: doc, Change: did}, err
	}
	if err := t.commit(doc, info, op, did, now); err != nil {
		return Commit{Doc: doc, Change: did}, fmt.Errorf("write session %q: %w", name, err)
	}
	return Commit{Doc: doc, Change: did, Changed: true}, nil
}
