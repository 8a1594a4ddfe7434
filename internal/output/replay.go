package output

import (
	"onward/internal/render"
	"onward/internal/replay"
)

// ReplayJSON is onward/replay/v1: whether a change is proven by its commits, and how the gate ended on both.
func ReplayJSON(a *replay.Answer, asked string, uncommitted bool) any {
	files := make([]string, len(a.Checks))
	for i, name := range a.Checks {
		files[i] = render.Text(name)
	}
	out := Members{"schema", "onward/replay/v1", "ok", a.Holds()}.AddIfSet("reason", a.Reason)
	out = append(out, "gate", a.Gate).AddIfSet("setup", a.Setup)
	out = append(out, "commit", a.Now, "base", a.Base, "asked", asked).AddIfSet("uncommitted", uncommitted)
	return append(out, "check_files", files).AddIfSet("with", replayedJSON(a.With)).AddIfSet("without", replayedJSON(a.Without))
}

// replayedJSON is how the gate ended on a commit; nil if it did not run.
func replayedJSON(r *replay.Result) Members {
	if r == nil {
		return nil
	}
	out := Members{"passed", r.Gate.Passed()}
	if r.Gate.Problem == "" {
		out = append(out, "code", r.Gate.Code)
	}
	return append(out.AddIfSet("problem", r.Gate.Problem), "took_ms", r.Took.Milliseconds()).AddIfSet("output", r.Gate.Output)
}
