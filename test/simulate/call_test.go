package simulate

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/agents"
	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// toolCall is what the referee knows of a tool call.
type toolCall struct {
	list     session.Name
	id       string
	approved bool // the user has approved it, or a command that does has started
	denied   bool // a denial was acknowledged
	begun    int  // how often it ran
}

// errPerson is the error of a command that only a person may run.
var errPerson = errors.New("only a person may do this, and this is an agent's shell")

// person returns an error if the command runs in the shell of an agent, which the agent's marker shows. Package cmd does the same.
func (c *command) person() error {
	if agents.MarkerVariable(func(name string) (string, bool) { return "1", name == c.marker }) != "" {
		return errPerson
	}
	return nil
}

func judge() schedule.Judge {
	return schedule.Judge{Tools: tool.Builtin(), Mode: policy.Default, Check: (*tool.Tool).Check}
}

func arguments(text string) jsontext.Value {
	return jsontext.Value(fmt.Sprintf(`{"command":%q}`, text))
}

// submits schedules tool calls that require approval.
func (g *agent) submits() {
	var requests []schedule.Request
	var calls []*toolCall
	batch := "b" + g.text("")[1:]
	for range 1 + g.upTo(3) {
		one := &toolCall{list: g.list, id: "c" + g.text("")[1:]}
		calls = append(calls, one)
		requests = append(requests, schedule.Request{ID: one.id, Tool: policy.ShellTool, Args: arguments("make " + one.id), Batch: batch})
	}
	g.say(g.name, "schedules %s, to be approved", todo.Plural(len(calls), "tool call"))
	err := g.onward(g.list, func(c *command) error {
		_, err := c.calls.Update(c.name, "", c.now, func(d *schedule.Document) (schedule.Change, error) {
			return schedule.Submit(d, requests, judge(), c.now)
		})
		return err
	})
	g.toolCalls = append(g.toolCalls, calls...)
	if g.choice(1, 2) == 1 {
		g.spawn("user", func(a *actor) { a.reviews(calls) }).due = g.at
	}
	if err == nil && g.choice(1, 1) == 1 {
		g.count("agent", "tries to approve its own call")
		g.say(g.name, "tries to approve its own call")
		g.decides(calls[0], 0, g.marker)
	}
}

// The commands that answer a call that awaits approval.
var answerWords = [...]string{"schedule approve", "schedule deny", "schedule modify", "schedule approve --args", "schedule cancel"}

// decides answers a call that awaits approval; marker is the agent's variable in the shell of that command, or "".
func (a *actor) decides(one *toolCall, how int, marker string) {
	user := marker == ""
	if user {
		a.count("user", answerWords[how])
		a.say(a.name, "runs `onward %s %s`", answerWords[how], one.id)
	}
	if user && (how == 0 || how == 3) {
		one.approved = true
	}
	err := a.onward(one.list, func(c *command) error {
		c.marker = marker
		if how == 0 || how == 3 {
			if err := c.person(); err != nil {
				return err
			}
		}
		_, err := c.calls.Update(c.name, "", c.now, func(d *schedule.Document) (did schedule.Change, err error) {
			switch how {
			case 1:
				return schedule.DenyBatch(d, []string{one.id}, "not now", c.now)
			case 2:
				return schedule.Modify(d, one.id, arguments("make -n"), judge(), c.now)
			case 3:
				did, _, err = schedule.ApproveWith(d, one.id, arguments("make -n"), judge(), false, false, c.now)
			case 4:
				return schedule.Cancel(d, []string{one.id}, "", a.lives, c.now)
			default:
				did, _, err = schedule.Approve(d, []string{one.id}, judge(), false, false, c.now)
			}
			return did, err
		})
		return err
	})
	if err == nil && (how == 1 || how == 4) {
		one.denied = true
	}
}

// reviews answers the calls of a batch, and runs them.
func (a *actor) reviews(calls []*toolCall) {
	for _, one := range calls {
		a.pass(2 * time.Minute)
		a.decides(one, a.choice(6, 1, 1, 1, 1), "")
	}
	a.schedule(calls[0].list)
	a.sleep(never)
}

// lives reports whether a process is running.
func (w *world) lives(p *schedule.Process) bool { return p != nil && w.alive[p.PID] }

// schedule runs the calls that may run, as `onward schedule run` does.
func (a *actor) schedule(list session.Name) {
	a.say(a.name, "runs `onward schedule run`")
	process := a.starts()
	defer delete(a.alive, process.PID)
	_ = a.onward(list, func(c *command) error {
		run, err := c.calls.BeginAtOnce(c.name)
		if err != nil {
			return err
		}
		if _, err := run.Append(func(d *schedule.Document) (schedule.Change, error) { return schedule.Recover(d, a.lives, a.clock()) }); err != nil {
			return err
		}
		for {
			d, err := run.Doc()
			if err != nil || d == nil {
				return err
			}
			plan := schedule.NewPlan(d, func(string) bool { return false })
			if plan == nil {
				return nil
			}
			next := ""
			_, err = run.Append(func(d *schedule.Document) (schedule.Change, error) {
				next = ""
				s := d.Step(a.clock())
				for _, call := range plan.Next(d, 0, 1) {
					s.Start(call, schedule.Process{PID: process.PID})
					next = call.ID
				}
				return s.Result()
			})
			if err != nil || next == "" {
				return err
			}
			c.execute(next)
			if _, err = run.Append(func(d *schedule.Document) (schedule.Change, error) {
				s := d.Step(a.clock())
				s.End([]schedule.Ending{{ID: next, Status: schedule.Success, Result: &schedule.Result{}}})
				return s.Result()
			}); err != nil {
				return err
			}
		}
	})
}

// execute checks that a call may run, and lets the time pass that it takes.
func (c *command) execute(id string) {
	c.count("onward", "runs a tool call")
	for _, one := range c.toolCalls {
		if one.id != id || one.list != c.name {
			continue
		}
		switch one.begun++; {
		case !one.approved:
			c.breaks(5, "the call %s runs, and the user has not approved it", id)
		case one.denied:
			c.breaks(5, "the call %s runs, though the user has denied it", id)
		case one.begun > 1:
			c.breaks(1, "the call %s runs twice", id)
		}
	}
	c.say("onward", "runs the call %s", id)
	c.executing[c.name.String()]++
	defer func() { c.executing[c.name.String()]-- }()
	c.pass(5 * time.Minute)
}

// right is the store's hold on the calls of a list, without which they may not be run.
type right = store.Held

// held is that hold in one run of onward. Its methods take time and fail as all calls to the store do.
type held struct {
	right
	*command
	backend *backend
}

func (h held) Get(k store.Key) (store.Value, error) { return h.backend.Get(k) }

func (h held) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return h.backend.Update(k, change)
}

func (h held) Append(seen store.Value, change func(store.Value, error) (store.Line, error)) (store.Value, error) {
	how, err := h.backend.enter()
	if err != nil {
		return seen, err
	}
	if h.at < h.full {
		return seen, store.WrapProblem(store.ErrFull, "a fault of the world")
	}
	v, err := h.right.Append(seen, change)
	if err == nil {
		h.woken(h.name.String())
		err = h.backend.leave(how, true)
	}
	return v, err
}
