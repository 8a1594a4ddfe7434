package find

import (
	"os"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/process"
	"onward/internal/session"
)

// Conversation returns the agent's conversation that runs a command on its own behalf,
// as ONWARD_CONVERSATION names it.
func Conversation() (c session.Conversation, err error) {
	text := os.Getenv("ONWARD_CONVERSATION")
	if text == "" {
		return c, nil
	}
	c, ok := session.ParseConversation(text)
	if !ok {
		return c, cli.Usagef("ONWARD_CONVERSATION must be AGENT/ID or AGENT/ID/start, not %q", text)
	}
	c.Process = func(recorded *session.Process) *session.Process {
		return process.FindAgent(c.Agent, agents.OutlivesConversations(c.Agent), recorded)
	}
	return c, nil
}

// TakeOwnership makes a conversation the owner of the list, as session.Document does. Only a person may take it from another agent.
func (t List) TakeOwnership(doc *session.Document, by session.Conversation) (session.Change, error) {
	if doc.Rev == 0 {
		return session.Change{}, &session.NoSessionError{Name: t.Name.String()}
	}
	did := doc.TakeOwnership(by, t.Now)
	if did.What == "" {
		return did, nil
	}
	return did, RequirePerson("take a session from another agent", "`onward session show` names its owner")
}

// ListOfCaller finds the list that a command is about: the one that the user named, the one that was chosen for the project or is derived
// from its folder, or the one of the conversation that runs the command.
func (f *Finder) ListOfCaller() (List, error) {
	t, err := f.List("")
	if err == nil {
		t.Conversation, err = Conversation()
	}
	if err == nil && t.Conversation.ID != "" && !t.Named {
		err = t.chooseList()
	}
	return t, err
}

// chooseList chooses the conversation's own list if another live conversation owns the project's list.
func (t *List) chooseList() error {
	gone := t.Store.Gone
	t.Store.Gone = func(p *session.Process) bool { return gone(p) || t.Conversation.Ended(p) }
	main := session.Name{Session: t.Name.Session}
	doc, err := t.Store.Load(main)
	if err != nil {
		return nil // the command reports what is wrong with the list
	}
	set, err := t.Resolve(ReadConfig(), nil, doc)
	if err != nil {
		return err
	}
	list, _, err := t.Store.ListFor(main, doc, t.Conversation.ID, set.StaleAfter, t.Now)
	if list != main {
		t.Name.Session, t.Named = list.Session, true
	}
	return err
}
