package session

import (
	"strings"
	"time"

	"onward/internal/todo"
)

// Conversation is an agent's conversation. The zero value means none.
type Conversation struct {
	Agent, ID string
	Owns      bool // it becomes the owner of the list that it changes

	// Process finds the process that runs the conversation, if not nil. The recorded one, or nil, is for comparison.
	Process func(recorded *Process) *Process
}

// ParseConversation reads AGENT/ID, or AGENT/ID/start where the id is the one that the agent's process
// started with. Another conversation may have followed in that process since, so such an id owns nothing.
func ParseConversation(text string) (c Conversation, ok bool) {
	agent, rest, _ := strings.Cut(text, "/")
	id, since, restricted := strings.Cut(rest, "/")
	return Conversation{Agent: agent, ID: id, Owns: !restricted}, agent != "" && id != "" && (!restricted || since == "start")
}

// Worker returns the conversation as one that claims items, under the name AGENT/ID.
func (c Conversation) Worker() todo.Worker {
	if c.ID == "" {
		return todo.Worker{}
	}
	return todo.Worker{Name: c.Agent + "/" + c.ID}
}

// Ended reports whether a recorded process, of another conversation, is the one that runs this one,
// so that the other has ended.
func (c Conversation) Ended(recorded *Process) bool {
	return recorded != nil && recorded.Is(c.Process(recorded))
}

// Claim makes a conversation the owner of a list that it changed, unless another live one is.
func (d *Document) Claim(c Conversation, staleAfter time.Duration, now todo.Time) {
	if c.Owns && !d.Owner.Excludes(c.ID, staleAfter, now) {
		d.Own(c, now)
	}
}
