package doctor

import (
	"testing"

	"onward/internal/install"
)

func TestFindingsAboutAgents(t *testing.T) {
	project := install.Report{Agent: "claude", Scope: "project", Installed: true}
	plugin := install.Report{Agent: "claude", Scope: "user", Plugin: "/home/max/.claude/settings.json"}
	stale, older, noted, lacking, user := project, project, project, project, project
	stale.Stale, stale.Programs = true, []string{"/gone/onward"}
	older.Partly = true
	noted.Installed, noted.Notes = false, []string{"its settings cannot be read"}
	lacking.Needs = []string{"trust the hooks"}
	user.Scope = "user"
	here := func(name string) bool { return name == "claude" || name == "git" }
	nothing := func(string) bool { return false }
	on := func(string) string { return "" }
	off := func(name string) string {
		if name == "claude" {
			return "switch it on"
		}
		return ""
	}
	for _, c := range []struct {
		name     string
		reports  []install.Report
		found    func(string) bool
		switched func(string) string
		want     []Finding
	}{
		{"no agent and no hooks", nil, nothing, off, []Finding{{
			Name: "agents", State: Note, Detail: "no agent was found on PATH, and no hooks are installed, so nothing keeps an agent going yet",
			Hint: "install an agent, and then its hooks with `onward hooks install AGENT`; or write a loop around `onward check-continue`",
		}}},
		{"git alone is not an agent", nil, func(name string) bool { return name == "git" }, on, []Finding{{
			Name: "agents", State: Note, Detail: "no agent was found on PATH, and no hooks are installed, so nothing keeps an agent going yet",
			Hint: "install an agent, and then its hooks with `onward hooks install AGENT`; or write a loop around `onward check-continue`",
		}}},
		{"an agent without hooks", nil, here, on, []Finding{{Name: "claude", State: Note, Detail: "installed, without hooks of onward", Hint: "onward hooks install claude"}}},
		{"and without its todo tool", nil, here, off, []Finding{
			{Name: "claude", State: Note, Detail: "installed, without hooks of onward", Hint: "onward hooks install claude"},
			{Name: "claude", State: Note, Detail: "its own todo tool may be off", Hint: "switch it on"},
		}},
		{"hooks, which name the switch themselves", []install.Report{project}, here, off, []Finding{{Name: "claude", State: Good, Detail: "hooks installed (project)"}}},
		{"hooks of an agent that is gone", []install.Report{project}, nothing, on, []Finding{{Name: "claude", State: Good, Detail: "hooks installed (project)"}}},
		{"hooks of another program", []install.Report{stale}, here, on, []Finding{{
			Name: "claude", State: Bad, Detail: "its hooks (project) name another program: /gone/onward", Hint: "onward hooks install claude --scope project",
		}}},
		{"hooks of an older onward", []install.Report{older}, here, on, []Finding{{
			Name: "claude", State: Note, Detail: "its hooks (project) were written by an older onward", Hint: "onward hooks install claude --scope project",
		}}},
		{"a plugin", []install.Report{plugin}, here, on, []Finding{{Name: "claude", State: Good, Detail: "has onward's plugin (user)"}}},
		{"hooks and a plugin", []install.Report{project, plugin}, here, on, []Finding{
			{Name: "claude", State: Good, Detail: "hooks installed (project)"},
			{Name: "claude", State: Note, Detail: "has onward's plugin (user) besides hooks, and the plugin does nothing while they are there"},
		}},
		{"a problem", []install.Report{noted}, here, on, []Finding{{Name: "claude", State: Note, Detail: "its settings cannot be read"}}},
		{"a need", []install.Report{lacking}, here, on, []Finding{
			{Name: "claude", State: Good, Detail: "hooks installed (project)"},
			{Name: "claude", State: Note, Detail: "hooks (project): the setup is incomplete", Hint: "trust the hooks"},
		}},
		{"twice", []install.Report{project, user}, here, on, []Finding{
			{Name: "claude", State: Good, Detail: "hooks installed (project)"},
			{Name: "claude", State: Good, Detail: "hooks installed (user)"},
			{
				Name: "claude", State: Note, Detail: "hooks are installed in more than one scope, so each event runs two",
				Hint: "onward hooks uninstall claude --scope project",
			},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Agents([]string{"claude", "codex", "git"}, c.reports, c.found, c.switched)
			if len(got) != len(c.want) {
				t.Fatalf("got %+v", got)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("got %+v, want %+v", got[i], c.want[i])
				}
			}
		})
	}
}
