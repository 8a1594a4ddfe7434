// Package session defines the session document: its members, its owner, and the rules of its list and its history.
// Package store saves it.
package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"onward/internal/store"
	"onward/internal/todo"
)

// Store keeps session documents in a backend.
type Store struct {
	Backend store.Backend // required
	Notes   store.Notes   // required: activity is kept there
	// Machine keeps the sessions that were chosen for projects on this machine, where other machines share the lists.
	// If it is nil, the backend keeps them.
	Machine store.Backend
	// Gone reports whether a process is known to have ended; nil means that none is.
	Gone func(*Process) bool
	// IsAlive reports whether a process is known to be at work; nil means that none is.
	IsAlive func(*Process) bool
	// RemoveDependents removes what others keep for a list that is deleted, with the right to delete it, and reports whether there was
	// anything. If it is nil, nothing is kept, and no deletion is completed.
	RemoveDependents func(store.Backend, Name) (bool, error)
	// Folders answers for the folders that projects are named after; nil if none are.
	Folders Folders
	// Here returns the project of lists that name none; nil if that is not known.
	Here func() (Project, error)
	// Beside lists the kinds of other documents that have the name of the list for which they are kept, such as its calls.
	Beside []*store.Spec

	// Agent is set where an agent changes lists by its own commands: then a change that only a person may make is refused.
	Agent *todo.Authority
	// MaySet refuses a change of a setting of a project: that a value is set, or unset. Nil refuses none.
	MaySet func(key string, set bool) error
	// MayDelete refuses to delete lists; nil does not.
	MayDelete func() error

	project     Project // the one that the current session was chosen or derived for, once it is known
	hadSettings string  // the name of settings that were there, as a list knows
	hadIn       string  // the project of that list; empty if it names none
}

// Change describes what a writer did to a document.
type Change struct {
	What    string         // in words, for the history; empty means nothing to commit
	By      string         // who: cli, hook, ingest, or an agent
	Person  bool           // the user made it, so that no agent may undo it
	List    bool           // the list itself changed, so that it can be undone
	Touched []todo.Touched // the items it is about
	Undo    bool           // it goes back to the list as it was after another change
	Back    uint64         // of an undo: the rev of that change; 0 is before the first
	Events  []Event        // what happened, for the history
	Next    *Document      // without What: what a second step will make of the document, to be refused before that takes long
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
	next.List, next.Person = next.List || c.List, next.Person || c.Person
	if next.Events = append(c.Events, next.Events...); len(next.Events) > 2*maxEvents/minEvent {
		next.Events = slices.Clone(lastEvents(next.Events))
	}
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
	return store.Collection[Document, Change, *Document]{Backend: s.Backend, Kind: &kind, Rules: &rules{store: s, name: name, now: now}}
}

// rules are those of one list.
type rules struct {
	store  *Store
	name   Name
	now    todo.Time
	logged store.LoggedResults // what the log has, if it had to be read to look for an operation
}

func (r *rules) ApplyLog(doc *Document, v store.Value) error {
	doc.readLog, doc.foreign = v.Lines, v.Foreign
	return nil
}

func (r *rules) New() *Document { return newDocument(r.name, r.now) }

func (r *rules) Allow(doc *Document) error { return r.store.checkProject(doc) }

// Key returns the address of a list in a backend.
func Key(name Name) store.Key { return store.Key{Kind: &kind, Name: name.String()} }

// Load reads one list; nil if there never was one. A deletion of it that was cut off is completed, here as in Update.
func (s *Store) Load(name Name) (*Document, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	doc, err := s.list(name, 0).Load(name.String())
	if s.completeDeletion(name, err) {
		doc, err = s.list(name, 0).Load(name.String())
	}
	if err == nil {
		err = s.checkProject(doc)
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// gateKind describes where gates are held while they run; the document of one is there while it runs.
var gateKind = store.Spec{Name: "gate", Folder: "gates", Limit: 64 << 10}

// GateKey returns the key that a question holds while it runs the gate of a list.
func GateKey(name Name) store.Key { return store.Key{Kind: &gateKind, Name: name.String()} }

// ItemGateKey returns the key that a command holds while it runs the gate of an item on a store that machines share.
func ItemGateKey(name Name, item string) store.Key {
	return store.Key{Kind: &gateKind, Name: "item-" + store.Checksum([]byte(name.String()+" "+item))}
}

// FolderGateKey returns the key that a question holds while it runs a gate in a checkout, on the machine where that is:
// two gates at once would disturb each other there, even for different lists.
func (p Project) FolderGateKey() store.Key { return store.Key{Kind: &gateKind, Name: p.Key} }

// LostGates returns the keys of the gates that have a record on this machine though nobody runs them:
// the process that ran one was killed.
func LostGates(machine store.Backend) (keys []store.Key, err error) {
	entries, err := machine.List(&gateKind, "", false)
	if err != nil {
		return nil, fmt.Errorf("list gates: %w", err)
	}
	for _, e := range entries {
		key := store.Key{Kind: &gateKind, Name: e.Name}
		v, err := machine.Get(key)
		if err != nil || v.Data == nil {
			continue
		}
		if held, err := machine.Held(key); err == nil && !held {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// Path returns where a list is, for messages.
func (s *Store) Path(n Name) string { return s.Backend.Path(Key(n)) }

// LoadMoved reads a list as Load does, also one that was moved to another store, together with the backend's value.
func (s *Store) LoadMoved(name Name) (*Document, store.Value, error) {
	return s.list(name, 0).LoadMoved(name.String())
}

// Rewrite changes one list without a new revision, also one that was moved.
func (s *Store) Rewrite(name Name, change func(*Document) (store.Write, error)) error {
	return s.list(name, 0).Rewrite(name.String(), change)
}

// Update changes one list and commits the result, once.
// The function receives the current document, or a new one if there is none, changes it in place
// and returns a description of the change. An empty description means no change, and nothing is
// written. It may run several times. An op of the last day is not applied again.
func (s *Store) Update(name Name, op string, now todo.Time, change func(*Document) (Change, error)) (Commit, error) {
	if err := CheckName(name); err != nil {
		return Commit{}, err
	}
	change = withoutForeignParts(s.authorized(name, change))
	commit, err := s.list(name, now).Update(name.String(), op, change)
	if s.completeDeletion(name, err) {
		commit, err = s.list(name, now).Update(name.String(), op, change)
	}
	if err == nil && op != "" && commit.IsNew() {
		logOperations(s.OperationLog(), name.String(), commit.Doc.Operations, now)
	}
	if err == nil && commit.Changed && commit.Doc.Rev == 1 && commit.Doc.Project == s.project.Dir {
		s.recordPlace(s.project.Dir, "", now)
	}
	return commit, err
}
