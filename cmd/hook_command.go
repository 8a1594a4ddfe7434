package cmd

import (
	"strings"

	"onward/internal/slash"
)

// command runs a command that the user typed as a prompt, such as /todo done 2, and returns its output.
func (r *hookRun) command() string {
	line := strings.TrimSpace(r.call.Text)
	run := &slashRun{app: r.app, List: r.List}
	switch act, _ := run.evaluate(line); {
	case act.Type == slash.Confirm:
		// An agent cannot ask the user on onward's behalf, so a question is not passed on.
		return act.Prompt + " To do it, run: onward slash --session " + r.Name.Session + " --confirmed '" + line + "'"
	case act.Content != nil && *act.Content != "":
		return *act.Content
	default:
		return string(act.Type)
	}
}
