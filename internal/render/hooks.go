package render

import (
	"fmt"
	"strings"

	"onward/internal/hook/install"
)

// What is done with hooks.
const (
	HooksInstall   = "install"
	HooksUninstall = "uninstall"
	HooksStatus    = "status"
)

// Hooks shows what an install or uninstall did, or with dryRun would do.
func Hooks(action string, dryRun bool, r install.Report, style Style) string {
	var b strings.Builder
	style.hang(&b, "", 0, fmt.Sprintf("%s, %s: %s", r.Title, r.Scope, hooksResult(action, dryRun, r)))
	file := func(what, path string) { style.hang(&b, fmt.Sprintf("  %-9s  ", what), 13, Text(path)) }
	for _, f := range r.Files {
		file(f.Action, f.Path)
		if f.Backup != "" {
			file("backup", f.Backup)
		}
	}
	if r.Trust != "" {
		style.hang(&b, "trust: ", 7, Text(r.Trust))
	}
	for _, n := range r.Needs {
		style.hang(&b, "to do: ", 7, Text(n))
	}
	for _, n := range r.Notes {
		style.hang(&b, "note: ", 6, Text(n))
	}
	if !dryRun {
		return b.String()
	}
	for _, f := range r.Files {
		if len(f.Diff) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", Text(f.Path))
		b.WriteString(diffText(f.Diff))
	}
	return b.String()
}

func hooksResult(action string, dryRun bool, r install.Report) string {
	switch {
	case dryRun && r.Changed:
		return "this would change; nothing is written"
	case !r.Changed && action == HooksInstall:
		return "the hooks are installed already; nothing to change"
	case !r.Changed:
		return "no hooks are installed; nothing to change"
	case action == HooksInstall:
		return "the hooks are installed"
	}
	return "the hooks are removed"
}

// diffText returns a difference without its first line, which names the files that are compared.
func diffText(diff string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		if i > 0 {
			// A tab is the file's own indentation, and harmless.
			cells := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
			for j := range cells {
				cells[j] = Text(cells[j])
			}
			b.WriteString(strings.Join(cells, "\t") + "\n")
		}
	}
	return b.String()
}

// HooksState shows what is installed. Where an agent was asked for, what it has not is shown as well.
func HooksState(all []install.Report, asked bool, style Style) string {
	rows := [][]string{{"AGENT", "SCOPE", "STATE", "PROGRAM", "FILE"}}
	var notes strings.Builder
	for _, r := range all {
		if !r.Installed && len(r.Notes) == 0 && !asked {
			continue
		}
		file := ""
		if len(r.Files) > 0 {
			file = Text(r.Files[0].Path)
		}
		rows = append(rows, []string{r.Agent, string(r.Scope), hooksWord(r), Text(strings.Join(r.Programs, ", ")), file})
		whose := fmt.Sprintf("%s, %s: ", r.Agent, r.Scope)
		for _, n := range append([]string{r.Trust}, r.Notes...) {
			if n != "" {
				style.hang(&notes, whose, len(whose), Text(n))
			}
		}
		for _, n := range r.Needs {
			style.hang(&notes, whose+"to do: ", len(whose), Text(n))
		}
	}
	if len(rows) == 1 {
		return Message("no hooks are installed; `onward hooks install AGENT` does it", style.Width) + "\n"
	}
	return style.wholeTable(rows, 3) + notes.String()
}

// hooksWord is the state of an agent's hooks in a word.
func hooksWord(r install.Report) string {
	switch {
	case !r.Installed:
		return "none"
	case r.Stale:
		return "stale"
	case r.Partly:
		return "partly"
	}
	return "installed"
}

// HooksJSON is onward/hooks/v1: what was found and done, for each agent and scope.
func HooksJSON(action string, dryRun bool, all []install.Report) []byte {
	return encode(struct {
		Schema string           `json:"schema"`
		Action string           `json:"action"`
		DryRun bool             `json:"dry_run"`
		Hooks  []install.Report `json:"hooks"`
	}{"onward/hooks/v1", action, dryRun, all})
}
