package install

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// agent is a row of the table of agents.
type agent struct {
	name   string
	title  string
	scopes []Scope // the default first
	plan   func(Options) (*plan, error)
}

func table() []agent {
	both, user, project := []Scope{Project, User}, []Scope{User}, []Scope{Project}
	return []agent{
		{"claude", "Claude Code", both, claude},
		{"codex", "Codex", both, codex},
		{"gemini", "Gemini CLI", both, gemini},
		{"qwen", "Qwen Code", both, qwen},
		{"opencode", "opencode", both, opencode},
		{"cursor", "Cursor", both, cursor},
		{"copilot", "GitHub Copilot CLI", both, copilot},
		{"vscode", "VS Code", both, vscode},
		{"kimi", "Kimi CLI", user, kimi},
		{"git", "git", project, git},
	}
}

// Names gives the agents that hooks can be installed for, git last.
func Names() []string {
	var out []string
	for _, a := range table() {
		out = append(out, a.name)
	}
	return out
}

// Scopes gives the scopes of an agent, its default first; none where there is no such agent.
func Scopes(name string) []Scope {
	a, err := find(name)
	if err != nil {
		return nil
	}
	return a.scopes
}

func find(name string) (agent, error) {
	rows := table()
	i := slices.IndexFunc(rows, func(a agent) bool { return a.name == name })
	if i < 0 && name == "generic" {
		return agent{}, unfit("generic has nothing to install: hand each event to `onward hook generic`")
	}
	if i < 0 {
		return agent{}, unfit("unknown agent %q (one of %s)", name, strings.Join(Names(), ", "))
	}
	return rows[i], nil
}

// folder gives the folder of an agent's settings: in the project, or the user's,
// which a variable of the agent's may name.
func (o Options) folder(name, variable string) (dir, within string) {
	if o.Scope == Project {
		return filepath.Join(o.Project, name), o.Project
	}
	if own := o.Env(variable); variable != "" && own != "" {
		return own, ""
	}
	return filepath.Join(o.Home, name), ""
}

// command gives the command line of an event's hook. Only the beginning of a session is given context.
func (o Options) command(agent string, starts ...string) func(event string) (sh, powershell string) {
	return func(event string) (string, string) {
		rest := " hook " + agent
		if o.Context && slices.Contains(starts, event) {
			rest += " --context"
		}
		return quote(o.Program, o.Windows) + rest + o.ending(agent), "& '" + strings.ReplaceAll(o.Program, "'", "''") + "'" + rest
	}
}

// settings makes the file of a table of hooks.
func (f *hooksFile) settings(path, within string) file {
	return file{
		path: path, within: within, mode: 0o644,
		put: func(old []byte) ([]byte, error) {
			data, err := f.put(old)
			if err != nil {
				return nil, err
			}
			return f.putGrants(data)
		},
		cut: func(old []byte, granted []string) ([]byte, error) {
			data, err := f.cut(old)
			if err != nil {
				return nil, err
			}
			return f.cutGrants(data, granted)
		},
		granted: f.granted,
		programs: func(data []byte) ([]string, bool, error) {
			programs, events, err := f.programs(data)
			missing := slices.ContainsFunc(f.events, func(e string) bool { return !slices.Contains(events, e) })
			return programs, missing, err
		},
	}
}

// owned makes a file that is onward's alone. One that somebody else wrote stays as it is.
func owned(path, within string, mode fs.FileMode, marker, text string, program func(data []byte) string) file {
	ours := func(data []byte) bool { return strings.Contains(string(data), marker) }
	return file{
		path: path, within: within, mode: mode,
		put: func(old []byte) ([]byte, error) {
			if old != nil && !ours(old) {
				return old, nil
			}
			return []byte(text), nil
		},
		cut: func(old []byte, _ []string) ([]byte, error) {
			if ours(old) {
				return nil, nil
			}
			return old, nil
		},
		programs: func(data []byte) ([]string, bool, error) {
			if !ours(data) {
				return nil, true, nil
			}
			return []string{program(data)}, string(data) != text, nil
		},
	}
}

// between gives the text between two marks; empty where they are not there.
func between(data []byte, from, to string) string {
	_, rest, ok := strings.Cut(string(data), from)
	if !ok {
		return ""
	}
	out, _, ok := strings.Cut(rest, to)
	if !ok {
		return ""
	}
	return out
}

// entry gives the usual form of one hook, with a time limit in the agent's unit.
func entry(grouped bool, timeout string, named bool) func(event, command string) []byte {
	return func(_, command string) []byte {
		out := []byte(`{"type":"command","command":`)
		out = text(out, command)
		if named {
			out = append(out, `,"name":"onward"`...)
		}
		out = append(out, `,"timeout":`+timeout+`}`...)
		if grouped {
			out = append(append([]byte(`{"hooks":[`), out...), `]}`...)
		}
		return out
	}
}

// shared warns of an absolute path in a file that goes into the repository.
func (o Options) shared(notes ...string) []string {
	if o.Scope == Project && o.Dir != "" && o.Dir != o.Project {
		notes = append(notes, "the hooks are in "+o.Project+", and an agent that is started in a subfolder may read the settings there only: start it in the former, or install with --here or --scope user")
	}
	if o.Scope == Project {
		notes = append(notes, "the settings name onward by its path on this machine; where they are committed, others run `onward hooks install` themselves or you use --scope user")
	}
	return notes
}
