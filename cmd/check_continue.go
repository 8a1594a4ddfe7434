package cmd

import (
	"fmt"
	"io"
	"os"
	"time"

	"onward/internal/agent"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type checkContinueCmd struct {
	DryRun  bool    `help:"Decide, but commit nothing."`
	Explain bool    `help:"Show every check with its result."`
	Wait    bool    `help:"Sleep through exit 13 and ask again; ends at once when another process changes the session."`
	MaxWait *string `placeholder:"D" needs:"wait" help:"The longest wait in all; default 1h."`
	NoGate  bool    `help:"Do not run the gate; --facts may contain its result."`
	Facts   string  `placeholder:"-" complete:"=-" help:"Read the facts as one JSON object from stdin, in snake case."`

	factFlags    `embed:"" group:"Facts that only the caller knows (what is not given is unknown):"`
	settingFlags `embed:"" group:"Settings, for this decision:"`
}

// Run decides, commits the counters, and prints the prompt or the reason why there is none.
func (c *checkContinueCmd) Run(a *app, t target) error {
	maxWait, err := duration("--max-wait", c.MaxWait, time.Hour)
	if err != nil {
		return err
	}
	facts, err := c.facts()
	if err != nil {
		return err
	}
	var input []byte
	switch c.Facts {
	case "":
	case "-":
		if input, err = a.readStdin(); err != nil {
			return err
		}
	default:
		return cli.Usagef("--facts must be -, not %q", c.Facts)
	}
	facts.Named, facts.Switch = t.named, todoSwitch()
	flags := c.values()
	if c.NoGate {
		flags["gate"] = "none"
	}
	waiting := newWaiting(t.watch)
	defer waiting.Close()
	q := ask.Question{
		List: asked{t, readConfigFile(), flags, isTerminal(a.err)}, Said: facts, Input: input, Op: a.op(), Now: t.now, DryRun: c.DryRun,
		Waiting: waiting, Notes: askNotes{a, waiting}, Gate: a.gate(t),
	}
	if c.Wait {
		q.Patient = maxWait
	}
	got, err := q.Ask()
	if err != nil {
		return err
	}
	a.committed = got.Changed
	return c.printDecision(a, t, got)
}

// todoToolHint names the switch of an agent's own todo tool, unless it is known to be on.
func todoToolHint(name string) string { return agent.TodoToolHint(name, os.Getenv) }

// todoSwitch names that of the agent that runs the command.
func todoSwitch() string { return todoToolHint(native.Agent(os.LookupEnv)) }

// asked is a list as a question needs it.
type asked struct {
	target
	config   *configFile
	flags    map[string]string // settings for this question alone
	terminal bool              // on which the user can read a countdown
}

func (l asked) Load() (*session.Document, error) { return l.store.Load(l.name) }

func (l asked) Activity() session.Activity { return l.store.Activity(l.name) }

func (l asked) Settings(doc *session.Document) (continuation.Settings, error) {
	set, err := l.settings(l.config, l.flags, doc)
	set.Countdown = set.CountdownFor(l.terminal)
	return set, err
}

func (l asked) Facts(said continuation.Facts) (continuation.Facts, int, error) {
	return ask.WithCalls(l.calls(), l.name, said)
}

func (l asked) Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	l.now = now
	return l.update(op, change)
}

// settings resolves the settings of the list as it is; nil is none.
func (t target) settings(config *configFile, flags map[string]string, doc *session.Document) (continuation.Settings, error) {
	parent, err := t.parent()
	if err != nil {
		return continuation.Settings{}, err
	}
	return config.settings(flags, doc, parent)
}

// printDecision prints a decision; its outcome is the exit code.
func (c *checkContinueCmd) printDecision(a *app, t target, got ask.Answer) error {
	prompt, d := got.Prompt(), got.Decision
	if a.JSON {
		a.write(decisionJSON(t.name, got.Doc, d, got.Settings, prompt, c.Explain))
	} else {
		if c.Explain {
			style := a.styleOf(a.err)
			io.WriteString(a.err, explanation(d, style))
		}
		a.print(prompt)
		if prompt == "" {
			a.printNote(d.Message)
			a.hint(d.Hint)
		}
	}
	if code := outcomeCode(d.Outcome); code != exitOK {
		return cli.Answer(code)
	}
	return nil
}

// explanation shows the checks in their order, one a line. The first that matches decides;
// later checks did not run.
func explanation(d continuation.Decision, style render.Style) string {
	return style.Table(render.Each(d.AllChecks(), func(_ int, c *continuation.Result) []string {
		result := "no"
		switch {
		case c.Matched:
			result = "yes: " + d.Outcome.Action()
		case !c.Asked:
			result = "-"
		}
		return []string{fmt.Sprintf("%2d", c.Number), c.Name, result}
	}), 3)
}
