package simulate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/hook"
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/session"
)

// hookTime is the time limit of a hook without its gate.
const hookTime = 5 * time.Second

type object = map[string]any

// hooks is a program that runs `onward hook` as a real agent does.
type hooks struct {
	dialect
	row    *hook.Protocol
	key    string        // the id of the prompt
	again  bool          // the turn is a continuation by onward
	ends   int           // number of ends of turns
	echo   bool          // the program reports onward's prompt as one of the user's
	gates  time.Duration // how long the program waits for its stop hook
	length int64         // the length of the conversation's file; 0 if there is none
	answer string        // all messages of the agent since the user's prompt
}

// call runs a hook, and returns the prompt with which onward sends the agent back to work, or "".
func (h *hooks) call(g *actor, a *agent, e happening, means func(*truth)) (prompt string) {
	told := h.tell(h, a, e)
	if told == nil {
		return ""
	}
	if (e.what == "tool" || e.what == "tool's end") && g.roll(2, 50) == 1 {
		h.slowly(g, a, e, told)
		return ""
	}
	times := 1
	if e.what != "stop" {
		switch g.choice(100, 1, 1) {
		case 1:
			times = 0
			g.count("program", "does not run a hook")
			g.say(a.name, "does not run the hook for its %s", e.what)
		case 2:
			times = 2
			g.count("program", "runs a hook twice")
			g.say(a.name, "has the hook for its %s run twice", e.what)
		}
	}
	for range times {
		prompt = h.run(g, a, e, told, means)
	}
	return prompt
}

// slowly runs a hook that is late: after the end of its turn, or during the next one.
func (h *hooks) slowly(g *actor, a *agent, e happening, told object) {
	g.count("program", "runs a hook late")
	g.say(a.name, "has the hook for its %s run late", e.what)
	then, process := *h, a.process
	g.joins(a.name+"'", func(late *actor) {
		late.pass(20 * time.Second)
		then.run(late, &agent{actor: late, id: a.id, process: process}, e, told, nil)
		late.sleep(never)
	})
}

// run runs a hook once.
func (h *hooks) run(g *actor, a *agent, e happening, told object, means func(*truth)) (prompt string) {
	if told["sessionID"] == nil {
		told["session_id"], told["cwd"] = a.id, g.place.Dir
	}
	data, err := json.Marshal(told)
	if err != nil {
		panic(err)
	}
	c := newCommand(g, session.Name{Session: g.place.Session})
	c.means, c.sub = means, e.sub
	run := &gate{command: c, limit: h.gates}
	// On an error the hook lets the agent go ahead, and logs the cause.
	_ = c.run(3*time.Second, func(c *command) error {
		call, err := h.row.Read(data, agents.Tools(), agents.FailureTexts())
		if err != nil || call.Kind == hook.Nothing {
			return err
		}
		process := a.process
		call.Process = func(*session.Process) *session.Process { return process }
		e := &ask.HookHandler{
			Agent: h.row, Call: call, Lists: c.lists, Calls: c.calls, Name: c.name, Project: c.place.Dir, Now: c.now,
			Settings: c.settings, Undurable: func(error) {},
		}
		if err := e.Find(); err != nil {
			return err
		}
		if c.name = e.Name; c.sub == "" {
			a.list = e.Name
		}
		c.writes = call.List != nil
		if call.Kind != hook.Stop && call.Kind != hook.SubagentStop {
			return e.Report()
		}
		if c.stop = fmt.Sprint(a.id, c.sub, h.ends); call.Ahead {
			c.stop = ""
		}
		e.Gate, e.Waiting = run, &waiting{command: c, since: c.at, watches: true}
		got, err := e.Stop(h.row.BlockLimit(func(string) string { return "" }), func(turn *ask.Turn) { turn.Length = h.length })
		if err != nil {
			return err
		}
		if call.Ahead {
			if c.commits > 0 {
				c.breaks(9, "a question that is asked ahead changes the list")
			}
			return nil
		}
		c.answers(got, false)
		prompt = got.Prompt()
		c.say("onward", "answers the stop hook of %s: %s", a.name, c.told(got))
		if prompt != "" {
			return nil
		}
		c.means, c.meant = nil, true
		return e.SubagentEnded()
	})
	if took := c.at - c.began - run.took; took > hookTime {
		g.breaks(10, "the hook of %s for its %s takes %v", h.row.Name, e.what, took)
	}
	return prompt
}

// told returns an answer as the program that ran the hook reads it.
func (c *command) told(got ask.Answer) string {
	if got.Decision.Outcome == continuation.Continue {
		return "continue, " + got.Decision.Message
	}
	return got.Decision.Outcome.Action() + " (" + got.Decision.Reason + "), " + got.Decision.Message
}

func (h *hooks) begins(g *agent, how string) {
	h.call(g.actor, g, happening{what: "begins", text: how}, nil)
}

func (h *hooks) prompted(g *agent, text, source string) {
	h.writes()
	h.key, h.again = g.text("prompt"), false
	var means func(*truth)
	if source == "user" {
		said := g.spoken(h.key)
		means = func(t *truth) {
			said(t)
			g.begun(t)
		}
	}
	h.call(g.actor, g, happening{what: "prompt", text: text, by: source}, means)
}

func (h *hooks) turn(*agent) {}

// writes adds to the conversation's file, if the program has one.
func (h *hooks) writes() {
	if !h.once {
		h.length += 100
	}
}

func (h *hooks) tool(g *agent) {
	h.writes()
	h.call(g.actor, g, happening{what: "tool"}, nil)
	g.pass(5 * time.Second)
	h.call(g.actor, g, happening{what: "tool's end"}, nil)
	if h.row.Name == "qwen" { // Qwen Code reports the results of tools as an empty prompt
		h.call(g.actor, g, happening{what: "prompt", by: "program"}, nil)
	}
}

func (h *hooks) wrote(g *agent) {
	h.call(g.actor, g, happening{what: "list", items: g.todos}, nil)
}

func (h *hooks) ended(g *agent, message string) bool {
	means := ends
	if strings.HasPrefix(message, continuation.PauseLine) {
		means = endsPaused
	}
	if h.ahead && g.choice(1, 1) == 1 {
		h.call(g.actor, g, happening{what: "ahead", message: message}, nil)
		g.sleep(2 * time.Second)
	}
	h.writes()
	how := g.choice(20, 1, 1)
	if how == 1 && h.once {
		how = 0
	}
	switch how {
	case 1:
		g.count("program", "runs its stop hook twice")
		g.say(g.name, "has its stop hook run twice")
		twin, process := *h, g.process
		twin.ends++ // both hooks report the same end of the turn
		g.joins(g.name+"'", func(a *actor) {
			twin.call(a, &agent{actor: a, id: g.id, process: process}, happening{what: "stop", message: message}, means)
			a.sleep(never)
		})
	case 2:
		g.count("program", "does not run its stop hook")
		g.say(g.name, "does not run its stop hook")
		return false
	}
	return h.stop(g, message, means)
}

// stop runs the stop hook, and reports whether onward sends the agent back to work.
func (h *hooks) stop(g *agent, message string, means func(*truth)) bool {
	h.ends++
	prompt := h.call(g.actor, g, happening{what: "stop", message: message}, means)
	if h.again = prompt != ""; h.again && (h.echo || h.echoes) {
		h.call(g.actor, g, happening{what: "prompt", text: prompt, by: "onward"}, func(t *truth) {
			// If the prompt is a message of the user, it ends a pause that was made since the message was sent.
			t.paused = t.paused && strings.HasPrefix(prompt, "[SYSTEM REMINDER")
		})
	}
	return h.again
}

// late runs the stop hook after the program has already reported the end of the turn.
func (h *hooks) late(g *agent, means func(*truth)) bool {
	g.count("program", "runs its stop hook late")
	g.say(g.name, "runs its stop hook, late")
	return h.stop(g, "", means)
}

func (h *hooks) failed(g *agent, class continuation.ErrorClass, _ time.Duration) bool {
	h.call(g.actor, g, happening{what: "failure", class: class}, g.fails(class, 0))
	return h.stops && h.late(g, func(t *truth) { t.running = false }) // the hook for the failure did not run
}

func (h *hooks) crashed(*agent) bool { return false }

func (h *hooks) aborted(g *agent) {
	h.call(g.actor, g, happening{what: "interrupt"}, interrupted)
	if h.stops || h.wakes && g.choice(3, 1) == 1 {
		h.late(g, func(t *truth) { t.limited = 0 }) // the host accepted this turn, so its limit is over
	}
}

// interrupted changes the truth when the user interrupts the agent.
func interrupted(t *truth) { t.aborted, t.running = true, false }

// script is a loop around an agent. It reports events with `onward event`, and asks with `onward check-continue --wait`.
type script struct{ calls int }

func (s *script) begins(*agent, string) {}

func (s *script) prompted(g *agent, text, source string) {
	key := g.text("prompt")
	if source == "user" {
		_ = g.event(g.list, continuation.Event{Type: continuation.UserPrompt, PromptKey: key, Text: text}, g.spoken(key))
	}
}

func (s *script) turn(g *agent) {
	_ = g.event(g.list, continuation.Event{Type: continuation.TurnStart}, g.begun)
}

func (s *script) tool(g *agent) {
	_ = g.event(g.list, continuation.Event{Type: continuation.ToolStart}, nil)
	s.calls++
	g.pass(5 * time.Second)
}

func (s *script) wrote(g *agent) {
	_ = g.onward(g.list, func(c *command) error {
		c.single, c.writes = true, true
		return c.apply("", continuation.Event{Type: continuation.Todos, Items: slices.Clone(g.todos), Source: "script"})
	})
}

func (s *script) ended(g *agent, message string) bool {
	if strings.HasPrefix(message, continuation.PauseLine) {
		_ = g.event(g.list, continuation.Event{Type: continuation.Pause, Reason: message}, paused)
	}
	s.end(g, continuation.Event{}, ends)
	return s.ask(g)
}

// end reports the end of a turn.
func (s *script) end(g *agent, e continuation.Event, means func(*truth)) {
	e.Type, e.ToolCalls, s.calls = continuation.TurnEnd, s.calls, 0
	_ = g.event(g.list, e, means)
}

// ask asks whether the agent continues, and repeats the question if no answer comes.
func (s *script) ask(g *agent) (goes bool) {
	op := g.text("op")
	op = strings.ReplaceAll(op, " ", "")
	patient := []time.Duration{time.Hour, 10 * time.Minute, time.Minute}[g.choice(2, 1, 1)]
	for range 3 {
		err := g.onward(g.list, func(c *command) error {
			q := question{op: op, patient: patient}
			if g.style.costs {
				usd, tokens := float64(g.spent)/10, int64(g.spent)*100
				q.facts.SpendUSD, q.facts.SpendTokens = &usd, &tokens
			}
			got, err := c.check(q)
			if err == nil {
				goes = got.Prompt() != ""
				g.say("onward", "answers %s: %s", g.name, c.told(got))
			}
			return err
		})
		if err == nil {
			break
		}
		g.pass(5 * time.Second)
	}
	return goes
}

func (s *script) failed(g *agent, class continuation.ErrorClass, after time.Duration) bool {
	s.end(g, continuation.Event{Status: continuation.Failed, ErrorClass: class, RetryAfter: after.Milliseconds()}, g.fails(class, after))
	return s.ask(g)
}

func (s *script) crashed(g *agent) bool {
	s.end(g, continuation.Event{Status: continuation.Failed}, g.fails(continuation.ErrorUnknown, 0))
	return s.ask(g)
}

func (s *script) aborted(g *agent) {
	_ = g.event(g.list, continuation.Event{Type: continuation.Abort}, interrupted)
}
