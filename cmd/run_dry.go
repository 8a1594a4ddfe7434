package cmd

import (
	"cmp"
	"fmt"
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
	return r.t.Settings(find.ReadConfig(), r.values(), doc)
}

// showPlan prints what the run would begin with, and starts and changes nothing.
func (r *runner) showPlan() error {
	if r.a.JSON {
		return cli.Hinted(cli.Usagef("--dry-run prints text, and --json the events of a run"), "leave one of them out")
	}
	set, err := r.settings()
	if err != nil {
		return err
	}
	last, err := r.t.Store.ReadRun(r.t.Name)
	if err != nil {
		return err
	}
	queued, err := r.listStore().Messages()
	if err != nil {
		return err
	}
	n, others := r.night, r.night.Relay
	conversation, task := "", n.Task
	var rows [][]string
	row := func(key, text string) { rows = append(rows, []string{key, render.Text(text)}) }
	if last != nil && !last.Over() && !r.New {
		row("goes on", "the run that was cut off, or is at work")
		n.UseLast(last)
		if task = last.Task; n.Program.CanResume(last.Conversation) && last.Agent == n.Agent {
			conversation = last.Conversation
		}
	}
	argv, input := n.Program.Start(n.Words, conversation, "PROMPT")
	command := shellquote.Join(argv...)
	if input != "" {
		command += " < PROMPT"
	}
	row("command", command)
	for _, is := range others {
		if is.Name != n.Agent {
			row("then", is.Name+", at a usage limit of more than "+todo.Span(n.Machine.RelayAfter)+", "+is.Rights())
		}
	}
	switch {
	case conversation != "" || task == "":
		row("prompt", "that of the list, as `onward check-continue --dry-run` prints it")
	default:
		rows = append(rows, []string{"prompt", strings.TrimSpace(continuation.TaskPrompt(r.t.Name, task, continuation.Words(queued), n.Knows(), n.Machine.Proof, set))})
	}
	row("gate", cmp.Or(set.Gate, "none: the list alone says what is done"))
	var budgets []string
	if set.MaxUSD > 0 {
		budgets = append(budgets, fmt.Sprintf("$%g", set.MaxUSD))
	}
	if set.MaxTokens > 0 {
		budgets = append(budgets, todo.Plural(int(set.MaxTokens), "token"))
	}
	if set.MaxDuration > 0 {
		budgets = append(budgets, todo.Span(set.MaxDuration))
	}
	row("budgets", cmp.Or(strings.Join(budgets, ", "), "none: --max-usd, --max-tokens and --max-duration set one"))
	row("rights", cmp.Or(shellquote.Join(n.Words...), "no flag of the agent follows --, so its own settings decide"))
	r.a.print(r.a.style().Paragraphs(rows))
	return nil
}
