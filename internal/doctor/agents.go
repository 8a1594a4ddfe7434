package doctor

import (
	"strings"

	"onward/internal/install"
)

// Agents reports on those of the named agents that are installed here, or have hooks of onward.
// Found tells whether an agent's program is installed; switched returns the switch of its todo tool, or "".
func Agents(names []string, reports []install.Report, found func(name string) bool, switched func(name string) string) []Finding {
	var findings []Finding
	for _, name := range names {
		about, installed := hookFindings(name, reports)
		here := found(name)
		if len(about) == 0 && here && name != "git" {
			about = []Finding{{Name: name, State: Note, Detail: "installed, without hooks of onward", Hint: "onward hooks install " + name}}
		}
		findings = append(findings, about...)
		// If hooks are installed, their own finding names the switch.
		if hint := switched(name); here && installed == 0 && hint != "" {
			findings = append(findings, Finding{Name: name, State: Note, Detail: "its own todo tool may be off", Hint: hint})
		}
	}
	if len(findings) == 0 {
		return []Finding{{
			Name: "agents", State: Note, Detail: "no agent was found on PATH, and no hooks are installed, so nothing keeps an agent going yet",
			Hint: "install an agent, and then its hooks with `onward hooks install AGENT`; or write a loop around `onward check-continue`",
		}}
	}
	return findings
}

// hookFindings reports the state of one agent's hooks, and in how many scopes they are installed.
func hookFindings(name string, reports []install.Report) (findings []Finding, installed int) {
	plugin, first := "", "" // the scope of the plugin, and the first one with hooks; empty without any
	for _, r := range reports {
		if r.Agent != name {
			continue
		}
		where := string(r.Scope)
		again := "onward hooks install " + name + " --scope " + where
		for _, problem := range r.Notes {
			findings = append(findings, Finding{Name: name, State: Note, Detail: problem})
		}
		if r.Plugin != "" {
			plugin = where
		}
		if !r.Installed {
			continue
		}
		if installed++; installed == 1 {
			first = where
		}
		switch {
		case r.Stale:
			findings = append(findings, Finding{Name: name, State: Bad, Detail: "its hooks (" + where + ") name another program: " + strings.Join(r.Programs, ", "), Hint: again})
		case r.Partly:
			findings = append(findings, Finding{Name: name, State: Note, Detail: "its hooks (" + where + ") were written by an older onward", Hint: again})
		default:
			findings = append(findings, Finding{Name: name, State: Good, Detail: "hooks installed (" + where + ")"})
		}
		for _, need := range r.Needs {
			findings = append(findings, Finding{Name: name, State: Note, Detail: "hooks (" + where + "): the setup is incomplete", Hint: need})
		}
	}
	switch {
	case plugin != "" && installed == 0:
		findings = append(findings, Finding{Name: name, State: Good, Detail: "has onward's plugin (" + plugin + ")"})
	case plugin != "":
		findings = append(findings, Finding{Name: name, State: Note, Detail: "has onward's plugin (" + plugin + ") besides hooks, and the plugin does nothing while they are there"})
	}
	if installed > 1 && name != "git" {
		findings = append(findings, Finding{
			Name: name, State: Note, Detail: "hooks are installed in more than one scope, so each event runs two",
			Hint: "onward hooks uninstall " + name + " --scope " + first,
		})
	}
	return findings, installed
}
