package hook

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/session"
	"onward/internal/todo"
)

// Kind is what an agent asks for with an event.
type Kind int

// The kinds of calls.
const (
	Nothing      Kind = iota // an event that means nothing to us
	Report                   // something happened; no answer is expected
	Start                    // a conversation begins, or continues
	Prompt                   // the user spoke
	Stop                     // the agent wants to end its turn
	SubagentStop             // a sub-agent wants to end its turn
)

// Call is one event of an agent in our words.
type Call struct {
	// Process looks for the agent's process, which runs the conversation, and gets the one that is recorded.
	// It returns nil if it finds none.
	Process func(recorded *session.Process) *session.Process

	Kind       Kind
	Event      string         // the agent's own name of it, which some answers repeat
	Agent      string         // who the list belongs to then; empty is the agent of the table
	Session    string         // the agent's own id of the conversation; empty: no owner
	Anonymous  bool           // the caller names neither itself nor a conversation, which only a generic one may do
	SubAgent   string         // the agent's own id of the sub-agent that calls; empty is the main agent
	Member     string         // by which name the agent's team knows that sub-agent; empty if it is not in a team
	Elsewhere  bool           // the process of the sub-agent is not that of the conversation
	Writer     todo.Authority // the agent, by what onward knows of it
	Dir        string         // where the agent works
	Transcript string         // the file with the conversation
	Model      string
	Version    string // of the agent, if it is known
	Text       string // of a prompt
	Key        string // the host's id of the prompt or turn
	At         string // the host's time of the event, as it writes it
	Message    string // the agent's last message

	Events     []continuation.Event                             // what happened
	List       func(saved native.SavedList) ([]todo.Item, bool) // what a todo tool made of the list; false: nothing
	LeftOut    []string                                         // the texts of what that list has besides, and cannot be kept
	Activity   continuation.Type                                // activity; empty means none
	Counts     bool                                             // it is a tool call, and not of a todo tool
	Deletes    bool                                             // the call deleted an item by its name: what the list lacks was deleted
	Works      bool                                             // it may have changed the project
	Facts      continuation.Facts                               // what only the agent knows
	Begins     bool                                             // a turn starts, by a prompt of any author
	Ahead      bool                                             // asked before a countdown: nothing is committed yet
	Unusable   []string                                         // facts whose values are of the wrong kind, and which were left out
	Unread     bool                                             // onward does not know the event
	NoTodoTool bool                                             // the caller reports that its model has no todo tool
	Again      string                                           // how often it was prompted again, if the host reports it

	tool  *toolCall // that ended
	took  int       // milliseconds that it lasted; 0 is not known
	cause *cause    // of a failure
}

// IsCommand reports whether a prompt is one of our own commands, which the user typed into the agent. Typed reports whether a user can
// have typed it: it is asked for those that nobody else may send.
func (c Call) IsCommand(typed func() bool) bool {
	switch word, _, _ := strings.Cut(strings.TrimSpace(c.Text), " "); word {
	case "/todo", "/pause":
		return c.Kind == Prompt
	case "/stop", "/resume":
		return c.Kind == Prompt && typed()
	}
	return false
}

// SetReport makes the call one that only reports an event.
func (c *Call) SetReport(events ...continuation.Event) {
	c.Kind, c.Events = Report, append(c.Events, events...)
}

// SetPrompt makes the call the user's prompt.
func (c *Call) SetPrompt(text, key string) {
	c.Kind, c.Text, c.Activity, c.Begins = Prompt, text, continuation.UserPrompt, true
	c.Events = []continuation.Event{{Type: continuation.UserPrompt, Text: text, PromptKey: native.ShortenID(key)}}
}

// SetAgentPrompt marks a prompt that no user typed: the agent's own message to its model, or to a sub-agent.
func (c *Call) SetAgentPrompt() {
	c.Kind, c.Activity, c.Events = Report, continuation.AssistantMessage, nil
}

// SetToolBegan makes the call the beginning of a tool call.
func (c *Call) SetToolBegan() { c.Kind, c.Activity = Report, continuation.ToolStart }

// SetToolEnded makes the call the end of a tool call.
func (c *Call) SetToolEnded(tool string, input, response Value, failed bool) {
	c.Kind, c.Activity = Report, continuation.ToolEnd
	c.tool = &toolCall{tool, input, response, failed}
}

// SetWrittenList makes the call the end of a call of the todo tool, which wrote a list; nil is one that was refused.
func (c *Call) SetWrittenList(list *native.List) {
	c.Kind, c.Activity, c.tool = Report, continuation.ToolEnd, nil
	c.List = written(list)
}

// SetPause makes the call the model's own pause.
func (c *Call) SetPause(reason string) {
	c.SetReport(continuation.Event{Type: continuation.Pause, Reason: reason})
}

// SetTurnFailed makes the call the end of a turn that failed.
func (c *Call) SetTurnFailed(word string, messages ...string) {
	c.SetReport(continuation.Event{Type: continuation.TurnEnd, Status: continuation.Failed})
	c.SetFailure(word, messages...)
}

// SetFailure tells why the turn failed, by the host's class and the messages about it.
func (c *Call) SetFailure(word string, messages ...string) { c.cause = &cause{word, messages} }

// cause is why a turn failed, in the words of the agent.
type cause struct {
	word     string
	messages []string
}

// explain adds to the events of a failure its class, and when the host can be asked again.
func (c *Call) explain(texts stream.AllFailureTexts) {
	class := errorClass(c.cause.word, cmp.Or(c.cause.messages...), texts)
	for i := range c.Events {
		e := &c.Events[i]
		if e.Type != continuation.Error && e.Status != continuation.Failed {
			continue
		}
		e.ErrorClass = class
		switch class {
		case continuation.ErrorRateLimit, continuation.ErrorServer, continuation.ErrorUnknown:
			e.Reset = texts.Reset(strings.Join(c.cause.messages, "\n"))
		}
	}
}

// limited adds to the events of a failure for a usage limit when exactly that ends.
func (c *Call) limited(until continuation.Reset) {
	for i := range c.Events {
		if e := &c.Events[i]; e.ErrorClass == continuation.ErrorRateLimit && !until.IsZero() {
			e.Reset = until
		}
	}
}

// ReportsFailedTurn reports whether a turn fails with the call.
func (c *Call) ReportsFailedTurn() bool {
	return slices.ContainsFunc(c.Events, func(e continuation.Event) bool { return e.Status == continuation.Failed })
}

// WithCalls returns the events, with the number of tool calls of a turn that fails.
func (c *Call) WithCalls(n int) []continuation.Event {
	events := slices.Clone(c.Events)
	for i := range events {
		if events[i].Status == continuation.Failed {
			events[i].ToolCalls = n
		}
	}
	return events
}
