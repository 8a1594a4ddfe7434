package install

import "path/filepath"

// claude hooks into Claude Code's settings.json.
func claude(o Options) (*plan, error) {
	dir, within := o.folder(".claude", "CLAUDE_CONFIG_DIR")
	const switchName = "CLAUDE_CODE_ENABLE_TODO_TOOLS"
	todoTools := grant{path: []string{"env", switchName}, value: `"1"`}
	if o.Env(switchName) == "" {
		todoTools.need = "switch Claude Code's todo tools on, which newer models do not have: `onward hooks install claude --allow`, or CLAUDE_CODE_ENABLE_TODO_TOOLS=1 for one run"
	}
	hooks := &hooksFile{
		agent: "claude", grouped: true, names: []string{"command"},
		events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
			"SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
		},
		grants: []grant{
			{path: []string{"permissions", "allow"}, element: "Bash(onward:*)", need: "let the model run onward without a question, which `claude -p` cannot ask: `onward hooks install claude --allow`, or --allowedTools 'Bash(onward:*)' for one run"},
			todoTools,
		},
		allow:   o.Allow,
		entry:   entry(true, "10", false), // seconds
		command: o.command("claude", "SessionStart"),
	}
	return &plan{
		title: "Claude Code",
		files: []file{
			hooks.settings(filepath.Join(dir, "settings.json"), within),
			o.commandFile(filepath.Join(dir, "commands", "todo.md"), within, markdownCommand),
		},
		notes: o.shared(),
		trust: func() string {
			if o.Scope == Project {
				return "Claude Code runs a project's hooks once you have trusted the folder, which it asks when it is first opened"
			}
			return ""
		},
		warn: func(data [][]byte) []string {
			if off, _ := flag(data[0], "/disableAllHooks"); off {
				return []string{"disableAllHooks is true in these settings, so Claude Code runs no hook"}
			}
			return nil
		},
	}, nil
}
