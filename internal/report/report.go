// Package report is the report on sessions, from prompts to results: one data structure, built from what the
// store has about a session, and shown as a page, as markdown or as JSON.
package report

import (
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// Schema is the kind and version of a report as JSON.
const Schema = "onward/report/v1"

// Report is about one session or several.
type Report struct {
	Schema   string    `json:"schema"`
	At       todo.Time `json:"at"` // when it was made
	Sessions []Session `json:"sessions"`
}

// Session is one list and what happened to it.
type Session struct {
	Session   string                 `json:"session"`
	Agent     string                 `json:"agent"`
	Project   string                 `json:"project,omitzero"`
	Owner     *Owner                 `json:"owner,omitzero"`
	State     continuation.State     `json:"state"`     // the state in one word
	Attention continuation.Attention `json:"attention"` // what it needs from its user now
	Reason    string                 `json:"reason"`    // the code of the decision that check-continue would make
	Message   string                 `json:"message"`   // the same in words
	From      todo.Time              `json:"from,omitzero"`
	To        todo.Time              `json:"to,omitzero"`
	Partial   bool                   `json:"partial"` // the history begins later than the list
	Counts    todo.Counts            `json:"counts"`
	Deleted   int                    `json:"deleted,omitzero"` // open items that the agent deleted by name
	Totals    Totals                 `json:"totals"`
	Run       *Run                   `json:"run,omitzero"` // the last one of `onward run`
	Workers   []Worker               `json:"workers,omitzero"`
	Items     []Item                 `json:"items"`
	Open      []Point                `json:"open"`
	Events    []Event                `json:"events"`
	gate      *Event                 // its last run by a run that has not ended; nil if there was none
}

// Run is the last run of a session.
type Run struct {
	Agent   string   `json:"agent"`
	Model   string   `json:"model,omitzero"`   // that the agent or its user named
	Task    string   `json:"task,omitzero"`    // if the history has it
	Outcome string   `json:"outcome,omitzero"` // in one word; absent as long as it is at work, and where it was cut off
	Code    *int     `json:"exit_code,omitzero"`
	Message string   `json:"message,omitzero"`
	Proof   string   `json:"proof,omitzero"` // what is known about the work, in one word
	Said    string   `json:"said,omitzero"`  // the end of the agent's last message
	Turns   int      `json:"turns"`
	Files   *Changes `json:"files,omitzero"`
	Relay   []Relay  `json:"relay,omitzero"` // the agents that went on for each other
	spent   string   // turns, time and cost in the words of every other view
	first   string   // what the gate did first; empty if it has no result
	next    string   // the step that its user takes before it can go on; empty if there is none
	reply   string   // the command that answers it; empty if it asks nothing
}

// Relay is what an agent has spent in a run in which agents go on for each other.
type Relay struct {
	Agent      string `json:"agent"`
	Turns      int    `json:"turns"`
	Tokens     int    `json:"tokens,omitzero"`
	CostMicros int    `json:"cost_micros,omitzero"`
	text       string
}

// Changes are the files that a run has changed.
type Changes struct {
	Count   int      `json:"count"`
	Added   int      `json:"added"` // lines
	Removed int      `json:"removed"`
	Names   []string `json:"names"` // of the first of them
	Unknown string   `json:"unknown,omitzero"`
}

// Owner is the agent that a list belongs to.
type Owner struct {
	Agent   string `json:"agent"`
	Session string `json:"session"`
}

// Totals count what the history has.
type Totals struct {
	Prompts       int   `json:"prompts"`
	Turns         int   `json:"turns"`
	Continuations int   `json:"continuations"`
	Pauses        int   `json:"pauses"`
	Errors        int   `json:"errors"`
	GateRuns      int   `json:"gate_runs"`
	ToolCalls     int   `json:"tool_calls"`
	TokensIn      int   `json:"tokens_in"`
	TokensOut     int   `json:"tokens_out"`
	CostMicros    int   `json:"cost_micros"`
	UsageTurns    int   `json:"usage_turns"` // turns whose tokens or cost were reported; those of the others are not known
	Duration      int64 `json:"duration_ms"`
	TokensCached  int   `json:"tokens_cached,omitzero"` // of those that went in
}

// Item is one thing that was to be done.
type Item struct {
	Position  string      `json:"position,omitzero"` // in the list; empty if it is not on the list any more
	ID        string      `json:"id"`
	Content   string      `json:"content"`
	Status    todo.Status `json:"status"`
	By        string      `json:"by,omitzero"`
	Reason    string      `json:"reason,omitzero"`
	Subtasks  []Subtask   `json:"subtasks,omitzero"`
	CreatedAt todo.Time   `json:"created_at"`
	StartedAt todo.Time   `json:"started_at,omitzero"` // when it was first in progress
	EndedAt   todo.Time   `json:"ended_at,omitzero"`   // when it was closed or removed
	Spent     *int64      `json:"spent_ms,omitzero"`   // how long it was in progress; nil if it never was
	Spans     []Span      `json:"in_progress,omitzero"`

	place int  // in the list, from 1; 0 if it is not on the list any more
	gone  bool // it was on the list before, and is not any more
}

// Subtask is a part of an item.
type Subtask struct {
	Content string      `json:"content"`
	Status  todo.Status `json:"status"`
	Reason  string      `json:"reason,omitzero"` // why it is blocked
}

// Span is a period in which an item was in progress.
type Span struct {
	From todo.Time `json:"from"`
	To   todo.Time `json:"to"`
}

// Point is the number of items of a list from a time on.
type Point struct {
	At    todo.Time `json:"at"`
	Open  int       `json:"open"`
	Total int       `json:"total"`
}

// Event is something that happened.
type Event struct {
	At      todo.Time `json:"at"`
	Type    string    `json:"type"` // as in the history, or EventListChanged or EventToolCalled
	By      string    `json:"by,omitzero"`
	Item    string    `json:"item,omitzero"` // the id of the item whose gate ran
	Text    string    `json:"text,omitzero"`
	Status  string    `json:"status,omitzero"`
	Class   string    `json:"error_class,omitzero"`
	Tier    string    `json:"tier,omitzero"`
	Code    *int      `json:"code,omitzero"`
	Problem string    `json:"problem,omitzero"`
	Output  string    `json:"output,omitzero"`
	Took    int64     `json:"took_ms,omitzero"`
	Proof   string    `json:"proof,omitzero"`         // what the gate of an item shows that passed
	Since   []string  `json:"changed_since,omitzero"` // files that had changed since the gate's result before
	Calls   int       `json:"tool_calls,omitzero"`
	Called  []string  `json:"called,omitzero"` // the first of the tool calls, in a few words
	Denied  []string  `json:"denied,omitzero"` // tools that the agent's host denied
	Input   int       `json:"tokens_in,omitzero"`
	Written int       `json:"tokens_out,omitzero"`
	Cost    int       `json:"cost_micros,omitzero"`
	Worker  string    `json:"worker,omitzero"`
	Turns   int       `json:"turns,omitzero"`
	Tokens  int       `json:"tokens,omitzero"`
	Commit  string    `json:"commit,omitzero"`
	From    string    `json:"from,omitzero"` // the agent that was at work before

	did, item string // what was done with the list, and with which item; or how a tool call ended
	waited    int64  // of a continuation: how long onward had waited since the failure before it, in milliseconds
}

// The types of events that are not entries of a history.
const (
	EventListChanged = "list" // a change of the list
	EventToolCalled  = "tool" // one of onward's own tool calls
)

// failed reports whether an event is a failure.
func (e *Event) failed() bool {
	switch e.Type {
	case "error":
		return true
	case "turn-end":
		return e.Status != "" && e.Status != "done"
	case session.Ran:
		return e.Class != string(todo.Completed)
	case session.Gated, EventToolCalled:
		return e.Problem != "" || e.Code != nil && *e.Code != 0
	}
	return false
}
