package execute

import (
	"onward/internal/calls/schedule"
	"onward/internal/supervise"
)

// launch starts a call in a goroutine of its own.
func (r *Runner) launch(c *schedule.Call) {
	stop := make(chan supervise.Order, 8)
	r.running[c.ID] = stop
	go func() {
		end := r.perform(c, stop)
		r.spill(&end)
		r.results <- end
	}()
}

func (r *Runner) perform(c *schedule.Call, stop <-chan supervise.Order) schedule.Ending {
	end := schedule.Ending{ID: c.ID, Status: schedule.Errored}
	t := r.Judge.Tools.Find(c.Tool)
	switch {
	case t == nil:
		end.Class, end.Reason = schedule.ClassUnknownTool, "the tool is no longer declared"
	case t.Hash != c.Tools:
		end.Class, end.Reason = schedule.ClassChanged, "the tool's declaration has changed since the call was accepted"
	case t.Builtin() && t.Name != "shell":
		return r.builtin(c)
	default:
		return r.runCommand(c, t, stop)
	}
	return end
}

func (r *Runner) builtin(c *schedule.Call) (end schedule.Ending) {
	end = schedule.Ending{ID: c.ID, Status: schedule.Success, Result: &schedule.Result{}}
	out, err := r.Builtin(c)
	end.Result.Stdout = out
	if err != nil {
		end.Status, end.Class, end.Reason = schedule.Errored, schedule.ClassFailed, err.Error()
		end.Result.ExitCode = 1
	}
	return end
}
