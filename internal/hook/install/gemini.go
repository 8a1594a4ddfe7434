package install

import "path/filepath"

// gemini hooks into Gemini CLI's settings.json. Its PreCompress is left out:
// it comes before every request, whether anything is compressed or not, and has no counterpart at the end.
func gemini(o Options) (*plan, error) {
	dir, within := o.folder(".gemini", "")
	if home := o.Env("GEMINI_CLI_HOME"); o.Scope == User && home != "" {
		dir = filepath.Join(home, ".gemini")
	}
	hooks := &hooksFile{
		agent: "gemini", noMark: true, grouped: true, names: []string{"command"},
		events: []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
		grants: []grant{
			{path: []string{"tools", "allowed"}, element: "run_shell_command(onward)", need: "let the model run onward without a question, which `gemini -p` cannot ask: `onward hooks install gemini --allow`, or --allowed-tools 'run_shell_command(onward)' for one run"},
		},
		allow:   o.Allow,
		entry:   entry(true, "10000", true), // milliseconds
		command: o.command("gemini", "SessionStart"),
	}
	return &plan{
		title: "Gemini CLI",
		files: []file{
			hooks.settings(filepath.Join(dir, "settings.json"), within),
			o.commandFile(filepath.Join(dir, "commands", "todo.toml"), within, geminiCommand),
		},
		notes: o.shared(),
		trust: func() string {
			if o.Scope == Project {
				return "Gemini CLI runs a project's hooks in a trusted folder only, and warns once of each that is new or changed"
			}
			return ""
		},
		warn: func(data [][]byte) []string {
			if on, set := flag(data[0], "/hooksConfig/enabled"); set && !on {
				return []string{"hooksConfig.enabled is false in these settings, so Gemini CLI runs no hook"}
			}
			return nil
		},
	}, nil
}
