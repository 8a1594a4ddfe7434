package cmd

import (
	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/run"
)

// event is an event of a run: a line of --json.
type event struct {
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
	Item         string `json:"item,omitzero"`
	ItemStatus   string `json:"item_status,omitzero"`

	Denied int      `json:"denied_tool_calls,omitzero"`
	Calls  int      `json:"tool_calls,omitzero"` // of the turn, where some were denied; in a row, where they were the same
	Tools  []string `json:"denied_tools,omitempty"`
}

// tell reports an event: as a line of JSON on standard output, or as a line of text on standard error.
func (r *runner) tell(e event, text string) {
	switch {
	case r.a.JSON:
	case r.a.Quiet && e.Type == "ended": // --quiet leaves out all other lines
		r.a.printError("onward: " + text)
		return
	default:
		r.a.printNote(text)
		r.a.hint(e.Hint)
		return
	}
	e.Schema, e.Session, e.At = "onward/run/v1", r.t.Name.String(), r.t.Now.String()
	r.out.Write(render.Encode(e))
}

// printed waits until the events are read, or until a signal comes.
func (r *runner) printed() {
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-over:
		case <-r.signals:
			r.unread()
		}
	}()
	if r.out.Finish() {
		r.a.printNote("the last events were not taken by who reads them")
	}
}

// last reports how the run ended, below the last frame of the view.
func (r *runner) last(e event, text string) {
	r.shown.does(&r.record, r.t.Now, run.Outcome(e.Outcome).Words(), 0)
	r.shown.end()
	e.Said = r.record.Said
	if q := r.queue; q != nil {
		e.Item, e.ItemStatus = q.label, string(q.settled)
	}
	r.tell(e, text)
	if e.Said != "" && e.Outcome != string(run.Done) {
		r.note("the agent said last: " + continuation.Quoted(e.Said))
	}
}

// note writes a line for the user that is not one of the events.
func (r *runner) note(text string) {
	if !r.a.JSON {
		r.a.printNote(text)
	}
}
