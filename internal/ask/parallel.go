package ask

import (
	"slices"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// An input can have several conversations. One that begins after another takes over its list, since a run is over when the
// next one begins. If the first one still goes on, the two run side by side, and the later one has a list of its own.

// conversation is a conversation whose list is in the requested session.
type conversation struct {
	id   string // the agent's own session
	kind stream.Kind
	open bool        // it has an open turn
	list []todo.Item // that it wrote last
}

// maxConversations is how many conversations are remembered. The earliest of more than that are over.
const maxConversations = 16

// followConversations follows the conversations that are saved in the requested session, and gives another list to those that run at the same time as
// the one of the updates.
func (s *Saver) followConversations(updates []stream.Update) error {
	u := updates[0]
	if s.Named || u.Session == "" || s.targets[u.Session] != s.Name.Session {
		return nil
	}
	at := slices.IndexFunc(s.conversations, func(v conversation) bool { return v.id == u.Session })
	if at < 0 {
		s.conversations = append(s.conversations, conversation{id: u.Session, kind: u.Kind})
		s.conversations = s.conversations[max(0, len(s.conversations)-maxConversations):]
		at = len(s.conversations) - 1
	}
	if later := slices.Clone(s.conversations[at+1:]); len(later) > 0 {
		switch begun := beginsTurn(updates); {
		case begun && !slices.ContainsFunc(later, func(v conversation) bool { return v.open }): // they are over
			s.conversations = append(slices.Delete(s.conversations, at, at+1), s.conversations[at])
			at = len(s.conversations) - 1
		case begun || goesOn(updates):
			s.conversations = s.conversations[:at+1]
			if err := s.splitConversations(s.conversations[at], later); err != nil {
				return err
			}
		}
	}
	v := &s.conversations[at]
	for _, u := range updates {
		switch u.Event.Type {
		case continuation.TurnStart:
			v.open = v.open || u.SubAgent == ""
		case continuation.TurnEnd:
			v.open = false
		case continuation.Todos:
			if u.SubAgent == "" && !u.Event.Partial {
				v.list = u.Event.Items
			}
		}
	}
	return nil
}

// beginsTurn reports whether a turn begins with the updates.
func beginsTurn(updates []stream.Update) bool {
	return slices.ContainsFunc(updates, func(u stream.Update) bool {
		return u.Event.Type == continuation.TurnStart && !slices.Contains(u.Inferred, stream.InferredTurn)
	})
}

// goesOn reports whether updates continue a turn that began before. The end of a turn alone does not show it, since it can
// be that of the input.
func goesOn(updates []stream.Update) bool {
	return slices.ContainsFunc(updates, func(u stream.Update) bool {
		return u.Event.Type == continuation.Todos || u.Event.Type == continuation.TurnStart
	})
}

// splitConversations gives the later conversations lists of their own, and the first one its list as it was.
func (s *Saver) splitConversations(first conversation, later []conversation) error {
	list := first.list
	if list == nil {
		list = savedItems(later[0].list)
	}
	s.writers[s.Name] = first.id
	if err := s.add([]stream.Update{first.asUpdate(list)}); err != nil {
		return err
	}
	if err := s.Flush(); err != nil {
		return err
	}
	for _, v := range later {
		doc, err := s.Store.Load(s.Name)
		if err != nil {
			return err
		}
		own, _, err := s.Store.ListFor(session.Name{Session: s.Name.Session}, doc, v.id, s.StaleAfter, s.Now)
		if err != nil || own.Session == s.Name.Session {
			return err
		}
		s.targets[v.id] = own.Session
		s.parallel[v.id] = true
		var updates []stream.Update
		if v.open {
			updates = append(updates, stream.Update{Event: continuation.Event{Type: continuation.TurnStart}, Kind: v.kind, Session: v.id})
		}
		if len(v.list) > 0 {
			updates = append(updates, v.asUpdate(v.list))
		}
		if len(updates) == 0 {
			continue
		}
		if err := s.add(updates); err != nil {
			return err
		}
	}
	return nil
}

// asUpdate is the update by which a conversation writes a list.
func (v *conversation) asUpdate(list []todo.Item) stream.Update {
	e := continuation.Event{Type: continuation.Todos, Items: list, Source: agents.NameOf(v.kind), Removes: true}
	return stream.Update{Event: e, Kind: v.kind, Session: v.id}
}

// savedItems returns the items of a list that were saved before its conversation began.
func savedItems(list []todo.Item) []todo.Item {
	return slices.DeleteFunc(slices.Clone(list), func(it todo.Item) bool { return it.CreatedAt == 0 })
}

// createdItems returns the items of a list that its conversation has made itself.
func createdItems(list []todo.Item) []todo.Item {
	return slices.DeleteFunc(slices.Clone(list), func(it todo.Item) bool { return it.CreatedAt != 0 })
}
