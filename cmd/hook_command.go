package cmd

import (
	"strings"

	"onward/internal/slash"
)

// command runs a command that the user typed as a prompt, such as /todo done 2, and returns its output.
func (r *hookRun) command() string {
	line := strings.TrimSpace(r.call.Text)
	run := &slashRun{app: r.app, target: r.target}
	act, _ := run.evaluate(line)
	text := act.Content
	if act.Type == slash.Confirm {
		// The answer ends here: an agent does not ask on our behalf.
		text = act.Prompt + " To do it, run: onward slash --session " + r.name.Session + " --confirmed '" + line + "'"
	}
	if text == "" {
		text = string(act.Type)
	}
	return text
}
