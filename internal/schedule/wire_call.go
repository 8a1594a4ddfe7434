package schedule

import (
	"onward/internal/object"
	"onward/internal/todo"
)

func (c *Call) read(r *object.Reader) {
	c.Unknown = r.Object(func(name string) bool {
		switch name {
		case "id":
			c.ID = r.String()
		case "tool":
			c.Tool = r.String()
		case "args":
			c.Args = r.Raw()
		case "batch":
			c.Batch = r.String()
		case "after":
			c.After = r.Strings()
		case "priority":
			c.Priority = r.Integer()
		case "wait_for_previous":
			c.Barrier = r.Bool()
		case "status":
			c.Status = Status(r.String())
		case "class":
			c.Class = r.String()
		case "reason":
			c.Reason = r.String()
		case "mode":
			c.Mode = r.String()
		case "approval":
			c.Approval = &Approval{}
			c.Approval.read(r)
		case "cwd":
			c.Cwd = r.String()
		case "declaration":
			c.Tools = r.String()
		case "owner":
			c.Owner = &Process{}
			c.Owner.read(r)
		case "stop_at":
			c.StopAt = todo.Time(r.Millis())
		case "stop_for":
			c.StopFor = r.String()
		case "result":
			c.Result = &Result{}
			c.Result.read(r)
		case "moves":
			r.Array(func() {
				c.Moves = append(c.Moves, Move{})
				c.Moves[len(c.Moves)-1].read(r)
			})
		case "reported":
			c.Reported = r.Bool()
		default:
			return false
		}
		return true
	}, "id", "tool", "args", "batch", "status", "moves")
}

func (c *Call) write(w *object.Writer) {
	w.Open('{')
	w.String("id", c.ID)
	w.String("tool", c.Tool)
	w.Name("args")
	w.Raw(c.Args)
	w.String("batch", c.Batch)
	w.SomeStrings("after", c.After)
	w.SomeInt("priority", c.Priority)
	if c.Barrier {
		w.Bool("wait_for_previous", true)
	}
	w.String("status", string(c.Status))
	w.SomeString("class", c.Class)
	w.SomeString("reason", c.Reason)
	w.SomeString("mode", c.Mode)
	if a := c.Approval; a != nil {
		w.Name("approval")
		w.Open('{')
		w.String("outcome", a.Outcome)
		w.Millis("at", int64(a.At))
		w.Rest(a.Unknown)
		w.Close('}')
	}
	w.SomeString("cwd", c.Cwd)
	w.SomeString("declaration", c.Tools)
	if p := c.Owner; p != nil {
		w.Name("owner")
		w.Open('{')
		w.Int("pid", p.PID)
		w.String("start", p.Start)
		w.String("boot", p.Boot)
		w.Rest(p.Unknown)
		w.Close('}')
	}
	w.SomeMillis("stop_at", int64(c.StopAt))
	w.SomeString("stop_for", c.StopFor)
	if c.Result != nil {
		w.Name("result")
		c.Result.write(w)
	}
	w.Name("moves")
	w.Open('[')
	for _, m := range c.Moves {
		w.Open('{')
		w.String("status", string(m.Status))
		w.Millis("at", int64(m.At))
		w.Close('}')
	}
	w.Close(']')
	if c.Reported {
		w.Bool("reported", true)
	}
	w.Rest(c.Unknown)
	w.Close('}')
}

func (m *Move) read(r *object.Reader) {
	r.Object(func(name string) bool {
		switch name {
		case "status":
			m.Status = Status(r.String())
		case "at":
			m.At = todo.Time(r.Millis())
		default:
			r.Raw()
		}
		return true
	})
}

func (a *Approval) read(r *object.Reader) {
	a.Unknown = r.Object(func(name string) bool {
		switch name {
		case "outcome":
			a.Outcome = r.String()
		case "at":
			a.At = todo.Time(r.Millis())
		default:
			return false
		}
		return true
	})
}

func (p *Process) read(r *object.Reader) {
	p.Unknown = r.Object(func(name string) bool {
		switch name {
		case "pid":
			p.PID = r.Int()
		case "start":
			p.Start = r.String()
		case "boot":
			p.Boot = r.String()
		default:
			return false
		}
		return true
	})
}

func (res *Result) read(r *object.Reader) {
	res.Unknown = r.Object(func(name string) bool {
		switch name {
		case "exit_code":
			res.ExitCode = r.Integer()
		case "stdout":
			res.Stdout = r.String()
		case "stderr":
			res.Stderr = r.String()
		case "truncated":
			res.Truncated = r.Bool()
		case "output_file":
			res.Output = r.String()
		case "kept_in":
			res.Kept = r.String()
		default:
			return false
		}
		return true
	})
}

func (res *Result) write(w *object.Writer) {
	w.Open('{')
	w.Int("exit_code", res.ExitCode)
	if res.Kept == "" {
		w.String("stdout", res.Stdout)
		w.String("stderr", res.Stderr)
	}
	w.Bool("truncated", res.Truncated)
	w.SomeString("output_file", res.Output)
	w.SomeString("kept_in", res.Kept)
	w.Rest(res.Unknown)
	w.Close('}')
}
