package render

import (
	"strings"

	"onward/internal/object"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

// CallsJSON is onward/calls/v1: calls in the order of the requests, with the counts of the whole schedule.
// A change that is not nil is what the command did; doc is nil where there is none.
func CallsJSON(name session.Name, doc *schedule.Document, calls []*schedule.Call, did *schedule.Change, store string, now todo.Time) []byte {
	w := start("onward/calls/v1", name, 1024*len(calls)+512)
	if did != nil {
		if doc != nil {
			w.Uint("rev", doc.Rev)
		}
		w.String("change", did.What)
		w.Strings("complete", did.Complete)
	}
	w.Name("calls")
	w.Open('[')
	for _, c := range calls {
		writeCall(w, c, store, now)
	}
	w.Close(']')
	counts := doc.Counts()
	w.Name("counts")
	w.Open('{')
	w.Int("total", total(counts))
	for _, s := range schedule.Statuses() {
		w.Int(string(s), counts[s])
	}
	w.Close('}')
	messages := 0
	if doc != nil {
		messages = len(doc.Messages)
	}
	w.Int("messages", messages)
	w.Close('}')
	return finish(w)
}

func total(counts map[schedule.Status]int) int {
	n := 0
	for _, count := range counts {
		n += count
	}
	return n
}

func writeCall(w *object.Writer, c *schedule.Call, store string, now todo.Time) {
	w.Open('{')
	w.String("id", c.ID)
	w.String("tool", c.Tool)
	w.Name("args")
	w.Raw(c.Args)
	w.String("status", string(c.Status))
	w.String("batch", c.Batch)
	w.Strings("after", c.After)
	w.Int("priority", c.Priority)
	w.Bool("wait_for_previous", c.Barrier)
	if c.Class != "" {
		w.Name("error")
		w.Open('{')
		w.String("class", c.Class)
		w.String("message", c.Reason)
		w.Close('}')
	}
	w.SomeString("reason", c.Reason)
	w.SomeString("mode", c.Mode)
	if c.Approval != nil {
		w.Name("approval")
		w.Open('{')
		w.String("outcome", c.Approval.Outcome)
		w.Millis("at", int64(c.Approval.At))
		w.Close('}')
	}
	if res := c.Result; res != nil {
		w.Name("result")
		w.Open('{')
		w.Int("exit_code", res.ExitCode)
		w.String("stdout", res.Stdout)
		w.String("stderr", res.Stderr)
		w.Bool("truncated", res.Truncated)
		if res.Output != "" {
			w.String("output_file", strings.TrimSuffix(store, "/")+"/"+res.Output)
		}
		w.Close('}')
	}
	w.Name("timings")
	w.Open('{')
	w.Millis("submitted_at", int64(c.At(schedule.Validating)))
	w.SomeMillis("started_at", int64(c.At(schedule.Executing)))
	w.SomeMillis("ended_at", int64(c.EndedAt()))
	w.Int("duration_ms", int(c.Duration(now).Milliseconds()))
	if ran, started := c.Ran(now); started {
		w.Int("ran_ms", int(ran.Milliseconds()))
	}
	w.Name("transitions")
	w.Open('[')
	for _, m := range c.Moves {
		w.Open('{')
		w.String("status", string(m.Status))
		w.Millis("at", int64(m.At))
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	w.Close('}')
}

// TransitionJSON is onward/transition/v1: one change of one call, as a run goes on.
func TransitionJSON(c *schedule.Call) []byte {
	from, at := schedule.Status(""), todo.Time(0)
	if n := len(c.Moves); n > 0 {
		at = c.Moves[n-1].At
		if n > 1 {
			from = c.Moves[n-2].Status
		}
	}
	w := object.NewWriter(256)
	w.Open('{')
	w.String("schema", "onward/transition/v1")
	w.String("id", c.ID)
	w.String("tool", c.Tool)
	w.String("batch", c.Batch)
	w.String("from", string(from))
	w.String("status", string(c.Status))
	w.SomeString("class", c.Class)
	w.SomeString("reason", c.Reason)
	w.Millis("at", int64(at))
	w.Close('}')
	return finish(w)
}

// BatchJSON is onward/batch/v1: a batch has come to its end.
func BatchJSON(id string, doc *schedule.Document) []byte {
	counts := map[schedule.Status]int{}
	for i := range doc.Calls {
		if doc.Calls[i].Batch == id {
			counts[doc.Calls[i].Status]++
		}
	}
	w := object.NewWriter(256)
	w.Open('{')
	w.String("schema", "onward/batch/v1")
	w.String("batch", id)
	w.Bool("complete", true)
	w.Name("counts")
	w.Open('{')
	w.Int("total", total(counts))
	for _, s := range schedule.Statuses() {
		if s.Final() {
			w.Int(string(s), counts[s])
		}
	}
	w.Close('}')
	w.Close('}')
	return finish(w)
}
