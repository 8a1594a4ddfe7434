package install

import "path/filepath"

// vscode writes a file of its own into a folder of hooks that VS Code reads.
func vscode(o Options) (*plan, error) {
	dir, within := o.folder(".copilot", "")
	if o.Scope == Project {
		dir = filepath.Join(o.Project, ".github")
	}
	hooks := &hooksFile{
		agent: "vscode", names: []string{"command"},
		events:  []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop"},
		entry:   entry(false, "10", false), // seconds
		command: o.command("vscode", "SessionStart"),
	}
	return &plan{
		title: "VS Code",
		files: []file{hooks.settings(filepath.Join(dir, "hooks", "onward-vscode.json"), within)},
		notes: o.shared(
			"experimental: not tried with VS Code itself yet",
			"VS Code and GitHub Copilot CLI read the same folder and .claude/settings.json too, so install for one of them in a project",
		),
	}, nil
}
