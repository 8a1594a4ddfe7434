package install

import (
	_ "embed"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed opencode.js
var opencodePlugin string

// opencode writes a small plugin, since opencode runs no commands of its own accord.
func opencode(o Options) (*plan, error) {
	dir, within := filepath.Join(o.Project, ".opencode"), o.Project
	if o.Scope == User {
		dir, within = filepath.Join(o.Config, "opencode"), ""
		if own := o.Env("OPENCODE_CONFIG_DIR"); own != "" {
			dir = own
		}
	}
	arguments := `"hook", "opencode"`
	if o.Context {
		arguments += `, "--context"`
	}
	plugin := strings.NewReplacer("PROGRAM", javascriptString(o.Program), "ARGUMENTS", arguments).Replace(opencodePlugin)
	program := func(data []byte) string {
		name, err := strconv.Unquote(between(data, "const program = ", "\n"))
		if err != nil {
			return ""
		}
		return name
	}
	return &plan{
		title: "opencode",
		files: []file{
			owned(filepath.Join(dir, "plugins", "onward.js"), within, 0o644, commandMark, plugin, program),
			o.commandFile(filepath.Join(dir, "commands", "todo.md"), within, opencodeCommand),
		},
		notes: o.shared(
			"opencode reads plugins at its start, so start it anew",
			"`opencode run` ends with the model's first stop, before a plugin can send it on; the terminal interface, `opencode serve` and `opencode web` go on",
		),
	}, nil
}

// javascriptString writes a string that both JavaScript and Go read alike.
func javascriptString(s string) string {
	out, err := strconv.Unquote(`"` + s + `"`)
	if err == nil && out == s {
		return `"` + s + `"`
	}
	return strconv.QuoteToASCII(s)
}

const opencodeCommand = `---
description: Show or change the todo list (onward)
---
<!-- written by onward: ONWARD hooks install -->
Run this one command, with the arguments below as one quoted argument after "/todo ", and show what it prints as it is:

    ONWARD slash "/todo ARGUMENTS"

The arguments: $ARGUMENTS
`
