package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/store"
	"onward/internal/todo"
)

// ProjectSettings are the user's choices for all sessions of a project: those of every conversation
// and of the linked worktrees of its repository.
type ProjectSettings struct {
	Schema       string
	MinReader    int
	Rev          uint64
	Op           string // of the commit that wrote it
	OperationIDs []string
	Operations   []Operation
	Name         string // of the document
	Project      string // whose settings they are: a folder, or on a store that machines share a repository
	UpdatedAt    todo.Time
	MovedTo      string            // the store that they were moved to; this copy is void
	Values       map[string]string // by the keys of `onward set`
	ChosenGate   *ChosenGate       // what a person last chose as the gate; nil is nothing
	Unknown      jsontext.Value
}

// settingsKind describes how the settings of projects are kept. Their log is in a folder of its own: settings that were removed
// together with their folder are then known to be lost, and do not count as settings that nobody ever made.
var settingsKind = store.Spec{
	Name: "project-settings", Folder: "settings", Limit: 1 << 20, Acts: true,
	Log: &store.Log{Folder: "settings-history", Ending: ".jsonl", Limit: 1 << 20, Bound: 64 << 10, Lines: keptLines},
}

// SettingsKey returns the address of settings in a backend; no name means those of every project.
func SettingsKey(name string) store.Key { return store.Key{Kind: &settingsKind, Name: name} }

// Fields lists the members of a project's settings.
func (p *ProjectSettings) Fields(f *object.Fields) {
	f.Require("name", "settings")
	object.Text(f, "schema", &p.Schema)
	f.Int("min_reader", &p.MinReader)
	f.Uint("rev", &p.Rev)
	object.Text(f, "op", &p.Op)
	object.Strings(f, "ops", &p.OperationIDs)
	object.List(f.OmitEmpty(), "applied", &p.Operations)
	object.Text(f, "name", &p.Name)
	object.Text(f, "project", &p.Project)
	object.Time(f, "updated_at", &p.UpdatedAt)
	object.Text(f.OmitEmpty(), "moved_to", &p.MovedTo)
	object.Map(f, "settings", &p.Values)
	object.Pointer(f, "chosen_gate", &p.ChosenGate)
	f.Skip("sum")
	f.Unknown(&p.Unknown)
}

// Head returns the header of the document.
func (p *ProjectSettings) Head() store.Head {
	return store.Head{Schema: p.Schema, MinReader: p.MinReader, Name: p.Name, Saved: p.Rev > 0 || p.Op != "", MovedTo: p.MovedTo}
}

// Check accepts any values: each one is checked where it is used, as those of a session are.
func (p *ProjectSettings) Check() error { return nil }

// SettingsName returns the name under which the settings of a project are kept. On a store that machines share,
// that is the name of its repository; empty if it has none there, so that no settings are kept for it.
func (s *Store) SettingsName(p Project) string {
	switch {
	case s.Machine == nil && p.Repository == p.Dir:
		return p.Key
	case s.Machine == nil:
		return NewProject(p.Repository, FolderName(p.Repository)).Key
	}
	p.Origin = cmp.Or(p.Origin, p.Upstream)
	name, err := p.shared()
	if err != nil {
		return ""
	}
	return name
}

// ProjectSettings reads the settings of a project; nil if none were ever made.
func (s *Store) ProjectSettings(p Project) (*ProjectSettings, error) {
	name := s.SettingsName(p)
	if name == "" {
		return nil, nil
	}
	doc, err := s.settings(p, 0).Load(name)
	return doc, s.namePlaceOfSettings(name, err)
}

// namePlaceOfSettings adds to an error about settings that are gone where they were: the name in it tells a user nothing.
func (s *Store) namePlaceOfSettings(name string, err error) error {
	switch {
	case !errors.Is(err, store.ErrGone):
		return err
	case s.hadSettings != "" && s.hadSettings != name:
		return fmt.Errorf("%w: the folder was a linked worktree, for which %s held", err, s.Backend.Path(SettingsKey(s.hadSettings)))
	}
	return fmt.Errorf("%w: %s", err, s.Backend.Path(SettingsKey(name)))
}

// losableSettingsName returns the name of the settings that hold for a list; empty if they cannot be lost together with their log, as in
// a store that machines share.
func (s *Store) losableSettingsName(doc *Document) string {
	if s.Machine != nil {
		return ""
	}
	p := NewProject(doc.Project, FolderName(doc.Project))
	p.Repository = cmp.Or(doc.Repository, doc.Project)
	if doc.Project == "" {
		var err error
		if s.Here == nil {
			return ""
		} else if p, err = s.Here(); err != nil {
			return ""
		}
	}
	return s.SettingsName(p)
}

func (s *Store) hasSettings(name string) bool {
	if name == "" {
		return false
	}
	v, err := s.Backend.Get(SettingsKey(name))
	return err == nil && v.Data != nil
}

// maxAsked is how many lists a new one asks about the settings of its project, the last changed first.
const maxAsked = 100

// othersHadSettings reports whether another list was saved while there were settings of this name. A new list of their project has lost them
// too, though it has never seen them.
func (s *Store) othersHadSettings(name string) bool {
	if name == "" {
		return false
	}
	saved, _ := s.SavedLists(Name{})
	line := []byte(`"had_settings":"` + name + `"`) // in a text, its quotes would be escaped
	return slices.ContainsFunc(saved[:min(len(saved), maxAsked)], func(other StoredList) bool {
		v, err := s.Backend.Get(Key(other.Name))
		return err == nil && bytes.Contains(v.Data, line)
	})
}

// noteSettings notes in the lists of a project, which were saved before, that it has settings now: so they miss them too. A list for which
// that fails knows it from its next change on.
func (s *Store) noteSettings(name string) {
	if s.Machine != nil {
		return
	}
	lacks := func(doc *Document) bool {
		return doc != nil && doc.HadSettings == "" && doc.MovedTo == "" && s.losableSettingsName(doc) == name
	}
	saved, _ := s.SavedLists(Name{})
	for _, list := range saved[:min(len(saved), maxAsked)] {
		if doc, err := s.Load(list.Name); err != nil || !lacks(doc) {
			continue
		}
		_ = s.Rewrite(list.Name, func(doc *Document) (w store.Write, err error) {
			if lacks(doc) {
				doc.HadSettings, w.Now = name, doc.UpdatedAt.Time()
				w.Data, err = Encode(doc)
			}
			return w, err
		})
	}
}

// WithKnownSettings returns the store for a list that has such documents (nil if missing): if its project had settings when one
// of them was saved, it has lost them where they are gone, though their log was removed with them.
func (s *Store) WithKnownSettings(docs ...*Document) *Store {
	of := *s
	for _, doc := range docs {
		if doc != nil && of.hadSettings == "" {
			of.hadSettings, of.hadIn = doc.HadSettings, doc.Project
		}
	}
	return &of
}

// withSettingsOthersHad returns the store as a list has it that knows what the other lists of a project know of its settings.
func (s *Store) withSettingsOthersHad(p Project) *Store {
	of := *s
	if name := s.SettingsName(p); s.Machine == nil && s.hadSettings == "" && !s.hasSettings(name) && s.othersHadSettings(name) {
		of.hadSettings = name
	}
	return &of
}

// missesSettings reports whether settings that a project has not are lost, as a list knows. The settings of a folder have another
// name where it was a linked worktree, and is a repository of its own now: the list lost those that held for it.
func (s *Store) missesSettings(p Project) bool {
	return s.hadSettings != "" && (s.hadSettings == s.SettingsName(p) || s.hadIn != "" && s.hadIn == p.Dir)
}

// lostSettings is a backend in which a document that is missing is gone.
type lostSettings struct{ store.Backend }

func (b lostSettings) Get(k store.Key) (store.Value, error) {
	v, err := b.Backend.Get(k)
	return v, missingAsLost(v, err)
}

func (b lostSettings) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return b.Backend.Update(k, func(v store.Value, unread error) (store.Write, error) { return change(v, missingAsLost(v, unread)) })
}

func missingAsLost(v store.Value, err error) error {
	if err == nil && v.Data == nil {
		err = errLostSettings()
	}
	return err
}

func errLostSettings() error { return store.WrapProblem(store.ErrCorrupt, "%w", store.ErrGone) }

// SettingsLabel reports whose the settings of a project are: the folder's, or on a store that machines share the repository's.
func (s *Store) SettingsLabel(p Project) string {
	if s.Machine != nil {
		return cmp.Or(p.Origin, p.Upstream)
	}
	return p.Repository
}

// SavedSettings returns the names under which settings of projects are kept, in order, also of those that a list misses.
func (s *Store) SavedSettings() ([]string, error) {
	entries, err := s.Backend.List(&settingsKind, "", false)
	if err != nil {
		return nil, fmt.Errorf("list the settings of projects: %w", err)
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name)
	}
	if had := s.hadSettings; had != "" && !slices.Contains(names, had) {
		names = append(names, had)
	}
	slices.Sort(names)
	return names, nil
}

// PeekSettings reads settings by their name, together with the backend's value; nil if there are none.
func (s *Store) PeekSettings(name string) (*ProjectSettings, store.Value, error) {
	of := s.settings(Project{}, 0)
	if name == s.hadSettings {
		of.Backend = lostSettings{of.Backend}
	}
	doc, v, err := of.LoadMoved(name)
	return doc, v, s.namePlaceOfSettings(name, err)
}

// EncodeFor returns the data of settings under another name, for a store that names the project otherwise.
func (p *ProjectSettings) EncodeFor(name, project string) []byte {
	of := *p
	of.Name, of.Project = name, project
	return store.Encode(&of, 2048)
}

// UpdateSettings changes the settings of a project as Update does a list.
func (s *Store) UpdateSettings(p Project, op string, now todo.Time, change func(*ProjectSettings) (Change, error)) (store.Commit[ProjectSettings, Change], error) {
	return s.updateSettings(p, op, now, func(set *ProjectSettings) (Change, error) {
		before, gate := maps.Clone(set.Values), set.ChosenGate
		did, err := change(set)
		if err == nil && did.What != "" && s.MaySet != nil {
			err = s.maySetAll(before, set.Values, gate != set.ChosenGate)
		}
		return did, err
	})
}

// maySetAll asks MaySet about each setting that has changed. A gate can be chosen again with the value that it had.
func (s *Store) maySetAll(before, after map[string]string, gate bool) error {
	keys := slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, values := range []map[string]string{before, after} {
			for key := range values {
				if !yield(key) {
					return
				}
			}
		}
	}))
	for _, key := range keys {
		was, had := before[key]
		if is, set := after[key]; had != set || was != is || gate && key == "gate" {
			if err := s.MaySet(key, set); err != nil {
				return err
			}
		}
	}
	return nil
}

// updateSettings changes the settings of a project, whoever does it.
func (s *Store) updateSettings(p Project, op string, now todo.Time, change func(*ProjectSettings) (Change, error)) (store.Commit[ProjectSettings, Change], error) {
	name := s.SettingsName(p)
	if name == "" {
		return store.Commit[ProjectSettings, Change]{}, fmt.Errorf("change the settings of %s: %w", p.Dir, ErrUnnamed)
	}
	commit, err := s.withSettingsOthersHad(p).settings(p, now).Update(name, op, change)
	if err == nil && op != "" && commit.IsNew() {
		logOperations(s.settingsLog(), name, commit.Doc.Operations, now)
	}
	if err == nil && commit.Changed && commit.Doc.Rev == 1 {
		s.recordPlace(p.Repository, "", now)
		s.noteSettings(name)
	}
	return commit, s.namePlaceOfSettings(name, err)
}

// settingsLogKind describes the logs of operations on settings.
var settingsLogKind = store.OperationLogKind("setting-operations")

func (s *Store) settingsLog() store.OperationLog {
	return store.OperationLog{Backend: s.Backend, Kind: &settingsLogKind}
}

// RepairSettings looks at the settings of a project, and repairs them if they are damaged: there is no earlier state,
// so to restore makes them empty.
func (s *Store) RepairSettings(p Project, remedy store.Remedy, now todo.Time) (d store.Diagnosis, err error) {
	name := s.SettingsName(p)
	if name == "" {
		return d, nil
	}
	empty := func(store.Value) (store.Write, error) {
		rules := &settingsRules{store: s, project: p, now: now}
		return rules.Commit(rules.New(), "", Change{What: "repaired"})
	}
	d, err = s.withSettingsOthersHad(p).settings(p, now).Repair(name, remedy, empty, func(*ProjectSettings) Change { return Change{What: "accepted an edit by hand", By: "cli"} })
	d.Problem = s.namePlaceOfSettings(name, d.Problem)
	return d, s.namePlaceOfSettings(name, err)
}

func (s *Store) settings(p Project, now todo.Time) store.Collection[ProjectSettings, Change, *ProjectSettings] {
	b := s.Backend
	if s.missesSettings(p) {
		b = lostSettings{b}
	}
	return store.Collection[ProjectSettings, Change, *ProjectSettings]{Backend: b, Kind: &settingsKind, Rules: &settingsRules{store: s, project: p, now: now}}
}

// settingsRules are those of the settings of one project.
type settingsRules struct {
	store   *Store
	project Project
	now     todo.Time
	logged  store.LoggedResults // what the log has, if it had to be read to look for an operation
}

func (r *settingsRules) ApplyLog(*ProjectSettings, store.Value) error { return nil }

func (r *settingsRules) Allow(*ProjectSettings) error { return nil }

func (r *settingsRules) New() *ProjectSettings {
	return &ProjectSettings{Schema: settingsKind.Schema(), Name: r.store.SettingsName(r.project), Project: r.store.SettingsLabel(r.project)}
}

func (r *settingsRules) OperationResult(doc *ProjectSettings, op string) (did Change, again bool, err error) {
	var a *Operation
	if a, r.logged, err = findOperation(doc.Operations, r.store.settingsLog(), doc.Name, op, r.now); a == nil || err != nil {
		return did, false, err
	}
	doc.Rev = a.Rev
	return Change{What: a.Change}, true, nil
}

func (r *settingsRules) Commit(doc *ProjectSettings, op string, did Change) (store.Write, error) {
	if did.What == "" {
		return store.Write{}, nil
	}
	doc.Rev++
	doc.Op = store.OperationID(op)
	doc.OperationIDs = store.KeepOperation(doc.OperationIDs, doc.Op)
	doc.Operations = addOperation(doc.Operations, r.logged, Operation{ID: op, Rev: doc.Rev, Change: did.What})
	doc.UpdatedAt, doc.MinReader = r.now, store.ReaderVersion
	line := store.Encode(&Operation{ID: doc.Op, Rev: doc.Rev, Change: did.What}, 256)
	return store.Write{Data: store.Encode(doc, 2048), Line: line, Now: r.now.Time()}, nil
}

// Set saves a user's setting for the project, and reports whether it changed.
func (p *ProjectSettings) Set(key, value string) bool { return set(&p.Values, key, value) }

// Unset forgets a choice, and reports whether there was one.
func (p *ProjectSettings) Unset(key string) bool { return unset(p.Values, key) }

// Current returns the settings; none if there is no document.
func (p *ProjectSettings) Current() map[string]string {
	if p == nil {
		return nil
	}
	return p.Values
}
