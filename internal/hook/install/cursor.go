package install

import "path/filepath"

// cursor hooks into Cursor's hooks.json. Its preCompact is left out, since nothing tells the end of a compaction.
func cursor(o Options) (*plan, error) {
	dir, within := o.folder(".cursor", "")
	hooks := &hooksFile{
		agent: "cursor", version: true, names: []string{"command"},
		events: []string{"sessionStart", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "stop", "subagentStop", "sessionEnd"},
		entry: func(_, command string) []byte {
			return append(text([]byte(`{"command":`), command), '}')
		},
		command: o.command("cursor", "sessionStart"),
	}
	return &plan{
		title: "Cursor",
		files: []file{
			hooks.settings(filepath.Join(dir, "hooks.json"), within),
			o.commandFile(filepath.Join(dir, "commands", "todo.md"), within, plainCommand),
		},
		notes: o.shared("experimental: not tried with Cursor itself yet", "Cursor's cloud agents run no stop hooks"),
		trust: func() string {
			if o.Scope == Project {
				return "Cursor runs a project's hooks in a trusted workspace only"
			}
			return ""
		},
	}, nil
}
