package session

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"onward/internal/store"
	"onward/internal/todo"
)

// authorized returns a change that is refused as a whole where the one who makes it may not make a part of it. It compares the
// document before and after, so that no command can be forgotten.
func (s *Store) authorized(name Name, change func(*Document) (Change, error)) func(*Document) (Change, error) {
	if s.Agent == nil {
		return change
	}
	return func(doc *Document) (Change, error) {
		who, before := *s.Agent, guardedPart(doc)
		did, err := change(doc)
		switch {
		case err != nil:
		case did.What != "":
			if err = s.CheckRun(who, name); err == nil {
				err = before.check(who, doc)
			}
		case did.Next != nil:
			err = before.check(who, did.Next)
		}
		return did, err
	}
}

// CheckRun refuses a change of a list on which another run is at work than the one that started the agent: it would decide how that run
// ends.
func (s *Store) CheckRun(who todo.Authority, name Name) error {
	if who.Run == nil {
		return nil
	}
	if _, shared := s.Backend.(store.Remote); shared && who.Run() == "" { // there the record costs a request, which is saved where no run started the command
		return nil
	}
	r, err := s.ReadRun(Name{Session: name.Session})
	switch {
	case errors.Is(err, store.ErrCorrupt), errors.Is(err, store.ErrForeign), errors.Is(err, fs.ErrPermission):
		return nil // the run reports what is wrong with its record
	case err != nil || !s.HasAgentAtWork(r):
		return err
	}
	if own := who.Run(); own == "" || own == r.Mark {
		return nil
	}
	return &todo.Forbidden{
		What: "another run is at work on session " + name.Session + ": the agent of this one may not change its list",
		Next: "`onward message push 'TEXT'` tells its agent something", Held: true,
	}
}

// guarded is what an agent may not change freely in a document, as it was before a change.
type guarded struct {
	items      []todo.Item
	settings   map[string]string
	gate       *ChosenGate
	owner      *Owner
	ledger     Ledger // its pointers, like the owner's, are replaced, and what they point to is not changed
	continuing bool   // the turn was begun by a continuation, not by the user's prompt
}

func guardedPart(doc *Document) guarded {
	return guarded{slices.Clone(doc.Current()), maps.Clone(doc.Settings), doc.ChosenGate, doc.Owner, doc.Continuation, doc.Continuation.TotalPrompt > 0}
}

// check returns the first change that an agent may not make: a *todo.Forbidden, or nil.
func (g *guarded) check(who todo.Authority, doc *Document) error {
	who.Alone = who.Alone || g.continuing
	if err := who.Check(g.items, doc.Current()); err != nil {
		return err
	}
	if !maps.Equal(g.settings, doc.Settings) || g.gate != doc.ChosenGate {
		return RefuseSetting()
	}
	is, was := &doc.Continuation, &g.ledger
	if was.Stopped() && !is.Stopped() || was.Paused.ByUser() && !is.Paused.ByUser() || is.hasLowerCounter(was, ByUser|ByArchive) {
		return RefuseResume(was, g.items)
	}
	if who.Alone && is.Stopped() && !was.Stopped() {
		return &todo.Forbidden{What: "only the user stops the work: an agent may not", Next: "`onward pause 'what you need'` ends it until the user answers", User: "stop"}
	}
	turnEnded := is.Turns != was.Turns || is.Error != nil && is.Error != was.Error
	waits := len(is.Background) > len(was.Background) || is.RecoveringAt > was.RecoveringAt || is.CompactingAt > was.CompactingAt
	if (turnEnded || waits) && who.Run != nil && who.Run() != "" {
		return &todo.Forbidden{What: "a run reads from the agent's output how its turns end, and what it waits for: an agent may not report that", Next: "`onward pause 'what you need'` ends the work until the user answers"}
	}
	if by := g.owner; by != nil && doc.Owner == nil && by.EndedAt == 0 && by.Session != who.Conversation {
		return &todo.Forbidden{What: "the list belongs to another conversation, " + by.Agent + " " + by.Session + ": an agent may not end that", Next: "`onward session list` shows who works on which list", User: "session take"}
	}
	if is.AbortedAt != 0 && was.AbortedAt == 0 {
		return &todo.Forbidden{What: "only the user interrupts a turn: an agent may not report that", Next: "`onward pause 'what you need'` ends the work until the user answers"}
	}
	return nil
}

// hasLowerCounter reports whether a counter of a kind that each turn raises is lower than it was, though no item has advanced.
func (l *Ledger) hasLowerCounter(was *Ledger, kind ResetBy) bool {
	for _, c := range counters {
		if c.anew&kind != 0 && c.anew&(EveryTurn|ByLoad) == 0 && *c.of(l) < *c.of(was) {
			return true
		}
	}
	return false
}

// RefuseSetting refuses a change of a setting.
func RefuseSetting() *todo.Forbidden {
	return &todo.Forbidden{What: "settings are the user's: an agent may not change them", Next: "`onward get` shows them", User: "set KEY VALUE"}
}

// RefuseResume refuses to end what the user has begun, or to reset the counters, as only a prompt of the user does.
func RefuseResume(l *Ledger, items []todo.Item) *todo.Forbidden {
	f := &todo.Forbidden{What: "only a prompt of the user resets the counters: an agent may not", Next: "`onward pause 'what you need'` asks the user for it", User: "resume"}
	switch {
	case l.Stopped():
		f.What = "the stop is the user's: an agent may not end it"
	case l.Paused.ByUser():
		f.What = "the pause is the user's: an agent may not end it"
	case l.AbortedAt != 0:
		f.What = "the interrupt is the user's: an agent may not end it"
	}
	if todo.Count(items).Open == 0 { // nothing could be paused
		f.Next = "`onward session show` shows how the work stands"
	}
	return f
}

// withoutForeignParts returns a change after which nothing that another user has written acts as this one, to whom the document belongs then.
func withoutForeignParts(change func(*Document) (Change, error)) func(*Document) (Change, error) {
	return func(doc *Document) (Change, error) {
		did, err := change(doc)
		if err == nil && did.What != "" && doc.foreign {
			maps.DeleteFunc(doc.Settings, func(key, _ string) bool { return key != "gate" })
			doc.Continuation.Delivering = nil
		}
		return did, err
	}
}
