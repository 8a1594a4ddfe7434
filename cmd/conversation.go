package cmd

import (
	"os"
	"strings"

	"onward/internal/cli"
	"onward/internal/process"
	"onward/internal/session"
)

// conversation is the agent's conversation that runs a command on its own behalf,
// as ONWARD_CONVERSATION names it. The zero value means no conversation.
type conversation struct {
	agent, id string
	owns      bool // it becomes the owner of the list that it changes
}

// theConversation reads ONWARD_CONVERSATION: AGENT/ID, or AGENT/ID/start where
// the id is the one that the agent's process started with. Another conversation
// may have followed in that process since, so such an id owns nothing.
func theConversation() (c conversation, err error) {
	text := os.Getenv("ONWARD_CONVERSATION")
	if text == "" {
		return c, nil
	}
	agent, id, _ := strings.Cut(text, "/")
	id, since, restricted := strings.Cut(id, "/")
	if agent == "" || id == "" || restricted && since != "start" {
		return c, cli.Usagef("ONWARD_CONVERSATION must be AGENT/ID or AGENT/ID/start, not %q", text)
	}
	return conversation{agent: agent, id: id, owns: !restricted}, nil
}

// seat chooses the conversation's own list where another live conversation owns the project's.
// One that ran in the same process before is not another: it has ended.
func (c conversation) seat(t *target) error {
	gone := t.store.Gone
	t.store.Gone = func(p *session.Process) bool {
		return gone(p) || p != nil && p.Is(process.Agent(c.agent, p))
	}
	main := session.Name{Session: t.name.Session}
	doc, err := t.store.Load(main)
	if err != nil {
		return nil // what is wrong with the list is for the command to report
	}
	set, err := settings(nil, doc)
	if err != nil {
		return err
	}
	seat, _, err := t.store.Seat(main, doc, c.id, set.StaleAfter, t.now)
	if seat != main {
		t.name.Session, t.named = seat.Session, true
	}
	return err
}

// own makes the conversation the owner of a list that it changed, unless another live one is.
func (c conversation) own(doc *session.Document, t target) error {
	set, err := settings(nil, doc)
	if err != nil || doc.Owner.Excludes(c.id, set.StaleAfter, t.now) {
		return err
	}
	doc.Own(c.agent, c.id, t.now)
	doc.Owner.Process = process.Agent(c.agent, doc.Owner.Process)
	return nil
}
