package output

import (
	continuation "onward/internal/continue"
	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// DecisionJSON returns the answer of check-continue as onward/decision/v1. Without a list, doc is nil.
func DecisionJSON(name session.Name, doc *session.Document, d continuation.Decision, set continuation.Settings, prompt string, explain bool) []byte {
	w := BeginDocument("onward/decision/v1", name, 4096)
	w.String("action", d.Outcome.Action())
	w.String("reason", d.Reason)
	w.String("message", d.Message)
	w.StringIfSet("proof", d.Proof)
	w.StringIfSet("hint", d.Hint)
	w.StringIfSet("prompt", prompt)
	w.String("prompt_style", set.Style)
	w.Bool("yolo", set.Yolo)
	w.StringIfSet("tier", string(d.Tier))
	if ms := int(d.RetryAfter.Milliseconds()); ms != 0 {
		w.Int("retry_after_ms", ms)
	}
	if d.ResetAt != 0 {
		w.String("retry_at", d.ResetAt.String())
	}
	w.Name("counts")
	todo.WriteCounts(w, d.Counts)
	if d.Next >= 0 {
		w.Name("next")
		WriteItem(w, &doc.Todos.Items[d.Next], d.Next)
	}
	if doc != nil && doc.Owner != nil {
		w.Name("native")
		w.Open('{')
		w.String("agent", doc.Owner.Agent)
		w.String("session", doc.Owner.Session)
		w.Close('}')
	}
	writeCounter(w, "attempts", d.Attempts)
	writeCounter(w, "stagnation", d.Stagnation)
	writeCounter(w, "total", d.Total)
	if d.Gate != nil {
		w.Name("gate")
		w.Raw(GateJSON(d.Gate, set.MaxGate))
	}
	writeLost(w, "lost", d.Lost)
	writeLost(w, "deleted", d.Deleted)
	if explain {
		w.Name("checks")
		w.Open('[')
		for i, c := range d.CheckTrace() {
			w.Open('{')
			w.Int("number", i+1)
			w.String("name", c.Name)
			w.Bool("asked", c.Asked)
			w.Bool("matched", c.Matched)
			w.Close('}')
		}
		w.Close(']')
	}
	w.Close('}')
	return EndDocument(w)
}

func writeCounter(w *object.Writer, name string, c continuation.CountAndLimit) {
	w.Name(name)
	w.Open('{')
	w.Int("n", c.N)
	w.Int("max", c.Max)
	w.Close('}')
}

// writeLost writes a member with the items that were taken off a list; without any, it is left out.
func writeLost(w *object.Writer, name string, lost []session.LostItem) {
	if len(lost) == 0 {
		return
	}
	w.Name(name)
	w.Open('[')
	for i := range lost {
		w.Open('{')
		w.String("id", lost[i].ID)
		w.String("content", lost[i].Content)
		w.Close('}')
	}
	w.Close(']')
}
