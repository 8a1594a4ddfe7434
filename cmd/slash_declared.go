package cmd

import (
	"cmp"
	"fmt"
	"strings"

	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/render"
	"onward/internal/slash"
)

// slashCommands returns the slash commands: the built-in ones, those of the user, and those of the project.
// The user's win, because a repository must not change what a name means.
func (a *app) slashCommands() ([]slash.Declaration, error) {
	all := slash.Builtin()
	files, err := toolFiles()
	if err != nil {
		return all, err
	}
	own, err := userCommands(files)
	if err != nil {
		return all, err
	}
	all = append(all, own...)
	data, err := files.ProjectCommands()
	var project []slash.Declaration
	if data != nil {
		project, err = decodeCommands(data, "of the project", "project")
	}
	all, notes, err := tool.MergeProject(all, project, err, func(d *slash.Declaration) string { return "command /" + d.Name })
	for _, n := range notes {
		a.printNote(n)
	}
	return all, err
}

// userCommands returns the slash commands of the user.
func userCommands(files tool.Files) ([]slash.Declaration, error) {
	data, err := files.UserCommands()
	if data == nil || err != nil {
		return nil, err
	}
	return decodeCommands(data, files.CommandsPath(), "user")
}

func decodeCommands(data []byte, path, source string) ([]slash.Declaration, error) {
	list, err := slash.Decode(data, source)
	if err != nil {
		return nil, fmt.Errorf("read commands %s: %w", path, err)
	}
	return list, nil
}

// declared answers a line with the effect of its declared command.
func (r *slashRun) declared(commands []slash.Declaration, line slash.Line) (act slash.Action, err error) {
	d, path, rest := slash.Find(commands, line)
	switch {
	case d == nil:
		return act, cli.Usagef("%s", unknownLine(line, commands))
	case d.Action == nil:
		names := render.Map(d.SubCommands, func(_ int, sub *slash.Declaration) string { return "/" + path + " " + sub.Name })
		return act, cli.Usagef("/%s needs a sub-command: %s", path, strings.Join(names, ", "))
	case rest != "" && !d.Action.AcceptsArgs():
		return act, cli.Usagef("/%s takes nothing behind it, and there is %q", path, rest)
	}
	return r.perform(d.Action.WithArgs(rest), line)
}

// perform answers with an effect. If it requires confirmation, the answer is a question, unless the user has confirmed it.
func (r *slashRun) perform(e slash.Effect, line slash.Line) (slash.Action, error) {
	switch e.Type {
	case slash.Message:
		return slash.NewMessage(cmp.Or(e.Level, slash.Info), e.Content), nil
	case slash.Confirm:
		if r.confirmed {
			return r.perform(*e.Action, line)
		}
		return slash.Action{Type: slash.Confirm, Prompt: e.Prompt, Original: line.String()}, nil
	case slash.ConfirmShell:
		return r.shell(e.Commands, line)
	case slash.LoadHistory:
		return r.todo(slash.Line{Name: "todo", Rest: "load " + e.Session})
	case slash.ScheduleTool:
		return r.tool(slash.Line{Name: "tool", Rest: e.Name + " " + string(e.Args)})
	}
	act := slash.Action{Type: e.Type, Dialog: e.Dialog}
	if e.Type == slash.SubmitPrompt {
		act.Content = &e.Content
	}
	return act, nil
}
