package cmd

import (
	"os"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/process"
	"onward/internal/session"
)

// theConversation returns the agent's conversation that runs a command on its own behalf,
// as ONWARD_CONVERSATION names it.
func theConversation() (c session.Conversation, err error) {
	text := os.Getenv("ONWARD_CONVERSATION")
	if text == "" {
		return c, nil
	}
	c, ok := session.ParseConversation(text)
	if !ok {
		return c, cli.Usagef("ONWARD_CONVERSATION must be AGENT/ID or AGENT/ID/start, not %q", text)
	}
	c.Process = func(recorded *session.Process) *session.Process {
		return process.Agent(c.Agent, agents.Outlives(c.Agent), recorded)
	}
	return c, nil
}

// chooseList chooses the conversation's own list if another live conversation owns the project's list.
func (t *target) chooseList() error {
	gone := t.store.Gone
	t.store.Gone = func(p *session.Process) bool { return gone(p) || t.conversation.Ended(p) }
	main := session.Name{Session: t.name.Session}
	doc, err := t.store.Load(main)
	if err != nil {
		return nil // the command reports what is wrong with the list
	}
	set, err := t.resolve(readConfigFile(), nil, doc)
	if err != nil {
		return err
	}
	list, _, err := t.store.ListFor(main, doc, t.conversation.ID, set.StaleAfter, t.now)
	if list != main {
		t.name.Session, t.named = list.Session, true
	}
	return err
}
