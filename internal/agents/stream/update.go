package stream

import (
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// Update is one event of a stream.
type Update struct {
	Event    continuation.Event // todos, turn-start, turn-end or pause
	Kind     Kind               // the agent that reported it
	Session  string             // the agent's own session or thread id; empty if the stream never named one
	SubAgent string             // empty for the main agent, else a name as SubAgentName makes it, the same for all of the sub-agent's updates
	Parent   string             // tool use id of the call that started the sub-agent
	TodoID   string             // what the agent calls the list, or the tool use id of the call that wrote it
	Turn     int                // from 1, counted per session within the input
	At       todo.Time          // the stream's own time, or 0 if it has none
	Inferred []string           // what the stream does not contain and was inferred; see the constants

	Said  string // the end of the model's last message, at a turn's end
	Model string // that the agent has used, at a turn's end; empty if the stream names none
	Why   string // why a turn failed or ended early, at its end, in the words of the agent, its host or its program
	Whole bool   // the event holds all of an item, not only its text and status

	ordinal int // position among the session's updates, so that equal updates have different event ids
}

// What an update can have inferred.
const (
	InferredStatus = "status" // an open item is called pending, because the stream knows open and done only
	InferredText   = "text"   // an item's text is in no line that was read; the text names the item by its id
	InferredItems  = "items"  // there may be earlier items that this stream does not name
	InferredTurn   = "turn"   // the turn's beginning is missing from the stream
)

// Kind is the agentType of a unified event.
type Kind string

// Onward stands in for an agent, for a list that the user or a script wrote.
const Onward Kind = "onward"

// Format names a stream's format, as in --format.
type Format string

// Auto recognises each session by its content.
const Auto Format = "auto"
