package cmd

import (
	"cmp"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/todo"
)

// settings returns the settings of the run's session, with those that its flags give.
func (r *runner) settings() (continuation.Settings, error) {
	doc, err := r.t.Store.Load(r.t.Name)
	if err != nil {
		return continuation.Settings{}, err
	}
	return r.t.Settings(find.ReadConfig(), r.givenSettings(), doc)
}

// showPlan prints what the run would begin with, and starts and changes nothing.
func (r *runner) showPlan() error {
	if r.a.JSON {
		return cli.WithHint(cli.Usagef("--dry-run prints text, and --json the events of a run"), "leave one of them out")
	}
	set, err := r.settings()
	if err != nil {
		return err
	}
	n, others := r.night, r.night.Relay
	plan, err := n.Plan()
	if err != nil {
		return err
	}
	var rows [][]string
	row := func(key, text string) { rows = append(rows, []string{key, render.Text(text)}) }
	if plan.Earlier != "" {
		row("goes on", plan.Earlier)
	}
	argv, input := n.Program.TurnArgs(n.Words, plan.Conversation, "PROMPT")
	command := shellquote.Join(argv...)
	if input != "" {
		command += " < PROMPT"
	}
	row("command", command)
	for _, is := range others {
		if is.Name != n.Agent {
			row("then", is.Name+", at a usage limit of more than "+todo.SpanText(n.Machine.RelayAfter)+", "+is.RightsText())
		}
	}
	if plan.Prompt != "" {
		rows = append(rows, []string{"prompt", strings.TrimSpace(plan.Prompt)})
	} else {
		row("prompt", r.a.withSameListFlags(plan.Why))
	}
	row("gate", cmp.Or(set.Gate, "none: the agent's own list decides"))
	row("budgets", cmp.Or(strings.Join(set.Budgets(), ", "), "none: --max-usd, --max-tokens and --max-duration set one"))
	row("rights", cmp.Or(shellquote.Join(n.Words...), "no flag of the agent follows --, so its own settings decide"))
	r.a.print(r.a.style().Paragraphs(rows))
	return nil
}
