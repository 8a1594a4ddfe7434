package install

import "path/filepath"

// qwen hooks into Qwen Code's settings.json.
func qwen(o Options) (*plan, error) {
	dir, within := o.folder(".qwen", "QWEN_HOME")
	hooks := &hooksFile{
		agent: "qwen", grouped: true, names: []string{"command"},
		events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
			"SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
		},
		// Milliseconds: old versions know nothing else, and new ones take 1000 and more for them.
		entry:   entry(true, "10000", true),
		command: o.command("qwen", "SessionStart"),
	}
	return &plan{
		title: "Qwen Code",
		files: []file{
			hooks.settings(filepath.Join(dir, "settings.json"), within),
			o.commandFile(filepath.Join(dir, "commands", "todo.md"), within, qwenCommand),
		},
		notes: o.shared("Qwen Code has its todo tool switched off by default; to use it set tools.todoWrite.enabled to true, else the model keeps the list with `onward todo`"),
		trust: func() string {
			if o.Scope == Project {
				return "Qwen Code loads a project's hooks only in a folder that you have trusted (/trust)"
			}
			return ""
		},
		warn: func(data [][]byte) []string {
			if off, _ := flag(data[0], "/disableAllHooks"); off {
				return []string{"disableAllHooks is true in these settings, so Qwen Code runs no hook"}
			}
			return nil
		},
	}, nil
}
