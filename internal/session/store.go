// Package session is the session document: its members, the rules of its list and of its history, and its owner.
// Package store keeps it.
package session

import (
	"cmp"
	"strings"

	"onward/internal/store"
	"onward/internal/todo"
)

// Store keeps session documents in a backend.
type Store struct {
	Backend store.Backend // required
	Notes   store.Notes   // required: signs of life are kept there
	// Machine keeps the sessions that were chosen for projects on this machine, where other machines share the lists.
	// If it is nil, the backend keeps them.
	Machine store.Backend
	// Gone reports whether a process is known to have ended; nil means that none is.
	Gone func(*Process) bool

	project Project // the one that the current session was chosen or derived for, once it is known
}

// Change describes what a writer did to a document.
type Change struct {
	What    string         // in words, for the history; empty means nothing to commit
	By      string         // who: cli, hook, ingest, or an agent
	List    bool           // the list itself changed, so that it can be undone
	Touched []todo.Touched // the items it is about
	Undo    bool           // it goes back to the list as it was after another change
	Back    uint64         // of an undo: the rev of that change; 0 is before the first
	Events  []Event        // what happened, for the history
}

// maxWhat is the length in bytes at which the description of combined changes is cut.
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
	next.Events = append(c.Events, next.Events...)
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

// Commit is the result of an update.
type Commit = store.Commit[Document, Change]

// list returns the collection of lists, for one of them.
func (s *Store) list(name Name, now todo.Time) store.Collection[Document, Change, *Document] {
	return store.Collection[Document, Change, *Document]{Backend: s.Backend, Kind: &kind, Rules: &rules{s, name, now}}
}

// rules are those of one list.
type rules struct {
	store *Store
	name  Name
	now   todo.Time
}

func (r *rules) Join(*Document, store.Value) error { return nil }

func (r *rules) New() *Document { return newDocument(r.name, r.now) }

func (r *rules) Allow(doc *Document) error { return r.store.checkProject(doc) }

// Key returns the address of a list in a backend.
func Key(name Name) store.Key { return store.Key{Kind: &kind, Name: name.String()} }

// Load reads one list; nil where there never was one.
func (s *Store) Load(name Name) (*Document, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	doc, err := s.list(name, 0).Load(name.String())
	if err == nil {
		err = s.checkProject(doc)
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// gateKind describes where the gates of lists are held while they run; there are no documents.
var gateKind = store.Kind{Name: "gate", Folder: "gates"}

// GateKey returns the key that a question holds while it runs the gate of a list.
func GateKey(name Name) store.Key { return store.Key{Kind: &gateKind, Name: name.String()} }

// Path returns where a list is, for messages.
func (s *Store) Path(n Name) string { return s.Backend.Path(Key(n)) }

// Peek reads a list as Load does, also one that was moved to another store, together with the backend's value.
func (s *Store) Peek(name Name) (*Document, store.Value, error) {
	return s.list(name, 0).Peek(name.String())
}

// Update changes one list and commits the result, once.
// The function receives the current document, or a new one if there is none, changes it in place
// and returns a description of the change. An empty description means no change, and nothing is
// written. It may run several times. An op that is among the document's last ones is not applied
// again.
func (s *Store) Update(name Name, op string, now todo.Time, change func(*Document) (Change, error)) (Commit, error) {
	if err := CheckName(name); err != nil {
		return Commit{}, err
	}
	return s.list(name, now).Update(name.String(), op, change)
}
