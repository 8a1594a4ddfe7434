// Package schedule is the state machine of tool calls: requests, runnable calls, results;
// and the messages that a user typed in the meantime. It starts nothing: package execute does.
package schedule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/todo"
)

// Status is the state of a call.
type Status string

// The statuses. The last three are final.
const (
	Validating Status = "validating"
	Awaiting   Status = "awaiting_approval"
	Scheduled  Status = "scheduled"
	Executing  Status = "executing"
	Success    Status = "success"
	Errored    Status = "error"
	Cancelled  Status = "cancelled"
)

// Statuses lists them in the order of a call's life.
func Statuses() []Status {
	return []Status{Validating, Awaiting, Scheduled, Executing, Success, Errored, Cancelled}
}

// OpenStatuses lists those of calls that have not ended.
func OpenStatuses() []Status { return slices.DeleteFunc(Statuses(), Status.Final) }

// ParseStatuses reads the statuses of calls that a user wants to see: all of them if none is named.
func ParseStatuses(words []string) ([]Status, error) {
	if len(words) == 0 {
		return Statuses(), nil
	}
	var known []string
	for _, s := range Statuses() {
		known = append(known, string(s))
	}
	var out []Status
	for _, word := range words {
		if !slices.Contains(known, word) {
			return nil, &todo.UnknownWordError{Text: fmt.Sprintf("--status: %q is not the status of a call (one of %s)", word, strings.Join(known, ", ")), Word: word, Known: known}
		}
		out = append(out, Status(word))
	}
	return out, nil
}

// Final reports whether the status never changes again.
func (s Status) Final() bool { return s == Success || s == Errored || s == Cancelled }

// next is the transition table. Approval comes before scheduling and never after it, so that no scheduled call can run
// without its approval.
func (s Status) next() []Status {
	switch s {
	case "":
		return []Status{Validating}
	case Validating:
		return []Status{Scheduled, Awaiting, Errored, Cancelled}
	case Awaiting:
		return []Status{Scheduled, Awaiting, Errored, Cancelled}
	case Scheduled:
		return []Status{Executing, Cancelled}
	case Executing:
		return []Status{Success, Errored, Cancelled}
	}
	return nil
}

// The classes of errors.
const (
	ClassUnknownTool = "tool_not_registered"
	ClassArguments   = "invalid_tool_params"
	ClassPolicy      = "policy_violation"
	ClassFailed      = "failed"       // the tool reported it
	ClassStart       = "not_started"  // its program could not be started
	ClassTimeout     = "timeout"      // it took too long
	ClassInterrupted = "interrupted"  // the process that ran it died
	ClassChanged     = "tool_changed" // its declaration has changed since the call was accepted
)

// Call is one tool call.
type Call struct {
	ID          string
	Tool        string
	Args        jsontext.Value // an object
	Batch       string
	After       []string // calls that must succeed first
	Priority    int      // calls with a higher one start first
	Barrier     bool     // it waits for every call before it in its batch
	Status      Status
	Class       string // of an error
	Reason      string // of an error, a cancellation or a question
	Mode        string // the approval mode that it was judged in
	Approval    *Approval
	Cwd         string // where it was asked for
	Tools       string // the hash of the tool's declaration when it was accepted
	Owner       *Process
	StopAt      todo.Time // its end was requested while it ran
	StopFor     string    // why
	Result      *Result
	Transitions []Transition
	Reported    bool // a run has already reported its end
	Unknown     jsontext.Value
}

// Transition is one change of status. The tags here and below are the members of onward/calls/v1; Fields
// has those of the file.
type Transition struct {
	Status Status    `json:"status"`
	At     todo.Time `json:"at"`
}

// Approval is the way in which a call was allowed.
type Approval struct {
	Outcome string         `json:"outcome"` // proceed_once, proceed_always, proceed_always_and_save, policy, modify, cancel
	At      todo.Time      `json:"at"`
	Unknown jsontext.Value `json:"-"`
}

// The outcomes of a confirmation.
const (
	outcomeOnce     = "proceed_once"
	outcomeAlways   = "proceed_always"
	outcomeSaved    = "proceed_always_and_save"
	outcomePolicy   = "policy"
	outcomeModified = "modify"
	outcomeRefused  = "cancel"
)

// Process identifies a process, also after the machine was restarted.
type Process struct {
	PID     int
	Start   string // when it started, in the system's own units
	Boot    string // of the machine
	Unknown jsontext.Value
}

// Result is the result of running a call.
type Result struct {
	ExitCode  int            `json:"exit_code"` // -1 if it was ended by a signal
	Stdout    string         `json:"stdout"`
	Stderr    string         `json:"stderr"`
	Truncated bool           `json:"truncated"`            // the middle was left out
	Output    string         `json:"output_file,omitzero"` // the file with the whole output, below the store
	Kept      string         `json:"-"`                    // the file with Stdout and Stderr, if they are too long for the document
	Unknown   jsontext.Value `json:"-"`
}

// move is the only function that changes a status.
func (c *Call) move(to Status, now todo.Time) error {
	if !slices.Contains(c.Status.next(), to) {
		return fmt.Errorf("%w: call %s is %s and cannot become %s", ErrState, c.ID, c.Status, to)
	}
	c.Status = to
	c.Transitions = append(c.Transitions, Transition{to, now})
	return nil
}

// ReachedAt returns the time when a call first reached a status; 0 is never.
func (c *Call) ReachedAt(s Status) todo.Time {
	for _, m := range c.Transitions {
		if m.Status == s {
			return m.At
		}
	}
	return 0
}

// EndedAt returns the time when a call ended; 0 if it has not.
func (c *Call) EndedAt() todo.Time {
	if !c.Status.Final() || len(c.Transitions) == 0 {
		return 0
	}
	return c.Transitions[len(c.Transitions)-1].At
}

// Duration is the time from validation to the end, or until now.
func (c *Call) Duration(now todo.Time) time.Duration {
	if len(c.Transitions) == 0 {
		return 0
	}
	return c.Transitions[0].At.Since(cmp.Or(c.EndedAt(), now))
}

// RunTime is the part of the duration in which the call ran; false if it never started.
func (c *Call) RunTime(now todo.Time) (time.Duration, bool) {
	started := c.ReachedAt(Executing)
	return started.Since(cmp.Or(c.EndedAt(), now)), started != 0
}
