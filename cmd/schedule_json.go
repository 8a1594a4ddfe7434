package cmd

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

// callsJSON is onward/calls/v1: calls in the order of the requests, with the counts of the whole schedule.
// A change that is not nil is what the command did; doc is nil if there is none.
func callsJSON(name session.Name, doc *schedule.Document, calls []*schedule.Call, did *schedule.Change, store string, now todo.Time) any {
	out, messages := document("onward/calls/v1", name), 0
	if doc != nil {
		messages = len(doc.Messages)
	}
	if did != nil && doc != nil {
		out = append(out, "rev", doc.Rev)
	}
	if did != nil {
		out = append(out, "change", did.What, "complete", did.Complete)
	}
	shown := render.Each(calls, func(_ int, c **schedule.Call) callJSON { return callOf(*c, store, now) })
	return append(out, "calls", shown, "counts", counted(doc.Counts(), schedule.Statuses()), "messages", messages)
}

// counted is how many calls there are, and how many of each status.
func counted(counts map[schedule.Status]int, statuses []schedule.Status) jsontext.Value {
	total := 0
	for _, n := range counts {
		total += n
	}
	w := object.NewWriter(128)
	w.Open('{')
	w.Int("total", total)
	for _, s := range statuses {
		w.Int(string(s), counts[s])
	}
	w.Close('}')
	return w.Bytes()
}

type callJSON struct {
	ID       string             `json:"id"`
	Tool     string             `json:"tool"`
	Args     jsontext.Value     `json:"args"`
	Status   schedule.Status    `json:"status"`
	Batch    string             `json:"batch"`
	After    []string           `json:"after"`
	Priority int                `json:"priority"`
	Barrier  bool               `json:"wait_for_previous"`
	Error    *callError         `json:"error,omitzero"`
	Reason   string             `json:"reason,omitzero"`
	Mode     string             `json:"mode,omitzero"`
	Approval *schedule.Approval `json:"approval,omitzero"`
	Result   *schedule.Result   `json:"result,omitzero"`
	Timings  timings            `json:"timings"`
}

type callError struct {
	Class   string `json:"class"`
	Message string `json:"message"`
}

type timings struct {
	Submitted todo.Time       `json:"submitted_at"`
	Started   todo.Time       `json:"started_at,omitzero"`
	Ended     todo.Time       `json:"ended_at,omitzero"`
	Duration  int64           `json:"duration_ms"`
	Ran       *int64          `json:"ran_ms,omitzero"`
	Moves     []schedule.Move `json:"transitions"`
}

func callOf(c *schedule.Call, store string, now todo.Time) callJSON {
	out := callJSON{
		ID: c.ID, Tool: c.Tool, Args: c.Args, Status: c.Status, Batch: c.Batch, After: c.After, Priority: c.Priority, Barrier: c.Barrier, Reason: c.Reason, Mode: c.Mode, Approval: c.Approval,
		Timings: timings{Submitted: c.At(schedule.Validating), Started: c.At(schedule.Executing), Ended: c.EndedAt(), Duration: c.Duration(now).Milliseconds(), Moves: c.Moves},
	}
	if c.Class != "" {
		out.Error = &callError{c.Class, c.Reason}
	}
	if r := c.Result; r != nil {
		out.Result = new(*r)
		if r.Output != "" {
			out.Result.Output = strings.TrimSuffix(store, "/") + "/" + r.Output
		}
	}
	if ran, started := c.Ran(now); started {
		out.Timings.Ran = new(ran.Milliseconds())
	}
	return out
}

// transitionJSON is onward/transition/v1: one change of one call, as a run proceeds.
func transitionJSON(c *schedule.Call) any {
	out := struct {
		Schema string          `json:"schema"`
		ID     string          `json:"id"`
		Tool   string          `json:"tool"`
		Batch  string          `json:"batch"`
		From   schedule.Status `json:"from"`
		Status schedule.Status `json:"status"`
		Class  string          `json:"class,omitzero"`
		Reason string          `json:"reason,omitzero"`
		At     todo.Time       `json:"at"`
	}{Schema: "onward/transition/v1", ID: c.ID, Tool: c.Tool, Batch: c.Batch, Status: c.Status, Class: c.Class, Reason: c.Reason}
	if n := len(c.Moves); n > 0 {
		out.At = c.Moves[n-1].At
		if n > 1 {
			out.From = c.Moves[n-2].Status
		}
	}
	return out
}

// batchJSON is onward/batch/v1: a batch has come to its end.
func batchJSON(id string, doc *schedule.Document) any {
	final := slices.DeleteFunc(schedule.Statuses(), func(s schedule.Status) bool { return !s.Final() })
	return members{"schema", "onward/batch/v1", "batch", id, "complete", true, "counts", counted(schedule.Count(doc.Of(id)), final)}
}
