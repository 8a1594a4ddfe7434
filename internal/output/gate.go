package output

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// gateState describes the result of the gate's last run.
func gateState(p *session.GateResult) string {
	switch {
	case p.Problem != "":
		return "has no result: " + render.Text(p.Problem)
	case p.Failures > 1:
		return fmt.Sprintf("failed with exit code %d, %d times in a row without work", p.Code, p.Failures)
	case p.Failed():
		return fmt.Sprintf("failed with exit code %d", p.Code)
	}
	return "passed"
}

// GateRemark is a line about the gate of a finished list, for a live view; empty if the gate never ran.
func GateRemark(doc *session.Document) string {
	if doc == nil || doc.Continuation.Gate == nil || todo.Count(doc.Todos.Current()).Open > 0 {
		return ""
	}
	p := doc.Continuation.Gate
	return "gate " + gateState(p) + ": " + render.Text(p.Command)
}

// GateRow is the gate's line of a session, with the time of its last run.
func GateRow(p *session.GateResult, now time.Time) string {
	return gateState(p) + ", " + render.Age(p.At, now) + ": " + render.Text(p.Command)
}

// GateFailure describes on several lines how the gate failed, with the end of its output; empty if it passed.
func GateFailure(p *session.GateResult) string {
	if p.Passed() {
		return ""
	}
	text := "gate " + gateState(p) + ": " + render.Text(p.Command) + "\n"
	return text + render.Output(p.Output, 2)
}

// GateJSON is a result of the gate, and the number of failures in a row after which the agent is stopped; 0 if that is
// not known.
func GateJSON(p *session.GateResult, most int) jsontext.Value {
	w := object.NewWriter(256)
	w.Open('{')
	w.String("command", p.Command)
	w.Bool("passed", p.Passed())
	if p.Problem == "" {
		w.Int("code", p.Code)
	}
	w.StringIfSet("problem", p.Problem)
	w.TimeMillis("at", int64(p.At))
	w.StringIfSet("output", p.Output)
	if most > 0 {
		writeCounter(w, "failures", continuation.CountAndLimit{N: p.Failures, Max: most})
	}
	w.Close('}')
	return w.Bytes()
}
