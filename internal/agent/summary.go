package agent

import (
	"fmt"
	"strings"

	continuation "onward/internal/continue"
)

// Summary is what was counted over the whole input. Nothing that was left out is missing from it.
type Summary struct {
	Lines    int       `json:"lines"` // lines that are not blank
	Bytes    int64     `json:"bytes"`
	Skipped  Skipped   `json:"skipped,omitzero"`
	Streams  []*Stream `json:"streams"`            // in the order in which they began; none means that nothing was recognised
	Warnings []string  `json:"warnings,omitempty"` // the first hundred
	Warned   int       `json:"warned,omitzero"`    // how many there were
}

// Recognised reports whether any line was an agent's.
func (s *Summary) Recognised() bool { return len(s.Streams) > 0 }

// Stream is what was counted over one session of one agent.
type Stream struct {
	Kind         Kind     `json:"agent_type"`
	Session      string   `json:"session"`
	SubAgents    []string `json:"sub_agents,omitempty"` // those with a list of their own
	Lines        int      `json:"lines"`
	Skipped      Skipped  `json:"skipped,omitzero"`
	ItemsSkipped int      `json:"items_skipped,omitzero"`
	Lists        int      `json:"lists"`                 // updates of a list, sub-agents' included
	Rejected     int      `json:"rejected,omitzero"`     // calls that the agent refused
	Unconfirmed  []Call   `json:"unconfirmed,omitempty"` // calls whose result never came
	Turns        []Turn   `json:"turns"`
	TodoTool     TodoTool `json:"todo_tool"`
	Hint         string   `json:"hint,omitzero"` // how to switch the todo tool on, where no list was seen
}

// Skipped counts lines that were left out. A line that needs no decoding is not proven to be JSON, and is not counted.
type Skipped struct {
	NotJSON     int `json:"not_json,omitzero"`     // no JSON object, cut or invalid UTF-8
	TooLong     int `json:"too_long,omitzero"`     // over the limit
	UnknownType int `json:"unknown_type,omitzero"` // JSON of a type or shape that no agent we know writes
}

// Total adds up the reasons.
func (s Skipped) Total() int { return s.NotJSON + s.TooLong + s.UnknownType }

// Call names a tool call.
type Call struct {
	Tool     string `json:"tool"`
	ID       string `json:"id"`
	SubAgent string `json:"sub_agent,omitzero"`
}

// Turn is how one turn went; turn n of a session is at n-1.
type Turn struct {
	Status     continuation.TurnStatus `json:"status"` // none while it is open
	ToolCalls  int                     `json:"tool_calls"`
	ErrorClass continuation.ErrorClass `json:"error_class,omitzero"`
}

// TodoTool says whether the agent has its todo tool.
type TodoTool string

// Most streams do not tell; a list, a refusal or a list of tools does.
const (
	TodoToolUnknown TodoTool = "unknown"
	TodoToolOn      TodoTool = "on"
	TodoToolOff     TodoTool = "off"
)

// Report writes the totals for a person, a line each.
func (s *Summary) Report() []string {
	var out []string
	total := fmt.Sprintf("%d lines read", s.Lines)
	if s.Skipped.Total() > 0 {
		total += fmt.Sprintf(", %d skipped (%s)", s.Skipped.Total(), s.Skipped.reasons())
	}
	out = append(out, total)
	for _, st := range s.Streams {
		out = append(out, st.report())
		if st.Hint != "" {
			out = append(out, "hint: no todo list in this stream; "+st.Hint)
		}
	}
	if more := s.Warned - len(s.Warnings); more > 0 {
		out = append(out, fmt.Sprintf("%d more warnings", more))
	}
	return out
}

func (s Skipped) reasons() string {
	var why []string
	for _, r := range []struct {
		n    int
		what string
	}{{s.NotJSON, "not JSON"}, {s.TooLong, "too long"}, {s.UnknownType, "of unknown type"}} {
		if r.n > 0 {
			why = append(why, fmt.Sprintf("%d %s", r.n, r.what))
		}
	}
	return strings.Join(why, ", ")
}

func (s *Stream) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %d list updates", s.Kind, s.Session, s.Lists)
	if s.Rejected > 0 {
		fmt.Fprintf(&b, ", %d rejected", s.Rejected)
	}
	if n := len(s.Unconfirmed); n > 0 {
		fmt.Fprintf(&b, ", %d unconfirmed", n)
	}
	if s.ItemsSkipped > 0 {
		fmt.Fprintf(&b, ", %d items left out", s.ItemsSkipped)
	}
	for i, t := range s.Turns {
		status := string(t.Status)
		if status == "" {
			status = "open"
		}
		fmt.Fprintf(&b, "; turn %d %s with %d tool calls", i+1, status, t.ToolCalls)
	}
	return b.String()
}
