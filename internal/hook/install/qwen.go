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
		grants: []grant{
			{path: []string{"permissions", "allow"}, element: "Bash(onward *)", need: "let the model run onward without a question, which `qwen -p` cannot ask: `onward hooks install qwen --allow`"},
			{path: []string{"tools", "todoWrite", "enabled"}, value: "true", need: "switch Qwen Code's todo tool on, which is off by default: `onward hooks install qwen --allow`"},
		},
		allow: o.Allow,
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
		notes: o.shared(),
		needs: []string{"set QWEN_CODE_STOP_HOOK_BLOCK_CAP=30 for lists of more than 7 items: Qwen Code ignores a hook that blocks 8 times in a row"},
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
