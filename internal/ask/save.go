package ask

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// Saver saves the updates of a stream in the store.
type Saver struct {
	Store         *session.Store                  // required
	Name          session.Name                    // the requested session
	Named         bool                            // it was named explicitly, so no owner excludes us
	Project       string                          // the folder, for a document that is new
	StaleAfter    time.Duration                   // how long an owner counts as live without a sign
	Now           todo.Time                       // required; it may advance
	InRun         bool                            // a run has started the agent
	RunBegan      todo.Time                       // when that was
	ByAgent       func() bool                     // whether an agent reads the stream: it may be of its own making; nil for no
	Writer        todo.Authority                  // the agents, by what onward knows of them
	Check         func(*session.Document) error   // refuses to save to a document of Name that is not the one of before; nil for one that is not there; may be nil
	Reader        *session.Process                // that reads the stream; nil if the stream may go on without it
	targets       map[string]string               // from an agent's own session to the one it is saved in
	seen          map[string]session.Conversation // the owners that were saved, to record their end
	writers       map[session.Name]string         // the agent's own session that wrote the list of a document last, within this input
	waiting       []queued                        // in their order
	conversations []conversation                  // the conversations that are saved in the requested session, in the order of their beginning
	parallel      map[string]bool                 // the agent's own sessions that run at the same time as one of them
	begun         map[string]*initialList         // what the agent's own sessions began with
	err           error                           // why nothing more is saved
}

// queued contains the updates of one line for an agent's session, or for one of its sub-agents.
type queued struct {
	report
	name  session.Name
	begin int // the first turn whose beginning was seen, or -1
	begun *initialList
}

// Add queues the updates of one line, which Flush saves. They must outlive the call: see Kept.
func (s *Saver) Add(updates []stream.Update) error {
	for len(updates) > 0 {
		first := updates[0]
		n := 1
		for n < len(updates) && updates[n].Session == first.Session && updates[n].SubAgent == first.SubAgent {
			n++
		}
		if err := s.add(updates[:n]); err != nil {
			return err
		}
		updates = updates[n:]
	}
	return nil
}

// SaveUnread queues what of a stream was not read, for the documents in which the rest of it was saved.
func (s *Saver) SaveUnread(sum *stream.Summary) error {
	for _, c := range sum.Streams {
		if _, saved := s.targets[c.Sessions[0]]; !saved {
			continue
		}
		var updates []stream.Update
		for _, u := range c.Unread {
			updates = append(updates, stream.Update{
				Event: continuation.Event{Type: continuation.Unread, ID: u.Name, Source: agents.NameOf(c.Kind), Version: c.Version},
				Kind:  c.Kind, Session: c.Sessions[0],
			})
		}
		if err := s.Add(updates); err != nil {
			return err
		}
	}
	return s.Flush()
}

// CloneUpdates returns updates that outlive the next line of their reader.
func CloneUpdates(updates []stream.Update) []stream.Update {
	updates = slices.Clone(updates)
	for i := range updates {
		updates[i].Event.Items = slices.Clone(updates[i].Event.Items)
	}
	return updates
}

// add queues updates of one agent session, or of one of its sub-agents.
// A sub-agent has a list of its own; it never touches the main one.
func (s *Saver) add(updates []stream.Update) error {
	u := updates[0]
	id, err := s.target(u)
	if err != nil {
		return err
	}
	if err := s.followConversations(updates); err != nil {
		return err
	}
	r := queued{
		name:   session.Name{Session: id, Agent: cmp.Or(u.SubAgent, s.Name.Agent)},
		report: report{Conversation: session.Conversation{Agent: agents.NameOf(u.Kind), ID: u.Session, Process: s.process}, reader: s.Reader, writer: s.Writer, runBegan: s.RunBegan}, begin: -1,
	}
	r.writer.Alone = s.InRun || r.writer.Alone
	r.known = func(o *session.Owner) bool {
		return r.Is(o) && o.Agent == r.Agent && o.Process.Is(s.process(o.Process))
	}
	if u.SubAgent == "" {
		r.begun = s.begun[u.Session]
	}
	for i, u := range updates {
		e := u.Event
		if e.Type == continuation.TurnStart && u.SubAgent != "" {
			continue // a part of the main agent's turn
		}
		if e.Type == continuation.Todos {
			r.begun.noteChanged(e.Items)
		}
		switch {
		case e.Type == continuation.Todos:
			s.writers[r.name] = u.Session
		case r.begin < 0 && e.Type == continuation.TurnStart && !slices.Contains(u.Inferred, stream.InferredTurn):
			r.begin = i
		}
		if e.Type == continuation.Todos && s.parallel[u.Session] {
			if e.Items = createdItems(e.Items); len(e.Items) == 0 && len(u.Event.Items) > 0 {
				continue
			}
		}
		e.At = u.At
		e.InRun = s.InRun && e.Type == continuation.Pause && u.SubAgent == ""
		e.OpenOnly = slices.Contains(u.Inferred, stream.InferredStatus)
		e.Partial = e.Partial || slices.Contains(u.Inferred, stream.InferredItems)
		r.events = append(r.events, e)
	}
	writer := s.writers[r.name]
	r.Owns = u.Session != "" && (writer == "" || writer == u.Session)
	r.makes = u.SubAgent == "" // how its turns ended counts, and its id is what a resume needs
	s.waiting = append(s.waiting, r)
	return nil
}

// process returns the process with which a conversation ends: the agent's own, if a hook has recorded it and it is there;
// otherwise the reader of its stream.
func (s *Saver) process(recorded *session.Process) *session.Process {
	if s.Reader == nil || recorded != nil && (recorded.Is(s.Reader) || s.Store.Gone == nil || !s.Store.Gone(recorded)) {
		return recorded
	}
	return s.Reader
}

// Flush saves what was added since the last time: one commit for each document that changes,
// in which the reports are applied in their order to the list as it is by then.
func (s *Saver) Flush() error {
	waiting := s.waiting
	s.waiting = nil
	for len(waiting) > 0 && s.err == nil {
		name := waiting[0].name
		var now, later []queued
		for _, r := range waiting {
			if r.name == name {
				now = append(now, r)
			} else {
				later = append(later, r)
			}
		}
		var refused bool
		refused, s.err = s.save(now)
		if refused && len(now) > 1 {
			// One of them cannot be applied; those before it can.
			for i := 0; i < len(now) && (i == 0 || s.err == nil); i++ {
				_, s.err = s.save(now[i : i+1])
			}
		}
		waiting = later
	}
	return s.err
}

// save applies reports to their document, as one commit, and reports whether one of them was refused.
func (s *Saver) save(reports []queued) (refused bool, err error) {
	name := reports[0].name
	commit, err := s.Store.Update(name, "", s.Now, func(doc *session.Document) (session.Change, error) {
		var all session.Change
		if err := s.check(name, doc); err != nil {
			return all, err
		}
		for _, r := range reports {
			fresh := doc.Rev == 0 && all.What == ""
			r.events = r.begun.withSavedItems(doc, s.insertPrompt(doc, r.events, r.begin))
			did, err := r.apply(doc, fresh, s.Now)
			if err != nil {
				refused = true
				return did, err
			}
			if did.What != "" {
				doc.SetProject(s.Project)
			}
			all = all.Then(did)
		}
		return all, nil
	})
	if err == nil {
		err = s.check(name, commit.Doc)
	}
	for _, r := range reports {
		if r.Owns {
			s.seen[r.name.String()] = r.Conversation
		}
	}
	return refused, err
}

func (s *Saver) check(name session.Name, doc *session.Document) error {
	if s.Check == nil || name != s.Name {
		return nil
	}
	if doc.Revision() == 0 {
		doc = nil
	}
	return s.Check(doc)
}

// insertPrompt inserts a prompt of the user before a turn that follows an interrupted one. Streams do not report prompts, but
// after an interrupt only the user can start the next turn. A stream that an agent reads proves nothing.
func (s *Saver) insertPrompt(doc *session.Document, events []continuation.Event, begin int) []continuation.Event {
	if begin < 0 {
		return events
	}
	aborted := doc.Continuation.AbortedAt != 0
	for _, e := range events[:begin] {
		aborted = aborted || e.Type == continuation.TurnEnd && e.Status == continuation.Aborted
	}
	if !aborted || s.ByAgent != nil && s.ByAgent() {
		return events
	}
	return slices.Insert(slices.Clone(events), begin, continuation.Event{Type: continuation.UserPrompt, Inferred: true, Source: events[begin].Source})
}

// target returns the session in which an agent's own session is saved:
// the requested one, unless another live agent owns it.
func (s *Saver) target(u stream.Update) (string, error) {
	if id, ok := s.targets[u.Session]; ok {
		return id, nil
	}
	if s.targets == nil {
		s.targets, s.seen, s.writers = map[string]string{}, map[string]session.Conversation{}, map[session.Name]string{}
		s.parallel = map[string]bool{}
	}
	// The order of arrival decides which session is redirected.
	if err := s.Flush(); err != nil {
		return "", err
	}
	id := s.Name.Session
	if !s.Named {
		doc, err := s.Store.Load(s.Name)
		if err != nil {
			return "", err
		}
		// A run that this very input brought before is over when the next one begins.
		if doc != nil && doc.Owner != nil && !s.isOurs(doc.Owner) {
			list, _, err := s.Store.ListFor(session.Name{Session: id}, doc, u.Session, s.StaleAfter, s.Now)
			if err != nil {
				return "", err
			}
			id = list.Session
		}
	}
	s.targets[u.Session] = id
	return id, nil
}

func (s *Saver) isOurs(o *session.Owner) bool {
	_, ok := s.targets[o.Session]
	return ok
}

// SavedList returns the list that an agent's own session begins with, so that a stream that reports only changes
// can be read on top of it: that of the document it is saved in, or owned before.
// An agent that names its session at the end only continues with the list of its last run.
func (s *Saver) SavedList(kind stream.Kind, id string) stream.Saved {
	named := id
	if s.Flush() != nil {
		return stream.Saved{} // the next Flush reports it
	}
	doc, err := s.Store.Load(s.Name)
	if err != nil || doc == nil {
		return stream.Saved{}
	}
	here := s.targets[id] == s.Name.Session
	o := doc.Owner
	unnamed := id == "" && o != nil && o.Agent == agents.NameOf(kind) && o.EndedAt != 0
	if !here && !unnamed && (o == nil || o.Session != id) {
		return stream.Saved{}
	}
	if unnamed {
		id = o.Session
	}
	saved := savedBefore(doc, session.Conversation{ID: id}, s.Now)
	if s.begun == nil {
		s.begun = map[string]*initialList{}
	}
	s.begun[named] = newInitialList(saved.Items)
	return saved
}

// RecordActivity records that the agent is active in the lists that the input is saved in, and whether a tool call runs.
func (s *Saver) RecordActivity(kind continuation.Type) {
	open := kind.OpenCalls(0)
	for _, id := range s.targets {
		// Losing one costs nothing.
		_ = s.Store.UpdateActivity(session.Name{Session: id, Agent: s.Name.Agent}, func(a *session.Activity) {
			recordAsActivity(a, kind, s.Now)
			a.Open = open
		})
	}
}

// End reports that the input is over: the agents' processes are gone,
// and no longer own their lists exclusively. Their ids are kept so that they can be resumed.
func (s *Saver) End() error {
	var all error
	for id, owner := range s.seen {
		name := session.Name{Session: id}
		if owner.ID == "" || session.CheckName(name) != nil {
			continue // a sub-agent's list, which ends with the main one
		}
		_, err := s.Store.Update(name, "", s.Now, func(doc *session.Document) (session.Change, error) {
			if doc.Owner == nil || doc.Owner.Session != owner.ID {
				return session.Change{}, nil
			}
			doc.Owner.EndedAt, doc.Continuation.Turn = s.Now, nil
			return session.Change{What: "the agent's process ended", By: owner.Agent}, nil
		})
		all = errors.Join(all, err)
	}
	return all
}
