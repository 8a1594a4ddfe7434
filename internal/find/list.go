package find

import (
	"os"
	"slices"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// List describes which list a command works on.
type List struct {
	Storage   Storage
	Store     *session.Store // the store's lists
	Name      session.Name
	Now       todo.Time
	Project   session.Project
	Named     bool   // the user named the session by a flag or a variable
	ByFlag    bool   // by a flag or an argument of this command, which the next command needs as well
	MovedFrom string // the folder from which the project was moved, if this command found one
	dir       string // the folder that the command is about; empty is the working folder

	Conversation session.Conversation // the agent's conversation that runs the command on its own behalf
}

// MainDocument returns the main list of the session of a sub-agent's list, whose settings hold for it too; else nil.
func (t List) MainDocument() (*session.Document, error) {
	if t.Name.Agent == "" {
		return nil, nil
	}
	return t.Store.Load(session.Name{Session: t.Name.Session})
}

// Update changes the list. An operation id that was used before changes nothing.
func (t List) Update(op string, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	return t.Store.Update(t.Name, op, t.Now, func(doc *session.Document) (session.Change, error) {
		doc.SetProject(t.Project.Label())
		did, err := change(doc)
		if err == nil && did.What != "" {
			t.renewClaims(doc)
		}
		if err != nil || did.What == "" || !t.Conversation.Owns || !doc.HasList() {
			return did, err
		}
		set, err := t.Resolve(ReadConfig(), nil, doc)
		if err == nil {
			doc.ClaimOwnership(t.Conversation, set.StaleAfter, t.Now)
		}
		return did, err
	})
}

// renewClaims extends the claims of the worker that the environment names, since it is at work.
func (t List) renewClaims(doc *session.Document) {
	if name := os.Getenv("ONWARD_WORKER"); name != "" {
		host, _ := os.Hostname()
		doc.Todos.Items = todo.Worker{Name: name, Host: host}.Renew(doc.Todos.Items, t.Now)
	}
}

// InRun reports whether an agent that a run of the session has started runs this command. The session of such a run exists, also
// before anything is saved in it.
func (t *List) InRun() bool {
	mark := os.Getenv(supervise.RunVariable)
	return mark != "" && t.Store.InRun(session.Name{Session: t.Name.Session}, mark)
}

// CheckExists returns an error for a session that the user named and that never existed: its name is misspelt. Its document may be nil.
func (t *List) CheckExists(doc *session.Document) error {
	if t.InRun() {
		return nil
	}
	return t.Store.CheckExists(t.Name, doc)
}

// CheckWatchable is CheckExists for a session that is to be watched. A run at work may have saved no list yet, and a store that fails
// may answer again in the meantime.
func (t *List) CheckWatchable() error {
	if doc, err := t.Store.Load(t.Name); err != nil || doc != nil {
		return nil
	}
	if last, err := t.Store.ReadRun(t.Name); err != nil || last != nil {
		return nil
	}
	return t.CheckExists(nil)
}

// CheckSaved returns an error if the session has neither a list nor tool calls.
func (t *List) CheckSaved() error {
	list, err := t.Store.Load(t.Name)
	if list != nil || err != nil {
		return err
	}
	calls, err := t.Calls().Load(t.Name)
	if calls == nil && err == nil {
		err = &session.NoSessionError{Name: t.Name.String()}
	}
	return err
}

// Calls returns the tool calls in the store of a list.
func (t List) Calls() *schedule.Store { return t.Storage.Calls() }

// Watch watches the documents that another process changes with the list, its tool calls or its messages.
func (t List) Watch() store.Watch {
	keys := t.Keys()
	if project, err := t.CurrentProject(); err == nil && t.Store.SettingsName(project) != "" {
		keys = append(keys, session.SettingsKey(t.Store.SettingsName(project)))
	}
	return t.Storage.Watch(keys...)
}

// Keys are the addresses of a list and of its tool calls.
func (t List) Keys() []store.Key { return []store.Key{session.Key(t.Name), CallsKey(t.Name)} }

// WatchCalls watches the documents that another process changes with the tool calls or the messages.
func (t List) WatchCalls() store.Watch { return t.Storage.Watch(CallsKey(t.Name)) }

// Prefetched reads the documents for the states of sessions with few requests, and further ones of each session, and returns a
// target that has them.
func (t List) Prefetched(saved []session.StoredList, config *Config, further ...func(session.Name) store.Key) List {
	keys := session.Keys(saved)
	for _, s := range saved {
		keys = append(keys, CallsKey(s.Name), session.RunKey(s.Name))
		for _, key := range further {
			keys = append(keys, key(s.Name))
		}
	}
	t = t.WithBackend(store.Prefetch(t.Storage.Backend, keys))
	if !t.Storage.Shared() {
		return t
	}
	var settings []store.Key
	for _, s := range saved {
		doc := t.Store.Read(s).Doc
		if doc == nil {
			continue
		}
		project, err := t.ProjectOf(doc)
		if name := t.Store.SettingsName(project); err == nil && name != "" {
			key := session.SettingsKey(name)
			if _, known := config.projects[name]; !known && !slices.Contains(settings, key) {
				settings = append(settings, key)
			}
		}
	}
	return t.WithBackend(store.Prefetch(t.Storage.Backend, settings))
}

// WithBackend returns the same target in another backend, such as one that has read documents before.
func (t List) WithBackend(b store.Backend) List {
	t.Storage.Backend = b
	t.Store = t.Store.WithBackend(b)
	return t
}
