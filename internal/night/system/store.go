package system

import (
	"context"
	"fmt"
	"os"
	"time"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/night"
	"onward/internal/overview"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/internal/wait"
)

// Store is the list of a run in its store.
type Store struct {
	List    *find.List
	Began   *find.Config             // the configuration when the run began
	Flags   func() map[string]string // the settings of the command line
	Signals func() chan os.Signal
	Notes   func(*wait.Waiting) ask.Notes
	Gate    func() ask.Gate
	Changed func() // notes that a change was saved
}

// Load reads the document of the list.
func (s Store) Load() (*session.Document, error) { return s.List.Store.Load(s.List.Name) }

// Update changes the document of the list.
func (s Store) Update(_ night.ChangeCause, now todo.Time, change func(*session.Document) (session.Change, error)) error {
	t := *s.List
	t.Now = now
	_, err := t.Update("", change)
	return err
}

// Settings returns the settings in force.
func (s Store) Settings(doc *session.Document) (continuation.Settings, error) {
	return s.List.Settings(s.config(), s.Flags(), doc)
}

// config returns the configuration that counts for the run.
func (s Store) config() *find.Config { return s.Began.WithGateOf(find.ReadConfig()) }

// ChosenGates returns what a person last chose as the gate of the session and of its project.
func (s Store) ChosenGates(doc *session.Document) (chosen []*session.ChosenGate, err error) {
	docs := []*session.Document{doc, nil}
	if docs[1], err = s.List.MainDocument(); err != nil {
		return nil, err
	}
	project, err := s.List.ProjectOf(docs...)
	if err != nil {
		return nil, err
	}
	of, err := s.List.Store.ProjectSettings(project)
	return session.ChosenGates(of, docs...), err
}

// Row returns the session as an overview shows it; nil if there is none.
func (s Store) Row() (*live.Row, *session.Document) {
	return overview.ReadRow(*s.List, session.StoredList{Name: s.List.Name, Current: true}, s.config())
}

// Standing returns how the session stands, as an overview shows it, with its document.
func (s Store) Standing() (standing continuation.Standing, doc *session.Document) {
	row, doc := s.Row()
	if row != nil {
		standing = row.Standing
	}
	return standing, doc
}

// Messages returns the user's messages in the queue.
func (s Store) Messages() ([]session.Message, error) {
	facts, _, err := ask.AddCallFacts(s.List.Calls(), s.List.Name, continuation.Facts{})
	if err != nil {
		return nil, fmt.Errorf("read the messages: %w", err)
	}
	return facts.UserMessages(), nil
}

// RemoveMessages takes messages that were sent off the user's queue.
func (s Store) RemoveMessages(ids []string, now todo.Time) error {
	return s.List.Calls().RemoveMessages(s.List.Name, ids, now)
}

// ReadRun returns the record of the last run.
func (s Store) ReadRun() (*session.Run, error) { return s.List.Store.ReadRun(s.List.Name) }

// Hold takes the session for this run.
func (s Store) Hold(patience time.Duration) (store.Held, error) {
	key := session.RunKey(s.List.Name)
	if patience == 0 {
		return s.List.Storage.Hold(key, true)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.List.Storage.With(ctx).Hold(key, false)
}

// Remote reports whether the store is on other machines.
func (s Store) Remote() bool {
	_, remote := s.List.Storage.Backend.(store.Remote)
	return remote
}

// IsAlive reports whether a process is known to be alive.
func (s Store) IsAlive(p *session.Process) bool { return process.IsAlive(p) }

// Gone reports whether a process is known to have ended.
func (s Store) Gone(p *session.Process) bool { return s.List.Store.Gone(p) }

// WithQuestion asks whether the agent may stop.
func (s Store) WithQuestion(do func(ask.Question) (ask.Answer, error)) (ask.Answer, error) {
	waiting := wait.New(s.List.Watch)
	waiting.Signals = s.Signals()
	defer waiting.Close()
	got, err := do(ask.Question{
		List: find.ConfiguredList{List: *s.List, Config: s.config(), Flags: s.Flags()}, Name: s.List.Name,
		Waiting: waiting, Notes: s.Notes(waiting), Gate: s.Gate(),
	})
	if got.Changed {
		s.Changed()
	}
	return got, err
}

// WithGate runs the gate.
func (s Store) WithGate(prove func(ask.Gate) error) error { return prove(s.Gate()) }

// WithSaver hands over what saves the lists of an agent's output.
func (s Store) WithSaver(read func(*ask.Saver) error) error {
	return read(&ask.Saver{Store: s.List.Store, Project: s.List.Project.Label(), Writer: s.List.Writer(false)})
}
