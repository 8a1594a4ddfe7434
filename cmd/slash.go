package cmd

import (
	"fmt"
	"strings"

	"onward/internal/cli"
	"onward/internal/near"
	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/slash"
	"onward/internal/todo"
)

type slashCmd struct {
	Text      []string `arg:"" empty:"" optional:"" help:"The line, as the user types it: '/todo done 2'; - reads it from stdin."`
	Confirmed bool     `help:"The user has confirmed what the line asks for."`
	Complete  bool     `help:"List the completions of the line, each with a description."`
	List      bool     `help:"List every command, built in or declared in commands.json."`
}

// Run runs a line that the user typed into an agent, and answers with what a wrapper is to do.
func (c *slashCmd) Run(a *app) error {
	switch {
	case c.List && len(c.Text) > 0:
		return cli.Usagef("--list takes no line")
	case c.List:
		return a.listCommands()
	case len(c.Text) == 0:
		return cli.Hinted(cli.Usagef("missing: <text> ..."), "see `onward slash --help`")
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
	r := &slashRun{app: a, target: t, confirmed: c.Confirmed}
	act, code := r.evaluate(text)
	a.writeJSON(actionJSON(act))
	if code != exitOK {
		return cli.Answer(code)
	}
	return nil
}

// slashRun is one line on its way to its answer.
type slashRun struct {
	app *app
	target
	confirmed bool
}

// evaluate returns the action of a line, and the exit code of what it ran.
func (r *slashRun) evaluate(text string) (slash.Action, int) {
	line, err := slash.Parse(text)
	if err != nil {
		return slash.NewMessage(slash.Error, err.Error()), exitUsage
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
		return slash.Action{Type: slash.OpenDialog, Dialog: line.Name}, exitOK
	case "quit", "exit":
		return slash.Action{Type: slash.Quit}, exitOK
	}
	declared, err := r.app.declaredCommands()
	if err != nil {
		return r.failed(err)
	}
	if act, code, found := r.declared(declared, line); found {
		return act, code
	}
	return slash.NewMessage(slash.Error, unknownLine(line, declared)), exitUsage
}

// unknownLine suggests known commands.
func unknownLine(line slash.Line, declared []slash.Declaration) string {
	names := render.Each(slash.Commands(), func(_ int, c *slash.Command) string { return c.Name })
	for _, d := range declared {
		names = append(names, d.Name)
	}
	text := "there is no command /" + line.Name
	if meant := near.Names(line.Name, names); len(meant) > 0 {
		return text + "; did you mean /" + strings.Join(meant, " or /") + "?"
	}
	return text + "; the commands are /" + strings.Join(names, ", /")
}

// todo runs a command about the list. Clearing a whole list asks first while an item is open.
func (r *slashRun) todo(line slash.Line) (slash.Action, int) {
	doc, err := r.store.Load(r.name)
	if err != nil {
		return r.failed(err)
	}
	question := line.Drops()
	if open := todo.Count(doc.Current()).Open; question != "" && open > 0 && !r.confirmed {
		return slash.Action{Type: slash.Confirm, Prompt: question + " " + stillOpen(open), Original: line.String()}, exitOK
	}
	act, code := r.words(line)
	if words, _ := line.Args(); code == exitOK && len(words) > 0 && words[0] == "load" {
		if doc, err = r.store.Load(r.name); err != nil {
			// The list was loaded; only it cannot be shown.
			return slash.NewMessage(slash.Error, err.Error()), exitNotDurable
		}
		w := object.NewWriter(256 * len(doc.Current()))
		writeItems(w, doc.Current(), everything(doc))
		act.Type, act.Items = slash.LoadHistory, w.Bytes()
	}
	return act, code
}

func stillOpen(n int) string {
	if n == 1 {
		return "1 item is open."
	}
	return fmt.Sprintf("%d items are open.", n)
}

// checkContinue asks whether the agent should continue, as the loop would.
func (r *slashRun) checkContinue() (slash.Action, int) {
	act, code := r.command("check-continue")
	switch {
	case code == exitOK:
		return slash.Action{Type: slash.SubmitPrompt, Content: act.Content}, exitOK
	case code < exitUsage:
		// A reason not to continue is an answer, not a failure.
		act.Level, code = slash.Info, exitOK
	}
	return act, code
}

// words runs the command of the line's name with its words.
func (r *slashRun) words(line slash.Line) (slash.Action, int) {
	words, err := line.Args()
	if err != nil {
		return r.failed(err)
	}
	if line.Name == "todo" && len(words) == 0 {
		words = []string{"show"}
	}
	return r.command(append([]string{line.Name}, words...)...)
}

// command runs another command of onward on the same list, and returns its output as a message.
func (r *slashRun) command(args ...string) (slash.Action, int) {
	said, errs, code := r.app.within(append(r.flags(), args...)...)
	if said == "" {
		said = strings.TrimPrefix(errs, "onward: ")
	}
	level := slash.Info
	if code != exitOK {
		level = slash.Error
	}
	return slash.NewMessage(level, strings.TrimRight(said, "\n")), code
}

// flags returns the global flags under which a command works on the same list at the same time.
func (r *slashRun) flags() []string {
	flags := []string{"--session=" + r.name.Session, "--store=" + r.files.address.Text, "--now=" + r.now.String(), "--lock-timeout=" + r.files.local.Wait.String(), "--color=never"}
	if r.name.Agent != "" {
		flags = append(flags, "--agent="+r.name.Agent)
	}
	if op := r.app.op(); op != "" {
		flags = append(flags, "--op="+op)
	}
	return flags
}

// failed is an error as a message.
func (r *slashRun) failed(err error) (slash.Action, int) {
	return slash.NewMessage(slash.Error, err.Error()), codeOf(err)
}

// completeLine lists how a line can continue.
func (a *app) completeLine(text string) error {
	var found []candidate
	switch name, rest, more := strings.Cut(strings.TrimPrefix(text, "/"), " "); {
	case !more:
		declared, _ := a.declaredCommands() // each line reports its own errors
		found = cli.Starting("/"+name, append(builtinNames(), declaredNames("/", declared)...))
	case name == "todo" || name == "set" || name == "message":
		// What is typed so far may end in the middle of a quote.
		words, err := slash.Line{Rest: rest}.Words()
		if err != nil {
			break
		}
		if len(words) == 0 || strings.HasSuffix(rest, " ") {
			words = append(words, "")
		}
		found = a.complete(append([]string{name}, words...))
	case name == "tool" && !strings.Contains(rest, " "):
		found = cli.Starting(rest, a.toolNames()) // each line reports why there are none
	}
	if len(found) == 0 && strings.Contains(text, " ") {
		found = a.subCommands(text)
	}
	a.show(struct {
		Schema      string      `json:"schema"`
		Completions []candidate `json:"completions"`
	}{"onward/completions/v1", found}, candidatesText(found))
	return nil
}

// subCommands lists the sub-commands of a declared command with which a line can continue.
func (a *app) subCommands(text string) []candidate {
	declared, _ := a.declaredCommands()
	line, err := slash.Parse(text)
	if err != nil {
		return nil
	}
	d, _, rest := slash.Find(declared, line)
	if d == nil || strings.Contains(rest, " ") || rest != "" && strings.HasSuffix(text, " ") {
		return nil
	}
	return cli.Starting(rest, declaredNames("", d.SubCommands))
}

// builtinNames makes candidates of onward's own commands.
func builtinNames() []candidate {
	return render.Each(slash.Commands(), func(_ int, c *slash.Command) candidate { return candidate{Text: "/" + c.Name, Help: c.Help} })
}

// declaredNames makes candidates of declared commands, with the prefix of their names.
func declaredNames(before string, declared []slash.Declaration) []candidate {
	return render.Each(declared, func(_ int, d *slash.Declaration) candidate {
		return candidate{Text: before + d.Name, Help: d.Description}
	})
}

// listCommands lists every command.
func (a *app) listCommands() error {
	declared, err := a.declaredCommands()
	if err != nil {
		return err
	}
	list := builtinNames()
	var add func(before string, declared []slash.Declaration)
	add = func(before string, declared []slash.Declaration) {
		for _, d := range declared {
			if d.Action != nil {
				list = append(list, candidate{Text: before + d.Name, Help: d.Description})
			}
			add(before+d.Name+" ", d.SubCommands)
		}
	}
	add("/", declared)
	a.show(slashCommandsJSON(declared), candidatesText(list))
	return nil
}
