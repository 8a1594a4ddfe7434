package codex

import (
	"strings"

	"onward/internal/agents/hook"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// Codex can follow a goal: while it is active, Codex begins turns on its own. `codex exec` ends with the turn that it was
// asked for, though, and interrupts the turn that the goal began by then.

// goalTools are the tools by which the model sets a goal, and looks at it. Their results hold it.
var goalTools = []string{"create_goal", "update_goal", "get_goal"}

// goalOf makes an event of a goal, as a tool or an event has it.
func goalOf(objective, state string) continuation.Event {
	for i := len(state) - 1; i > 0; i-- { // the app server writes usageLimited for usage_limited
		if state[i] >= 'A' && state[i] <= 'Z' {
			state = state[:i] + "_" + state[i:]
		}
	}
	return continuation.Event{Type: continuation.Goal, Text: objective, State: strings.ToLower(state), Source: "codex"}
}

// goalIn returns the goal in the result of a tool.
func goalIn(result hook.Value) (e continuation.Event, ok bool) {
	goal := result.Object().Object("goal")
	if goal == nil {
		goal = hook.Value(result.Text()).Object().Object("goal")
	}
	return goalOf(goal.Text("objective"), goal.Text("status")), goal.Text("objective") != ""
}

// goal reports a goal of the thread. A goal that is paused by a usage limit has the reason why the turn fails.
func goal(s *stream.Session, is stream.Value, at todo.Time) {
	e := goalOf(string(is.Text("objective")), string(is.Word("status")))
	if e.Text == "" {
		return
	}
	s.Emit(stream.Update{Event: e, At: at})
	if t := s.NewestTurn(); t != nil && e.State == "usage_limited" {
		t.Failure.Kind, t.Last = "rate_limit", stream.LastFailure
	}
}
