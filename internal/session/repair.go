package session

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/store"
	"onward/internal/todo"
)

// Diagnosis is the result of examining a list.
type Diagnosis struct {
	store.Diagnosis
	Good *Entry // the newest state that the history has; nil if there is none
}

// newest returns the entry of the last change.
func newest(entries []Entry) *Entry {
	if len(entries) == 0 {
		return nil
	}
	last := slices.MaxFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Rev, b.Rev) })
	return &last
}

// Repair looks at a list, and repairs it if it is damaged. Its error is one that no remedy can fix.
// To restore puts the newest good state in the place of the document, or an empty one if there is none, after a copy
// was kept: what is only in the document is lost, counters, settings and the owner, but not the project. To accept makes a document
// valid whose only problem is its checksum, and commits it as it is, so that the edit can be undone.
func (s *Store) Repair(name Name, remedy store.Remedy, now todo.Time) (d Diagnosis, err error) {
	if err := CheckName(name); err != nil {
		return d, err
	}
	entries, unread := s.Entries(name)
	d.Good = newest(entries)
	if unread != nil {
		remedy = store.Examine
	}
	restored := func(v store.Value) (store.Write, error) {
		entries, err := entriesOf(name, v.Lines)
		if err != nil {
			return store.Write{}, err
		}
		doc := newDocument(name, now)
		s.setKnownProject(doc, v)
		return restore(doc, newest(entries), now)
	}
	d.Diagnosis, err = s.list(name, now).Repair(name.String(), remedy, restored, func(doc *Document) Change {
		entries, _ := doc.Entries()
		if good := newest(entries); good != nil {
			doc.Rev = max(doc.Rev, good.Rev)
		}
		return Change{What: "accepted an edit by hand", By: "cli", List: true}
	})
	if err == nil && d.Problem != nil {
		// An empty list must not replace one that could still be restored.
		err = unread
	}
	return d, err
}

// setKnownProject gives a new document the project of the damaged one in whose place it comes, so that the list is found in its
// repository, and after that was moved. A later change sets one that is not known: see Document.SetProject.
func (s *Store) setKnownProject(doc *Document, damaged store.Value) {
	known, read := Document{}, false
	if !damaged.Foreign {
		known, read = startOf(damaged.Data)
	}
	if known.Session != doc.Session {
		known, read = Document{}, false
	}
	if !read {
		known.Project = cmp.Or(known.Project, s.projectOfSession(Name{doc.Session, doc.Agent}))
	}
	doc.Project, doc.Place, doc.Repository, doc.HadSettings = known.Project, known.Place, known.Repository, known.HadSettings
	if doc.Project == "" {
		return
	}
	if s.Folders != nil && doc.Place == "" {
		at := s.Folders.Identity(doc.Project)
		doc.Place, doc.Repository = at.Git, cmp.Or(doc.Repository, at.Repository)
	}
	if name := s.losableSettingsName(doc); doc.HadSettings == "" && (s.hasSettings(name) || s.othersHadSettings(name)) {
		doc.HadSettings = name
	}
}

// startOf returns the members of a damaged document that say whose list it is, as far as it can be read, and whether all of them could be.
func startOf(data []byte) (d Document, all bool) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return d, false
	}
	texts := map[string]*string{
		"session": &d.Session, "project": &d.Project, "place": &d.Place, "repository": &d.Repository, "had_settings": &d.HadSettings,
	}
	for {
		token, err := dec.ReadToken()
		if err != nil || token.Kind() != '"' || token.String() == "created_at" { // which comes after them
			return d, err == nil && token.Kind() == '"'
		}
		to := texts[token.String()]
		value, err := dec.ReadValue()
		if err != nil || to != nil && value.Kind() != '"' {
			return d, false
		}
		if to != nil {
			text, err := jsontext.AppendUnquote(nil, value)
			if err != nil {
				return d, false
			}
			*to = string(text)
		}
	}
}

// projectOfSession returns the project of a list as other documents know it: the other lists of its session, the choice of a project, or the
// folders that had a list. Empty if none does, or if it may be one of several.
func (s *Store) projectOfSession(name Name) string {
	id := name.Session
	saved, _ := s.SavedLists(Name{})
	for _, list := range saved {
		if list.Name.Session != id || list.Name.String() == name.String() {
			continue
		}
		if v, err := s.Backend.Get(Key(list.Name)); err == nil && !v.Foreign {
			if of := projectIn(v.Data); of != "" {
				return of
			}
		}
	}
	here := s.project
	if here.Dir == "" && s.Here != nil {
		here, _ = s.Here()
	}
	if here.Dir != "" {
		if current, err := s.currentSession(here); err == nil && current == id {
			return here.Label()
		}
	}
	if s.Machine != nil { // another machine has other folders
		return ""
	}
	var of []string
	for _, kind := range []*store.Spec{&choiceKind, &placeKind} {
		entries, _ := s.Backend.List(kind, "", false)
		for _, e := range entries {
			v, err := s.Backend.Get(store.Key{Kind: kind, Name: e.Name})
			if err != nil || v.Data == nil || v.Foreign {
				continue
			}
			chose := choice{}
			if kind == &choiceKind && kind.Read(v.Data, &chose) == nil && chose.session == id {
				of = append(of, chose.project)
			}
			seen := seenFolders{}
			if kind == &placeKind && kind.Read(v.Data, &seen) == nil {
				of = append(of, slices.DeleteFunc(seen.projects, func(dir string) bool { return !derivesSession(dir, id) })...)
			}
		}
	}
	slices.Sort(of)
	if of = slices.Compact(of); len(of) == 1 {
		return of[0]
	}
	return ""
}

// derivesSession reports whether a session has the name that is made from a folder.
func derivesSession(dir, id string) bool {
	p := NewProject(dir, FolderName(dir))
	return id == p.Session || id == p.Key
}

// SetProject makes a new list that of a project, and also one that has the name made from its folder, but names none any more: older
// versions forgot it in a repair.
func (d *Document) SetProject(label string) {
	if d.Rev == 0 || d.Project == "" && label != "" && derivesSession(label, d.Session) {
		d.Project = label
	}
}

// restore commits a new document with the state of an entry.
func restore(doc *Document, good *Entry, now todo.Time) (store.Write, error) {
	did := Change{What: "repaired: no good state was known, the list is empty", By: "cli", List: true}
	if good != nil {
		doc.Rev, doc.Todos.Rev = good.Rev, good.Rev
		doc.Todos.Active, doc.Todos.Items = good.Active, good.Items
		did.What = "repaired: the list as it was after: " + good.Change
	}
	return commit(doc, "", did, nil, now)
}
