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
	Anonymous bool // its agent has no ids, so that it may change any list
	Begins    bool // it comes to the list with this report

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

// WorkerNamed returns the worker that changes a list by a command: the one with a name, else the conversation that runs the command. A
// person at a terminal may take over any item, but not a worker that runs in a terminal.
func (c Conversation) WorkerNamed(name string, take bool, person func() bool) (todo.Worker, error) {
	w := c.Worker()
	if name != "" {
		if err := todo.CheckWorker(name); err != nil {
			return w, err
		}
		w = todo.Worker{Name: name, Claims: true}
	}
	w.Take = take || name == "" && person()
	return w, nil
}

// Ended reports whether a recorded process, of another conversation, is the one that runs this one,
// so that the other has ended.
func (c Conversation) Ended(recorded *Process) bool {
	return recorded != nil && recorded.Is(c.Process(recorded))
}

// Is reports whether a conversation is the present owner of a list.
func (c Conversation) Is(o *Owner) bool { return o != nil && o.Session == c.ID && o.EndedAt == 0 }

// MayChange reports whether a conversation may change a list.
func (c Conversation) MayChange(doc *Document, staleAfter time.Duration, now todo.Time) bool {
	if c.ID == "" {
		return c.Anonymous
	}
	return !doc.Owner.Excludes(c.ID, staleAfter, now)
}

// BecomesOwner reports whether a conversation that reports an event becomes the owner of the list. If there is no list yet, it does so only
// if the event makes one: otherwise it would keep the other conversations of the project from starting a list.
func (c Conversation) BecomesOwner(doc *Document, makes bool) bool {
	return c.Owns && (makes || doc.HasList())
}

// ProcessFor returns the process that runs a conversation, for the owner of a list. It is looked for when the conversation comes to the
// list or begins again, and when another one runs it than is recorded; a process that was not found then stays unknown.
func (c Conversation) ProcessFor(o *Owner) *Process {
	var recorded *Process
	if c.Is(o) {
		recorded = o.Process
	}
	if c.Process == nil || c.Is(o) && recorded == nil && !c.Begins {
		return recorded
	}
	return c.Process(recorded)
}

// WasNotedRecently reports whether a conversation need not be noted as the owner of a list: it is, in the process that is recorded, and was
// noted a short time ago.
// A commit for each report of activity would be too many; one in each quarter of the lifetime keeps the owner live.
func (c Conversation) WasNotedRecently(o *Owner, staleAfter time.Duration, now todo.Time) bool {
	return c.ID == "" || c.Is(o) && o.SeenAt.Since(now) < staleAfter/4 && o.Process.Is(c.ProcessFor(o))
}

// TurnProcess returns the process with which a turn of a conversation ends; nil is unknown.
func (c Conversation) TurnProcess(o *Owner) *Process {
	switch {
	case c.Is(o):
		return o.Process
	case c.Process != nil:
		return c.Process(nil)
	}
	return nil
}

// OwnsSince returns from when on the items of a list are the conversation's own; those that another one left are not, so it is now where
// it does not own the list. One without an id has them all.
func (c Conversation) OwnsSince(o *Owner, now todo.Time) todo.Time {
	switch {
	case c.ID == "":
		return 0
	case o != nil && o.Session == c.ID:
		return o.Since
	}
	return now + 1
}

// ClaimOwnership makes a conversation the owner of a list that it changed, unless another live one is.
func (d *Document) ClaimOwnership(c Conversation, staleAfter time.Duration, now todo.Time) {
	if c.Owns && !d.Owner.Excludes(c.ID, staleAfter, now) {
		d.SetOwner(c, now)
	}
}
