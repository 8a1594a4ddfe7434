package cmd

import (
	"io"
	"time"

	"github.com/kballard/go-shellquote"

	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/night"
	"onward/internal/output"
	"onward/internal/todo"
	"onward/internal/wait"
)

type checkContinueCmd struct {
	DryRun  bool    `help:"Decide, but commit nothing."`
	Explain bool    `help:"Show every check with its result."`
	Wait    bool    `help:"Wait instead of exiting with code 13; wakes up when another process changes the session."`
	MaxWait *string `placeholder:"D" needs:"wait" help:"The longest total wait; default 1h, or up to a day for a usage limit with a known end."`
	NoGate  bool    `help:"Do not run the gate; --facts may pass its result."`
	Facts   string  `placeholder:"-" complete:"=-" help:"Read the facts below as one JSON object from stdin, such as {\"tool_calls\":3}."`

	factFlags    `embed:"" group:"What only the caller can know (anything omitted is unknown):"`
	settingFlags `embed:"" group:"Settings, for this decision:"`
}

// Run decides, commits the counters, and prints the prompt or the reason why there is none.
func (c *checkContinueCmd) Run(a *app, t find.List) error {
	maxWait, err := find.DurationOf("--max-wait", c.MaxWait, time.Hour)
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
		return cli.WithHint(cli.Usagef("--facts must be -, not %q", c.Facts), "did you mean `onward check-continue --facts - < "+shellquote.Join(c.Facts)+"`?")
	}
	if err := c.proven(input); err != nil {
		return err
	}
	facts.Named, facts.Switch = true, find.CallerTodoToolHint()
	flags := c.givenSettings()
	if c.NoGate {
		flags["gate"] = "none"
	}
	waiting := wait.New(t.Watch)
	defer waiting.Close()
	q := ask.Question{
		List: find.ConfiguredList{List: t, Config: find.ReadConfig(), Flags: flags, Terminal: isTerminal(a.err), Strict: a.mustExist()}, Name: t.Name, Said: facts, Input: input, Op: a.op(), Now: t.Now, Real: todo.TimeOf(time.Now()), DryRun: c.DryRun,
		Waiting: waiting, Notes: askNotes{a, waiting}, Gate: a.gate(t),
	}
	if c.NoGate {
		q.Gate = nil
	}
	if c.Wait {
		q.Patient, q.Resets = maxWait, c.MaxWait == nil
	}
	got, err := q.Ask()
	if err != nil {
		return err
	}
	a.committed = got.Changed || got.Settled
	a.noteLeftBehind(t.PossiblyLeftProjects(got.Doc))
	return c.printDecision(a, t, got)
}

// proven returns an error if the caller brings a gate or its result although only a person may choose the gate.
func (c *checkContinueCmd) proven(input []byte) error {
	if c.Gate != nil {
		if err := find.RequirePerson("choose a gate", "`onward check-continue` runs the gate that is set"); err != nil {
			return err
		}
	}
	if input == nil {
		return nil
	}
	// Wrong facts are reported later, by the command itself.
	if facts, err := continuation.ReadFacts(input); err != nil || facts.Gate == nil {
		return nil
	}
	return find.RequirePerson("report the result of a gate", "`onward check-continue` runs the gate")
}

// printDecision prints a decision; its outcome is the exit code.
func (c *checkContinueCmd) printDecision(a *app, t find.List, got ask.Answer) error {
	prompt, d := got.Prompt(), got.Decision
	if a.JSON {
		a.write(output.DecisionJSON(t.Name, got.Doc, d, got.Settings, prompt, c.Explain))
	} else {
		if c.Explain {
			style := a.styleOf(a.err)
			io.WriteString(a.err, output.ChecksText(d, style))
		}
		a.print(a.screen(prompt)) // a message can contain control characters
		if prompt == "" {
			a.printNote(d.Message)
			a.hint(d.Hint)
		}
	}
	if code := night.ExitCodeOf(d.Outcome); code != cli.ExitOK {
		return cli.ExitCode(code)
	}
	return nil
}
