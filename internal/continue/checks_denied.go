package continuation

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// The limits of turns in which most calls were denied.
const (
	deniedTurns = 2 // in a row
	deniedCalls = 3 // in these turns together
	maxDenied   = 8 // tools that are named
)

// mostDenied reports whether at least four of five calls of a turn were denied.
func mostDenied(denied, calls int) bool { return denied > 0 && 5*denied >= 4*calls }

// addDenied returns what was denied in the last turns in a row, after one more. A turn without a call shows nothing about it.
func addDenied(before *session.DeniedCalls, e *Event, now todo.Time) *session.DeniedCalls {
	switch {
	case e.ToolCalls == 0:
		return before
	case !mostDenied(e.DeniedToolCalls, e.ToolCalls):
		return nil
	}
	d := session.DeniedCalls{At: now}
	if before != nil {
		d = *before
	}
	d.Turns, d.Calls, d.Tools = d.Turns+1, d.Calls+e.DeniedToolCalls, slices.Clone(d.Tools)
	for _, tool := range e.DeniedTools {
		if len(d.Tools) < maxDenied && !slices.Contains(d.Tools, tool) {
			d.Tools = append(d.Tools, tool)
		}
	}
	return &d
}

// permissions needs the user once an agent was not allowed to do its work for two turns in a row. A message of the user may say
// what to do instead. What is finished all the same is done, but an agent that has done nothing at all has finished nothing.
func permissions(q *question) *Decision {
	d, proof, n := q.led.Denied, q.facts.Gate, q.facts.QueuedMessages
	if d == nil || d.Turns < deniedTurns || d.Calls < deniedCalls || n != nil && *n > 0 || len(q.waiting(true)) > 0 {
		return nil
	}
	if q.counts.Open == 0 && !q.facts.Idle && (q.gated && (proof == nil || proof.Passed()) || !q.gated && q.closed.Total > 0 && q.led.Dropped == nil) {
		return nil
	}
	return because(NeedsHuman, ReasonPermissions, "the agent lacks permissions: in its last %s, %s", todo.Plural(d.Turns, "turn"), DeniedCallsText(d)).
		withHint("allow what the agent needs in its own settings, then %s", q.continueCommand())
}

// DeniedCallsText says how many calls were denied, and of what tools.
func DeniedCallsText(d *session.DeniedCalls) string {
	return todo.Plural(d.Calls, "tool call") + plural(d.Calls, " was", " were") + " denied" + DeniedText(d.Tools)
}

// DeniedText names tools that were denied, in parentheses after a text; nothing where none is known.
func DeniedText(tools []string) string {
	if len(tools) == 0 {
		return ""
	}
	names := make([]string, len(tools))
	for i, tool := range tools {
		names[i] = FoldLine(cmp.Or(tool, "?"))
	}
	return " (" + strings.Join(names, ", ") + ")"
}
