package install

import "path/filepath"

// copilot writes a file of its own into the folder of hooks that GitHub Copilot CLI reads.
// The events have their long names, because only with them does the CLI say which one it is.
func copilot(o Options) (*plan, error) {
	dir, within := o.folder(".copilot", "COPILOT_HOME")
	if o.Scope == Project {
		dir = filepath.Join(o.Project, ".github")
	}
	commands := o.command("copilot", "SessionStart")
	hooks := &hooksFile{
		agent: "copilot", noMark: true, version: true, names: []string{"bash", "powershell"},
		events: []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop", "ErrorOccurred", "SessionEnd"},
		entry: func(event, command string) []byte {
			_, powershell := commands(event)
			out := text([]byte(`{"type":"command","bash":`), command)
			out = text(append(out, `,"powershell":`...), powershell)
			return append(out, `,"timeoutSec":10}`...)
		},
		command: commands,
	}
	return &plan{
		title: "GitHub Copilot CLI",
		files: []file{hooks.settings(filepath.Join(dir, "hooks", "onward.json"), within)},
		needs: []string{
			"let the model run onward without a question, which `copilot -p` cannot ask: --allow-tool 'shell(onward:*)'",
			"run it with --trust-folder, or trust the folder once in a session: a project's hooks do not run elsewhere",
		},
		notes: o.shared(
			"experimental: not tried with GitHub Copilot CLI itself yet",
			"it also reads the hooks in .claude/settings.json, so install for one of the two in a project",
		),
	}, nil
}
