package night

import (
	continuation "onward/internal/continue"
	"onward/internal/run"
)

// Event is an event of a run: a line of --json.
type Event struct {
	Schema       string `json:"schema"`
	Type         string `json:"type"`
	Session      string `json:"session"`
	At           string `json:"at"`
	Turn         int    `json:"turn"`
	Agent        string `json:"agent,omitzero"`
	Conversation string `json:"conversation,omitzero"`
	Prompt       string `json:"prompt,omitzero"`
	Until        string `json:"until,omitzero"`
	Command      string `json:"command,omitzero"`
	Code         *int   `json:"code,omitempty"`
	Problem      string `json:"problem,omitzero"`
	Outcome      string `json:"outcome,omitzero"`
	Reason       string `json:"reason,omitzero"`
	Message      string `json:"message,omitzero"`
	Hint         string `json:"hint,omitzero"`
	Said         string `json:"said,omitzero"`
	Proof        string `json:"proof,omitzero"`
	Item         string `json:"item,omitzero"`
	ItemStatus   string `json:"item_status,omitzero"`

	Denied int      `json:"denied_tool_calls,omitzero"`
	Calls  int      `json:"tool_calls,omitzero"` // of the turn, if some were denied; in a row, if they were the same
	Tools  []string `json:"denied_tools,omitempty"`
}

// tell reports an event.
func (r *Runner) tell(e Event, text string) {
	e.Schema, e.Session, e.At = "onward/run/v1", r.Name.String(), r.at.String()
	r.Tell.Tell(e, text)
}

// tellLast reports how the run ended, below the last frame of the view.
func (r *Runner) tellLast(e Event, text string) {
	r.Tell.ShowActivity(&r.record, r.at, run.Outcome(e.Outcome).Words(), 0)
	r.Tell.CloseView()
	e.Said = r.record.Said
	if q := r.Item; q != nil {
		e.Item, e.ItemStatus = q.Label, string(q.settled)
	}
	if e.Said != "" && e.Outcome != string(run.Done) {
		r.Tell.Note("the agent said last: " + continuation.QuoteWhole(e.Said))
	}
	r.tell(e, text) // with its hint, which is the last that somebody reads
}
