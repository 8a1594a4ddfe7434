package output

import (
	"slices"
	"strings"

	"onward/internal/calls/schedule"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// CallsJSON is onward/calls/v1: calls in the order of the requests, with the counts of the whole schedule.
// The change, if it is not nil, is that of the command; doc is nil if there is no schedule.
func CallsJSON(name session.Name, doc *schedule.Document, calls []*schedule.Call, did *schedule.Change, store string, now todo.Time) any {
	out, messages := Document("onward/calls/v1", name), 0
	if doc != nil {
		messages = len(doc.Messages)
	}
	if did != nil && doc != nil {
		out = append(out, "rev", doc.Rev)
	}
	if did != nil {
		out = append(out, "change", did.What, "complete", did.Complete)
	}
	shown := render.Map(calls, func(_ int, c **schedule.Call) Members { return callOf(*c, store, now) })
	return append(out, "calls", shown, "counts", counted(doc.Counts(), schedule.Statuses()), "messages", messages)
}

// counted is how many calls there are, and how many of each status.
func counted(counts map[schedule.Status]int, statuses []schedule.Status) Members {
	total := 0
	for _, n := range counts {
		total += n
	}
	out := Members{"total", total}
	for _, s := range statuses {
		out = append(out, string(s), counts[s])
	}
	return out
}

func callOf(c *schedule.Call, store string, now todo.Time) Members {
	out := Members{
		"id", c.ID, "tool", c.Tool, "args", c.Args, "status", c.Status, "batch", c.Batch,
		"after", c.After, "priority", c.Priority, "wait_for_previous", c.Barrier,
	}
	if c.Class != "" {
		out = append(out, "error", Members{"class", c.Class, "message", c.Reason})
	}
	out = out.AddIfSet("reason", c.Reason).AddIfSet("mode", c.Mode).AddIfSet("approval", c.Approval)
	if c.Result != nil {
		result := *c.Result
		if result.Output != "" {
			result.Output = strings.TrimSuffix(store, "/") + "/" + result.Output
		}
		out = append(out, "result", result)
	}
	timings := Members{"submitted_at", c.ReachedAt(schedule.Validating)}
	timings = timings.AddIfSet("started_at", c.ReachedAt(schedule.Executing)).AddIfSet("ended_at", c.EndedAt())
	timings = append(timings, "duration_ms", c.Duration(now).Milliseconds())
	if ran, started := c.RunTime(now); started {
		timings = append(timings, "ran_ms", ran.Milliseconds())
	}
	return append(out, "timings", append(timings, "transitions", c.Transitions))
}

// TransitionJSON is onward/transition/v1: one change of one call, as a run proceeds.
func TransitionJSON(c *schedule.Call) any {
	var before, last schedule.Transition
	if n := len(c.Transitions); n > 0 {
		last = c.Transitions[n-1]
		if n > 1 {
			before = c.Transitions[n-2]
		}
	}
	out := Members{"schema", "onward/transition/v1", "id", c.ID, "tool", c.Tool, "batch", c.Batch, "from", before.Status, "status", c.Status}
	return append(out.AddIfSet("class", c.Class).AddIfSet("reason", c.Reason), "at", last.At)
}

// BatchJSON is onward/batch/v1: all calls of a batch have ended.
func BatchJSON(id string, doc *schedule.Document) any {
	final := slices.DeleteFunc(schedule.Statuses(), func(s schedule.Status) bool { return !s.Final() })
	return Members{"schema", "onward/batch/v1", "batch", id, "complete", true, "counts", counted(schedule.CountByStatus(doc.CallsOf(id)), final)}
}
