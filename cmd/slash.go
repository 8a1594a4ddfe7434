package cmd

import (
	"errors"
	"slices"
	"strings"

	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/object"
	"onward/internal/output"
	"onward/internal/slash"
	"onward/internal/todo"
)

type slashCmd struct {
	Text      []string `arg:"" empty:"" optional:"" help:"The line, as the user types it: '/todo done 2'; - reads it from stdin."`
	Confirmed bool     `help:"The user has confirmed the action."`
	Complete  bool     `help:"List the completions of the line, each with a description."`
	List      bool     `help:"List every command, built in or declared in commands.json."`
}

// Run runs a line that the user typed into an agent, and prints the action for the wrapper of the agent.
func (c *slashCmd) Run(a *app) error {
	switch {
	case c.List && len(c.Text) > 0:
		return cli.Usagef("--list takes no line")
	case c.List:
		return a.listSlashCommands()
	case len(c.Text) == 0:
		return cli.WithHint(cli.Usagef("which line?"), "for example `onward slash '/todo done 2'`; see `onward slash --help`")
	}
	text, err := a.messageText(c.Text)
	if err != nil {
		return err
	}
	if c.Complete {
		return a.completeLine(text)
	}
	t, err := a.target()
	if err != nil {
		return err
	}
	r := &slashRun{app: a, List: t, confirmed: c.Confirmed}
	act, code := r.evaluate(text)
	a.writeJSON(output.Members{"schema", "onward/action/v1", "action", act})
	if code != cli.ExitOK {
		return cli.ExitCode(code)
	}
	return nil
}

// slashRun has the state of answering one line.
type slashRun struct {
	app *app
	find.List
	confirmed bool
}

// evaluate returns the action of a line, and the exit code of the command that it ran. An error becomes a message.
func (r *slashRun) evaluate(text string) (slash.Action, int) {
	act, err := r.answer(text)
	var ended cli.ExitCode
	switch {
	case err == nil:
		return act, cli.ExitOK
	case errors.As(err, &ended):
		return act, int(ended)
	}
	return slash.NewMessage(slash.Error, err.Error()), codeOf(err)
}

func (r *slashRun) answer(text string) (act slash.Action, err error) {
	line, err := slash.Parse(text)
	if err != nil {
		return act, err
	}
	switch line.Name {
	case "todo":
		return r.todo(line)
	case "pause", "message", "resume", "stop", "set":
		return r.words(line)
	case "continue":
		return r.checkContinue()
	case "tool":
		return r.tool(line)
	case "run":
		return r.run(line)
	case "help", "settings":
		return slash.Action{Type: slash.OpenDialog, Dialog: line.Name}, nil
	case "quit", "exit":
		return slash.Action{Type: slash.Quit}, nil
	}
	commands, err := r.app.slashCommands()
	if err != nil {
		return act, err
	}
	return r.declared(commands, line)
}

// todo runs a command about the list. Clearing a whole list asks first while an item is open.
func (r *slashRun) todo(line slash.Line) (act slash.Action, err error) {
	doc, err := r.Store.Load(r.Name)
	if err != nil {
		return act, err
	}
	if question := line.Question(todo.Count(doc.Current()).Open); question != "" && !r.confirmed {
		return slash.Action{Type: slash.Confirm, Prompt: question, Original: line.String()}, nil
	}
	if act, err = r.words(line); err != nil || !line.ReplacesList() {
		return act, err
	}
	if doc, err = r.Store.Load(r.Name); err != nil {
		// The list was cleared or loaded, though it cannot be shown.
		return act, cli.Failf(cli.ExitNotDurable, "%w", err)
	}
	if doc != nil && act.Content != nil {
		if why := output.WhyHeld(r.Name, doc); why != "" {
			*act.Content += "\n" + why
		}
	}
	if line.LoadsList() {
		w := object.NewWriter(256 * len(doc.Current()))
		output.WriteItems(w, doc.Current(), allIndices(doc))
		act.Type, act.Items = slash.LoadHistory, w.Bytes()
	}
	return act, err
}

// checkContinue asks whether the agent should continue, as the loop would.
func (r *slashRun) checkContinue() (slash.Action, error) {
	act, err := r.command("check-continue")
	var ended cli.ExitCode
	switch {
	case err == nil:
		return slash.Action{Type: slash.SubmitPrompt, Content: act.Content}, nil
	case errors.As(err, &ended) && ended < cli.ExitUsage:
		// A reason not to continue is an answer, not a failure.
		act.Level, err = slash.Info, nil
	}
	return act, err
}

// words runs the command of the line's name with its words.
func (r *slashRun) words(line slash.Line) (act slash.Action, err error) {
	words, err := line.Args()
	if err != nil {
		return act, err
	}
	if line.Name == "todo" && len(words) == 0 {
		words = []string{"show"}
	}
	return r.command(append([]string{line.Name}, words...)...)
}

// command runs another command of onward on the same list, and returns its output as a message.
func (r *slashRun) command(args ...string) (slash.Action, error) {
	flags := r.flags()
	said, errs, code := r.app.runInner(slices.Concat(flags, args)...)
	if said == "" {
		said = slash.RewriteErrors(errs, cli.QuoteWords(flags))
	}
	said = strings.TrimRight(said, "\n")
	if code != cli.ExitOK {
		return slash.NewMessage(slash.Error, said), cli.ExitCode(code)
	}
	return slash.NewMessage(slash.Info, said), nil
}

// flags returns the global flags under which a command works on the same list at the same time.
func (r *slashRun) flags() []string {
	flags := []string{
		"--session=" + r.Name.Session, "--agent=" + r.Name.AgentID(), "--store=" + r.Storage.Address.Text,
		"--now=" + r.Now.String(), "--lock-timeout=" + r.Storage.Local.Wait.String(), "--color=never",
	}
	if op := r.app.op(); op != "" {
		flags = append(flags, "--op="+op)
	}
	return flags
}
