package stream

import (
	"cmp"
	"fmt"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// Summary is the counts over the whole input, including anything that was left out.
// With its schema it is onward/ingest/v1.
type Summary struct {
	Lines    int       `json:"lines"` // lines that are not blank
	Bytes    int64     `json:"bytes"`
	Skipped  Skipped   `json:"skipped"`
	Streams  []*Counts `json:"streams"`            // the last ones, up to five hundred, in the order in which they began; none means that nothing was recognised
	Earlier  Totals    `json:"earlier,omitzero"`   // of those before
	Warnings []string  `json:"warnings,omitempty"` // the first hundred
	Warned   int       `json:"warned,omitzero"`    // how many there were
	Cut      int       `json:"cut,omitzero"`       // lines of an agent that a logger cut, and whose rest was not found
}

// JSONDocument returns the summary with the members of its JSON.
func (s *Summary) JSONDocument() any {
	return struct {
		Schema string `json:"schema"`
		*Summary
	}{"onward/ingest/v1", s}
}

// Recognised reports whether any line was an agent's.
func (s *Summary) Recognised() bool { return len(s.Streams) > 0 }

// Counts is the counts of one session of one agent.
type Counts struct {
	Kind         Kind      `json:"agent"`
	Format       Format    `json:"format"`
	Sessions     [1]string `json:"sessions"`
	SubAgent     string    `json:"-"`                    // whose file it is, if a sub-agent has one of its own
	Title        string    `json:"-"`                    // the agent, as its makers call it
	Version      string    `json:"version,omitzero"`     // of the agent's program, if the stream has it
	Model        string    `json:"-"`                    // that the agent uses, if the stream names it
	Unread       []Unread  `json:"unread,omitempty"`     // the first twenty kinds of lines, and of what lines hold, that are not known
	SubAgents    []string  `json:"sub_agents,omitempty"` // those with a list of their own, and the one whose file it is
	Lines        int       `json:"lines"`
	Skipped      Skipped   `json:"skipped"`
	ItemsSkipped int       `json:"items_skipped,omitzero"`
	Lists        Lists     `json:"lists"`
	Rejected     []Call    `json:"rejected,omitempty"` // the first thousand of an input, together with those that are unconfirmed
	Unconfirmed  []Call    `json:"unconfirmed,omitempty"`
	Turns        []Turn    `json:"turns"`            // the last ones; thousands are kept
	Earlier      Totals    `json:"earlier,omitzero"` // of the turns before
	TodoTool     TodoTool  `json:"todo_tool"`
	Hint         string    `json:"hint,omitzero"` // how to switch the todo tool on, if no list was seen
}

// Lists counts what became of the calls about a list, sub-agents' included.
type Lists struct {
	Emitted     int `json:"emitted"`     // updates of a list
	Rejected    int `json:"rejected"`    // calls that the agent refused
	Unconfirmed int `json:"unconfirmed"` // calls whose result never came
}

// Skipped counts lines that were left out. A line that is not decoded, because it changes nothing, is not counted even if it
// is not valid JSON.
type Skipped struct {
	NotJSON     int `json:"not_json"`     // no JSON object, cut or invalid UTF-8
	TooLong     int `json:"too_long"`     // over the limit
	UnknownType int `json:"unknown_type"` // JSON of a type or shape that no agent we know writes
}

// Total adds up the reasons.
func (s Skipped) Total() int { return s.NotJSON + s.TooLong + s.UnknownType }

// Call names a tool call.
type Call struct {
	Tool     string `json:"tool"`
	ID       string `json:"id"`
	SubAgent string `json:"sub_agent,omitzero"`
}

// Turn is how one turn went.
type Turn struct {
	Status     continuation.TurnStatus `json:"status"` // none while it is open
	ToolCalls  int                     `json:"tool_calls"`
	Denied     int                     `json:"denied_tool_calls,omitzero"` // of these
	ErrorClass continuation.ErrorClass `json:"error_class,omitzero"`
}

// TodoTool records whether the agent has its todo tool.
type TodoTool string

// Most streams do not report it; a list, a refusal or a list of tools shows it.
const (
	TodoToolUnknown TodoTool = "unknown"
	TodoToolOn      TodoTool = "on"
	TodoToolOff     TodoTool = "off"
)

// TextLines writes the totals for the user, a line each.
func (s *Summary) TextLines() []string {
	var out []string
	total := todo.Plural(s.Lines, "line") + " read"
	if s.Skipped.Total() > 0 {
		total += fmt.Sprintf(", %d skipped (%s)", s.Skipped.Total(), s.Skipped.reasons())
	}
	out = append(out, total)
	if e := s.Earlier; e.Streams > 0 {
		out = append(out, fmt.Sprintf("%s, summed up: %s, %s with %s",
			todo.Plural(e.Streams, "earlier session"), todo.Plural(e.Lists, "list update"), todo.Plural(e.Turns, "turn"), todo.Plural(e.ToolCalls, "tool call")))
	}
	for _, st := range s.Streams {
		out = append(out, st.report())
		if text := st.unreadText(); text != "" {
			out = append(out, text)
		}
		if st.Hint != "" {
			out = append(out, "hint: no todo list in this stream; "+st.Hint)
		}
	}
	if more := s.Warned - len(s.Warnings); more > 0 {
		out = append(out, todo.Plural(more, "more warning"))
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

func (s *Counts) report() string {
	var b strings.Builder
	b.WriteString(string(s.Kind))
	session := s.Sessions[0]
	if session != "" {
		b.WriteString(" " + session)
	}
	if s.SubAgent != "" && s.SubAgent != session {
		b.WriteString("+" + s.SubAgent)
	}
	b.WriteString(": " + todo.Plural(s.Lists.Emitted, "list update"))
	if n := s.Lists.Rejected; n > 0 {
		fmt.Fprintf(&b, ", %d rejected", n)
	}
	if n := s.Lists.Unconfirmed; n > 0 {
		fmt.Fprintf(&b, ", %d unconfirmed", n)
	}
	if s.ItemsSkipped > 0 {
		b.WriteString(", " + todo.Plural(s.ItemsSkipped, "item") + " left out")
	}
	if len(s.Turns) > maxTurnsTold {
		b.WriteString(s.turnTotals())
		return b.String()
	}
	for i, t := range s.Turns {
		fmt.Fprintf(&b, "; turn %d %s with %s", i+1, cmp.Or(t.Status, "open"), todo.Plural(t.ToolCalls, "tool call"))
	}
	return b.String()
}

// maxTurnsTold is how many turns are reported one by one at most.
const maxTurnsTold = 10

func (s *Counts) turnTotals() string {
	calls := s.Earlier.ToolCalls
	ended := make(map[continuation.TurnStatus]int)
	for _, t := range s.Turns {
		calls += t.ToolCalls
		ended[t.Status]++
	}
	var how []string
	for _, status := range []continuation.TurnStatus{continuation.Done, continuation.Failed, continuation.Aborted, continuation.CutOff, ""} {
		if n := ended[status]; n > 0 {
			how = append(how, fmt.Sprintf("%d %s", n, cmp.Or(status, "open")))
		}
	}
	if n := s.Earlier.Turns; n > 0 {
		how = append(how, fmt.Sprintf("%d earlier", n))
	}
	return fmt.Sprintf("; %d turns (%s) with %s", s.turns(), strings.Join(how, ", "), todo.Plural(calls, "tool call"))
}
