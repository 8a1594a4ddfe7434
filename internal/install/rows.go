package install

import (
	"path/filepath"
	"slices"
	"strings"

	"onward/internal/agents/settings"
)

// Agent is an agent whose hooks can be installed.
type Agent struct {
	Name, Title string
	*settings.Layout

	// AlsoRuns are the files, below a project, with hooks of other agents that it runs too.
	AlsoRuns []string
}

// row is an agent, or git: something whose hooks can be installed.
type row struct {
	Agent
	scopes []Scope // the default first

	// plan adds to a plan what the settings do not describe.
	plan func(Options, *plan) error
}

// rows returns the rows, git last.
func (o Options) rows() []row {
	rows := make([]row, 0, len(o.Agents)+1)
	for _, a := range o.Agents {
		rows = append(rows, rowOf(a))
	}
	return append(rows, row{Agent: Agent{Name: "git", Title: "git", Layout: new(settings.Layout)}, scopes: []Scope{Project}, plan: planGitHook})
}

func rowOf(a Agent) row {
	if a.UserOnly {
		return row{Agent: a, scopes: []Scope{User}}
	}
	if a.Personal != "" {
		return row{Agent: a, scopes: []Scope{Project, Shared, User}}
	}
	return row{Agent: a, scopes: []Scope{Project, User}}
}

// Names returns the names of agents, and git's last.
func Names(agents []Agent) []string {
	var out []string
	for _, r := range (Options{Agents: agents}).rows() {
		out = append(out, r.Name)
	}
	return out
}

// Scopes returns the scopes of an agent or git, its default first; none if there is no such agent.
func Scopes(name string, agents []Agent) []Scope {
	r, err := Options{Agent: name, Agents: agents}.find()
	if err != nil {
		return nil
	}
	return r.scopes
}

// find returns the row of a name.
func (o Options) find() (row, error) {
	for _, r := range o.rows() {
		if r.Name == o.Agent {
			return r, nil
		}
	}
	if o.Agent == "generic" {
		return row{}, unfit("generic has nothing to install: pass each event to `onward hook generic`")
	}
	return row{}, unfit("unknown agent %q (one of %s)", o.Agent, strings.Join(Names(o.Agents), ", "))
}

// file returns a settings file of a row, with its content.
func (r row) file(o Options) *settingsFile {
	s := &settingsFile{Hooks: r.Hooks, o: o, agent: r.Name}
	if s.Form == nil {
		s.Form = usualForm(s.Named)
	}
	if s.Allow.Path != nil {
		s.Grants = slices.Concat(mayRun(s.Allow, r.Title), s.Grants)
	}
	return s
}

// usualForm is the form of a hook in most settings.
func usualForm(named bool) []settings.Member {
	form := []settings.Member{{Name: "type", Text: "command"}, {Name: "command", Kind: settings.CommandLine}, {Name: "timeout", Kind: settings.TimeLimit}}
	if named {
		form = slices.Insert(form, 2, settings.Member{Name: "name", Text: "onward"})
	}
	return form
}

// more returns a further settings file.
func (p *plan) more(o Options, m settings.FurtherFile) file {
	grants := slices.Clone(m.Grants)
	for i := range grants {
		if grants[i].Store {
			grants[i].Element = strings.ToValidUTF8(o.Store, "\uFFFD")
		}
	}
	f := p.file(m.File, &settingsFile{o: o, agent: p.Name, Hooks: settings.Hooks{TOML: m.TOML, Grants: grants}})
	f.extra = true
	return f
}

// approval reports whether an agent's user trusts the hooks of a file.
func (o Options) approval(a settings.HookApproval, user settings.UserFolder, path string) string {
	data, err := readFile(filepath.Join(user.Path(o.Machine), a.File))
	d, unread := parseTOML(data)
	n := len(a.Table)
	if err == nil && unread == nil && slices.ContainsFunc(d.all, func(e expression) bool {
		return len(e.key) > n && slices.Equal(e.key[:n], a.Table) && strings.HasPrefix(e.key[n], path+":")
	}) {
		return a.Given
	}
	return a.Asked
}
