package install

import "strings"

// commandMark is how onward knows a command file of its own.
const commandMark = "written by onward"

// commandFile makes the agent's own file for /todo, without which it refuses the command
// before any hook sees it. The hook answers it where it can; elsewhere the file tells the model what to run.
func (o Options) commandFile(path, within, form string) file {
	program := quote(o.Program, o.Windows)
	f := owned(path, within, 0o644, commandMark, strings.ReplaceAll(form, "ONWARD", program), func(data []byte) string {
		line := between(data, commandMark+": ", " hooks install")
		if list, ok := words(line); ok && len(list) == 1 {
			return list[0]
		}
		return line
	})
	f.extra = true
	return f
}

// The command files of the agents that have such. The arguments come from the user's own keyboard,
// and are handed to the model as text, not to a shell.
const (
	markdownCommand = `---
description: Show or change the todo list (onward)
argument-hint: "[show | add TEXT | done N | list | load N | clear]"
allowed-tools: Bash(ONWARD:*)
---
<!-- written by onward: ONWARD hooks install -->
Run this one command, with the arguments below as one quoted argument after "/todo ", and show what it prints as it is:

    ONWARD slash "/todo ARGUMENTS"

The arguments: $ARGUMENTS
`
	qwenCommand = `---
description: Show or change the todo list (onward)
---
<!-- written by onward: ONWARD hooks install -->
Run this one command, with the arguments below as one quoted argument after "/todo ", and show what it prints as it is:

    ONWARD slash "/todo ARGUMENTS"

The arguments: {{args}}
`
	plainCommand = `<!-- written by onward: ONWARD hooks install -->
Run this one command, with what the user wrote after /todo as one quoted argument, and show what it prints as it is:

    ONWARD slash "/todo ARGUMENTS"
`
	geminiCommand = `# written by onward: ONWARD hooks install
description = "Show or change the todo list (onward)"
prompt = """
Run this one command, with the arguments below as one quoted argument after "/todo ", and show what it prints as it is:

    ONWARD slash "/todo ARGUMENTS"

The arguments: {{args}}
"""
`
)
