package cmd

import (
	"context"
	"fmt"
	"time"

	"onward/internal/overview"
	"onward/internal/wait"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/night"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// runStore is the store of a run.
type runStore struct{ *runner }

// settings returns the settings that are in force.
func (r *runner) settings(doc *session.Document) (continuation.Settings, error) {
	return r.t.Settings(find.ReadConfig(), r.values(), doc)
}

func (s runStore) Load() (*session.Document, error) { return s.t.Store.Load(s.t.Name) }

func (s runStore) Update(_ night.Cause, now todo.Time, change func(*session.Document) (session.Change, error)) error {
	t := s.t
	t.Now = now
	_, err := t.Update("", change)
	return err
}

func (s runStore) Settings(doc *session.Document) (continuation.Settings, error) {
	return s.settings(doc)
}

// Chosen returns what a person last chose as the gate of the session and of its project.
func (s runStore) Chosen(doc *session.Document) (chosen []*session.Chosen, err error) {
	docs := []*session.Document{doc, nil}
	if docs[1], err = s.t.Parent(); err != nil {
		return nil, err
	}
	for _, doc := range docs {
		if doc != nil {
			chosen = append(chosen, doc.ChosenGate)
		}
	}
	project, err := s.t.ProjectOf(docs...)
	if err != nil {
		return nil, err
	}
	of, err := s.t.Store.ProjectSettings(project)
	if of != nil {
		chosen = append(chosen, of.ChosenGate)
	}
	return chosen, err
}

// row returns the session as an overview shows it; nil if there is none.
func (r *runner) row() (*live.Row, *session.Document) {
	return overview.Read(r.t, session.Saved{Name: r.t.Name, Current: true}, find.ReadConfig())
}

func (s runStore) Standing() (standing continuation.Standing, doc *session.Document) {
	row, doc := s.row()
	if row != nil {
		standing = row.Standing
	}
	return standing, doc
}

// Messages returns the user's messages in the queue.
func (s runStore) Messages() (out []session.Message, err error) {
	facts, _, err := ask.WithCalls(s.t.Calls(), s.t.Name, continuation.Facts{})
	if err != nil {
		return nil, fmt.Errorf("read the messages: %w", err)
	}
	for _, m := range facts.Messages {
		if m.By == "" {
			out = append(out, session.Message{ID: m.ID, Text: m.Text})
		}
	}
	return out, nil
}

func (s runStore) Delivered(ids []string, now todo.Time) error {
	return s.t.Calls().Delivered(s.t.Name, ids, now)
}

func (s runStore) ReadRun() (*session.Run, error) { return s.t.Store.ReadRun(s.t.Name) }

func (s runStore) Hold(patience time.Duration) (store.Held, error) {
	key := session.RunKey(s.t.Name)
	if patience == 0 {
		return s.t.Storage.Hold(key, true)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.t.Storage.With(ctx).Hold(key, false)
}

func (s runStore) Remote() bool {
	_, remote := s.t.Storage.Backend.(store.Remote)
	return remote
}

func (s runStore) Lives(p *session.Process) bool { return process.Lives(p) }

func (s runStore) Gone(p *session.Process) bool { return s.t.Store.Gone(p) }

func (s runStore) Asking(do func(ask.Question) (ask.Answer, error)) (ask.Answer, error) {
	waiting := wait.New(s.t.Watch)
	waiting.Signals = s.signals
	defer waiting.Close()
	got, err := do(ask.Question{
		List: find.Asked{List: s.t, Config: find.ReadConfig(), Flags: s.values()}, Name: s.t.Name,
		Waiting: waiting, Notes: askNotes{s.a, waiting}, Gate: s.a.gate(s.t),
	})
	s.a.committed = s.a.committed || got.Changed
	return got, err
}

func (s runStore) Reading(read func(*ask.Saver) error) error {
	return read(&ask.Saver{Store: s.t.Store, Project: s.t.Project.Label()})
}
