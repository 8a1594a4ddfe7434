package cmd

import (
	"fmt"
	"os"
	"time"

	"onward/internal/agent"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/render"
	"onward/internal/schedule"
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
	facts, err := c.facts(a)
	if err != nil {
		return err
	}
	facts.Named = t.named
	flags := c.values()
	if c.NoGate {
		flags["gate"] = "none"
	}
	list := &askedList{a: a, target: t, flags: flags}
	waiting := newWaiting(t.watch)
	defer waiting.Close()
	q := ask.Question{
		List: list, Said: facts, Op: a.op(), Now: t.now, DryRun: c.DryRun,
		Waiting: waiting, Notes: askNotes{a, waiting},
		Gate: &gate{files: t.files, name: t.name, user: a},
	}
	if c.Wait {
		q.Patient = maxWait
	}
	got, err := q.Ask()
	if err != nil {
		return err
	}
	return c.printDecision(a, t, got.Doc, got.Decision, got.Settings)
}

// askedList is the list of a target, as the question needs it.
type askedList struct {
	a *app
	target
	flags  map[string]string // settings for this question alone
	config *configFile       // nil: it is read when settings are asked for
	idle   bool              // it was reported that no process runs the calls
}

func (l *askedList) Load() (*session.Document, error) { return l.store.Load(l.name) }

func (l *askedList) Activity() session.Activity { return l.store.Activity(l.name) }

// Settings resolves the settings for a list as it is.
// If the countdown is left to the place, there is one on a terminal.
func (l *askedList) Settings(doc *session.Document) (continuation.Settings, error) {
	parent, err := l.parent()
	if err != nil {
		return continuation.Settings{}, err
	}
	config := l.config
	if config == nil {
		config = readConfigFile()
	}
	set, err := config.settings(l.flags, doc, parent)
	if set.Countdown == continuation.Auto {
		set.Countdown = 0
		if isTerminal(l.a.err) {
			set.Countdown = 2 * time.Second
		}
	}
	return set, err
}

// Facts adds the facts of the schedule, and the asking agent. A call without a runner blocks nothing, and is reported once.
func (l *askedList) Facts(said continuation.Facts) (continuation.Facts, error) {
	said.Switch = agent.TodoToolHint(native.Agent(os.LookupEnv))
	facts, idle, err := ask.WithCalls(&schedule.Store{Backend: l.files.Backend}, l.name, said)
	if idle > 0 && !l.idle {
		l.idle = true
		l.a.printNote(fmt.Sprintf("%s scheduled, and no `onward schedule run` is at work on that", todo.Plural(idle, "call")))
	}
	return facts, err
}

func (l *askedList) Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	l.now = now
	return l.a.updateOnce(l.target, op, change)
}

// printDecision prints a decision; its outcome is the exit code.
func (c *checkContinueCmd) printDecision(a *app, t target, doc *session.Document, d continuation.Decision, set continuation.Settings) error {
	prompt := ""
	if d.Outcome == continuation.Continue {
		prompt = continuation.Prompt(doc, d, set)
	}
	if a.JSON {
		a.write(decisionJSON(t.name, doc, d, set, prompt, c.Explain))
	} else {
		if c.Explain {
			a.err.Write([]byte(explanation(d, a.styleOf(a.err))))
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
	var rows [][]string
	for _, c := range d.AllChecks() {
		result := "no"
		switch {
		case c.Matched:
			result = "yes: " + d.Outcome.Action()
		case !c.Asked:
			result = "-"
		}
		rows = append(rows, []string{fmt.Sprintf("%2d", c.Number), c.Name, result})
	}
	return style.Table(rows, 3)
}
