// Package calls shows tool calls to the rest of onward: which calls await a person, which run, and how each one
// ended. To understand todo lists, read this package and skip the folders below it.
//
// Those are for tool calls alone: schedule keeps them and is their state machine, policy decides which of them need a person,
// shell reads their commands, tool has the declarations, and execute runs them. Apart from the commands about calls in cmd,
// only package transfer imports one of them, because it copies whole documents from store to store.
package calls

import (
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// Queue is the tool calls and the queued messages of every list. schedule.Store implements it.
type Queue interface {
	// Standing returns which calls await a person, and which are pending.
	Standing(name session.Name) (Standing, error)
	// Delivered removes messages that were sent to the agent.
	RemoveMessages(name session.Name, ids []string, now todo.Time) error
}

// Standing is what the calls and messages of a list mean for whether its agent carries on.
type Standing struct {
	Messages []Message // that await the agent
	Awaiting []string  // the ids of the calls that await a person
	Pending  int       // calls that are scheduled or run
	Running  bool      // a process is at work on them
}

// Message is a text for the agent that was queued while it was busy.
type Message struct {
	ID   string
	By   string // the agent that queued it; empty is the user
	Text string
}

// Record describes one call and how it ended, for a report.
type Record struct {
	At      todo.Time     // when it began to run, or was submitted if it has not
	Took    time.Duration // 0 if it never ran
	Text    string        // the tool and its arguments
	Status  string
	Class   string // of an error
	Problem string // why it did not succeed
	Words   string // how it ended, as the rest of a sentence that begins with "a tool call"
	Code    *int   // the exit code; nil if there is none
	Output  string // of both streams
}
