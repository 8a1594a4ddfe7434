package agent

import (
	"errors"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// Saver brings what a stream says into the store.
type Saver struct {
	Store      *session.Store           // required
	Name       session.Name             // the session that is meant
	Named      bool                     // it was named outright, so no owner keeps us from it
	Project    string                   // the folder, for a document that is new
	StaleAfter time.Duration            // how long an owner counts as live without a sign
	Now        todo.Time                // required
	targets    map[string]string        // from an agent's own session to the one it is saved in
	seen       map[string]session.Owner // who was saved, to tell at the end that they are gone
}

// Save applies the updates of one line: one commit for each list that changes.
func (s *Saver) Save(updates []Update) error {
	for len(updates) > 0 {
		first := updates[0]
		n := 1
		for n < len(updates) && updates[n].Session == first.Session && updates[n].SubAgent == first.SubAgent {
			n++
		}
		if err := s.save(updates[:n]); err != nil {
			return err
		}
		updates = updates[n:]
	}
	return nil
}

// save applies updates of one agent session, or of one of its sub-agents.
// A sub-agent has a list of its own; it never touches the main one.
func (s *Saver) save(updates []Update) error {
	u := updates[0]
	id, err := s.target(u)
	if err != nil {
		return err
	}
	name := session.Name{Session: id, Agent: s.Name.Agent}
	if u.SubAgent != "" {
		name.Agent = u.SubAgent
	}
	events := make([]continuation.Event, 0, len(updates))
	begin := -1 // the first turn whose beginning was seen
	for i, u := range updates {
		e := u.Event
		if begin < 0 && e.Type == continuation.TurnStart && !slices.Contains(u.Inferred, InferredTurn) {
			begin = i
		}
		e.OpenOnly = slices.Contains(u.Inferred, InferredStatus)
		e.Partial = e.Partial || slices.Contains(u.Inferred, InferredItems)
		events = append(events, e)
	}
	owner := session.Owner{Agent: u.Kind.short(), Session: u.Session, SeenAt: s.Now}
	_, err = s.Store.Update(name, "", s.Now, func(doc *session.Document) (session.Change, error) {
		fresh := doc.Rev == 0
		did, err := continuation.ApplyReported(doc, sentOn(doc, events, begin), s.Now)
		if err != nil {
			return did, err
		}
		if known := owner.Session == "" || doc.Owner != nil && doc.Owner.Session == owner.Session && doc.Owner.EndedAt == 0; known && did.What == "" {
			return did, nil
		}
		if did.What == "" {
			if fresh {
				return did, nil
			}
			did = session.Change{What: "owner " + owner.Agent, By: owner.Agent}
		}
		if fresh {
			doc.Project = s.Project
		}
		doc.Own(owner.Agent, owner.Session, s.Now)
		return did, nil
	})
	if s.seen == nil {
		s.seen = map[string]session.Owner{}
	}
	// A stream without an id leaves the owner as it is.
	if owner.Session != "" {
		s.seen[name.String()] = owner
	}
	return err
}

// sentOn puts a prompt before a turn that begins after the user interrupted the one before:
// nobody else sends an agent on from there, and streams do not tell of prompts.
func sentOn(doc *session.Document, events []continuation.Event, begin int) []continuation.Event {
	if begin < 0 {
		return events
	}
	aborted := doc.Continuation.AbortedAt != 0
	for _, e := range events[:begin] {
		aborted = aborted || e.Type == continuation.TurnEnd && e.Status == continuation.Aborted
	}
	if !aborted {
		return events
	}
	return slices.Insert(slices.Clone(events), begin, continuation.Event{Type: continuation.UserPrompt, Inferred: true, Source: events[begin].Source})
}

// target gives the session in which an agent's own session is saved:
// the one that is meant, unless another live agent holds it.
func (s *Saver) target(u Update) (string, error) {
	if id, ok := s.targets[u.Session]; ok {
		return id, nil
	}
	id := s.Name.Session
	if !s.Named {
		doc, err := s.Store.Load(s.Name)
		if err != nil {
			return "", err
		}
		// A run that this very input brought before is over when the next one begins.
		if doc != nil && doc.Owner != nil && !s.ours(doc.Owner) {
			seat, _, err := s.Store.Seat(session.Name{Session: id}, doc, u.Session, s.StaleAfter, s.Now)
			if err != nil {
				return "", err
			}
			id = seat.Session
		}
	}
	if s.targets == nil {
		s.targets = map[string]string{}
	}
	s.targets[u.Session] = id
	return id, nil
}

func (s *Saver) ours(o *session.Owner) bool {
	_, ok := s.targets[o.Session]
	return ok
}

// Saved gives the list that was saved for an agent's own session,
// so that a stream that only tells changes can be read on top of it.
func (s *Saver) Saved(_ Kind, id string) []todo.Item {
	doc, err := s.Store.Load(s.Name)
	if err != nil || doc == nil || doc.Owner == nil || doc.Owner.Session != id {
		return nil
	}
	return doc.Todos.Current()
}

// End says that the input is over: the agents' processes are gone,
// and keep nobody from their lists any more. Their ids stay, for their resume.
func (s *Saver) End() error {
	var all error
	for id, owner := range s.seen {
		name := session.Name{Session: id}
		if owner.Session == "" || session.CheckName(name) != nil {
			continue // a sub-agent's list, which goes with the main one
		}
		_, err := s.Store.Update(name, "", s.Now, func(doc *session.Document) (session.Change, error) {
			if doc.Owner == nil || doc.Owner.Session != owner.Session {
				return session.Change{}, nil
			}
			doc.Owner.EndedAt = s.Now
			return session.Change{What: "the agent's process ended", By: owner.Agent}, nil
		})
		all = errors.Join(all, err)
	}
	return all
}
