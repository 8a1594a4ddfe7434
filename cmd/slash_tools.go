package cmd

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/object"
	"onward/internal/slash"
)

// tool answers with a call of a tool, if its arguments are valid for the tool.
func (r *slashRun) tool(line slash.Line) (act slash.Action, err error) {
	name, args, _ := strings.Cut(line.Rest, " ")
	if name == "" {
		return act, cli.Usagef("/tool needs the name of a tool; `onward tools list` shows them")
	}
	if args = strings.TrimSpace(args); args == "" {
		args = "{}"
	}
	tools, err := r.app.tools()
	if err != nil {
		return act, err
	}
	t := tools.Find(name)
	if t == nil {
		return act, cli.Failf(cli.ExitNotFound, "%s", unknownTool(tools, name))
	}
	value := jsontext.Value(args)
	check, err := argumentCheck(tools, tool.Call{Tool: name, Args: value})
	if err != nil {
		return act, err
	}
	if err := check(t, value); err != nil {
		return act, cli.Usagef("the arguments of %s: %v", name, object.DescribeError(value, err))
	}
	if err := value.Compact(); err != nil {
		return act, err
	}
	return slash.Action{Type: slash.ScheduleTool, Name: name, Args: value}, nil
}

// unknownTool returns the error about an unknown tool, with similar ones.
func unknownTool(tools tool.Set, name string) string {
	text := fmt.Sprintf("there is no tool %q", name)
	if meant := tools.Suggest(name); len(meant) > 0 {
		text += "; did you mean " + strings.Join(meant, " or ") + "?"
	}
	return text
}

// run asks the user about a shell command.
func (r *slashRun) run(line slash.Line) (act slash.Action, err error) {
	if line.Rest == "" {
		return act, cli.Usagef("/run needs a command")
	}
	return r.shell([]string{line.Rest}, line)
}

// shell asks the user about shell commands. Once they are confirmed, each is submitted as an approved call.
func (r *slashRun) shell(commands []string, line slash.Line) (act slash.Action, err error) {
	if !r.confirmed {
		return slash.Action{Type: slash.ConfirmShell, Commands: commands, Original: line.String()}, nil
	}
	var said []string
	for _, command := range commands {
		w := object.NewWriter(len(command) + 32)
		w.Open('{')
		w.String("command", command)
		w.Close('}')
		id := fmt.Sprintf("run-%08x", rand.Uint32())
		act, err = r.command("schedule", "submit", "shell", "--id="+id, "--args="+string(w.Bytes()))
		if errors.Is(err, cli.ExitCode(cli.ExitAwaitingApproval)) {
			act, err = r.command("schedule", "approve", id)
		}
		if err != nil {
			return act, err
		}
		said = append(said, fmt.Sprintf("call %s is scheduled; `onward schedule run` runs it", id))
	}
	return slash.NewMessage(slash.Info, strings.Join(said, "\n")), nil
}
