package install

import (
	"fmt"
	"strings"

	"onward/internal/render"
)

// The actions on hooks, as commands are called.
const (
	ActionInstall   = "install"
	ActionUninstall = "uninstall"
	ActionStatus    = "status"
)

// Text shows what an install or uninstall did, or with dryRun would do. Short shortens a path for display.
func Text(action string, dryRun bool, r Report, short func(path string) string, style render.Style) string {
	var b strings.Builder
	style.WriteHanging(&b, "", 0, fmt.Sprintf("%s, %s: %s", r.Title, r.Scope, ResultText(action, dryRun, r)))
	file := func(what, path string) {
		style.WriteHanging(&b, fmt.Sprintf("  %-9s  ", what), 13, render.Text(short(path)))
	}
	for _, f := range r.Files {
		file(f.Action, f.Path)
		if f.Backup != "" {
			file("backup", f.Backup)
		}
	}
	if r.Server != "" {
		style.WriteHanging(&b, "  server     ", 13, render.Text(r.Server))
	}
	if r.Trust != "" {
		style.WriteHanging(&b, "trust: ", 7, render.Text(r.Trust))
	}
	for _, n := range r.Needs {
		style.WriteHanging(&b, "to do: ", 7, render.Text(n))
	}
	for _, n := range r.Notes {
		style.WriteHanging(&b, "note: ", 6, render.Text(n))
	}
	if !dryRun {
		return b.String()
	}
	for _, f := range r.Files {
		if len(f.Diff) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", render.Text(short(f.Path)))
		b.WriteString(diffText(f.Diff))
	}
	return b.String()
}

// ResultText says in a sentence what an install or uninstall has done.
func ResultText(action string, dryRun bool, r Report) string {
	switch {
	case dryRun && r.Changed:
		return "this would change; nothing is written"
	case !r.Changed && action == ActionInstall:
		return "the hooks are installed already; nothing to change"
	case !r.Changed:
		return "no hooks are installed; nothing to change"
	case action == ActionInstall:
		return "the hooks are installed"
	}
	return "the hooks are removed"
}

// diffText returns a diff without its first lines, which name the compared files.
func diffText(diff string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		if i > 0 {
			// A tab is the file's own indentation, and harmless.
			cells := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
			for j := range cells {
				cells[j] = render.Text(cells[j])
			}
			b.WriteString(strings.Join(cells, "\t") + "\n")
		}
	}
	return b.String()
}

// StatusTable shows which hooks are installed. If the user named an agent, missing hooks are shown as well.
// Short shortens a path for display.
func StatusTable(all []Report, asked bool, short func(path string) string, style render.Style) string {
	var rows [][]string
	var notes strings.Builder
	for _, r := range all {
		if !r.Installed && len(r.Notes) == 0 && r.Server == "" && r.Plugin == "" && !asked {
			continue
		}
		file := r.Plugin
		if len(r.Files) > 0 {
			file = r.Files[0].Path
		}
		programs := render.Map(r.Programs, func(_ int, path *string) string { return render.Text(short(*path)) })
		rows = append(rows, []string{strings.TrimSpace(r.Agent + " " + r.Hook), string(r.Scope), state(r), strings.Join(programs, ", "), render.Text(short(file))})
		whose := fmt.Sprintf("%s, %s: ", r.Agent, r.Scope)
		note := func(text string) { style.WriteHanging(&notes, whose, len(whose), text) }
		if r.Server != "" {
			note("server: " + render.Text(r.Server))
		}
		if r.Installed && r.Plugin != "" {
			note("its plugin is installed as well (" + render.Text(short(r.Plugin)) + "), and does nothing while these hooks are there")
		}
		for _, n := range append([]string{r.Trust}, r.Notes...) {
			if n != "" {
				note(render.Text(n))
			}
		}
		for _, n := range r.Needs {
			note("to do: " + render.Text(n))
		}
	}
	if len(rows) == 0 {
		return render.WrapMessage("no hooks are installed; `onward hooks install AGENT` does it", style.Width) + "\n"
	}
	return style.TableWithHeader([]string{"AGENT", "SCOPE", "STATE", "PROGRAM", "FILE"}, rows, 3) + notes.String()
}

// state is the state of an agent's hooks in one word.
func state(r Report) string {
	switch {
	case !r.Installed && r.Plugin != "":
		return "plugin"
	case !r.Installed:
		return "none"
	case r.Stale:
		return "stale"
	case r.Partly:
		return "partly"
	}
	return "installed"
}
