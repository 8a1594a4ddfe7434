package output

import (
	"errors"
	"fmt"
	"time"

	"onward/internal/render"
	"onward/internal/repair"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// RepairText shows the findings of repair, and the next command if nothing was written.
func RepairText(r *repair.Found, style render.Style, now time.Time) string {
	if r.Intact() {
		return fmt.Sprintf("session %s is intact\n", r.Name)
	}
	var rows [][]string
	row := func(label, format string, args ...any) {
		rows = append(rows, []string{label, fmt.Sprintf(format, args...)})
	}
	restored := r.Remedy == store.Restore
	if d := &r.List; d.Problem != nil {
		row("found", "%s", render.Text(d.Problem.Error()))
		if d.Accepted {
			row("done", "the list is accepted as it is in the file; `onward todo undo -s %s` returns to the one before", r.Name)
		} else {
			writeListFindings(row, d, r.Name, restored, now)
		}
	}
	// A file that is not a list is accepted, or moved away and lost; the texts for the files differ.
	aside := func(d *store.Diagnosis, what, gone, command string) {
		if d.Problem == nil {
			return
		}
		row("found", "%s", render.Text(d.Problem.Error()))
		if d.Copy != "" {
			row("copy", "%s", render.Text(d.Copy))
		}
		switch {
		case d.Accepted:
			row("done", "%s are accepted as they are in the file", what)
		case restored:
			row("done", "%s", gone)
		case errors.Is(d.Problem, store.ErrGone):
			row("next", "restore the file from a backup; or with `%s`, %s", command, gone)
		default:
			row("next", "`%s` moves the file aside; %s then", command, gone)
		}
	}
	aside(&r.Calls, "the tool calls and messages", "the session has no tool calls and no messages", fmt.Sprintf("onward repair %s --yes", r.Name))
	aside(&r.Run, "the record of the run", "the run that was cut off cannot be resumed", fmt.Sprintf("onward repair %s --yes", r.Name))
	aside(&r.Receipt, "the receipt of the last run", "the last run has no receipt", fmt.Sprintf("onward repair %s --yes", r.Name))
	aside(&r.Settings, "the settings of the project", "the project has no settings", "onward repair --yes")
	for _, problem := range r.Operations {
		row("found", "%s", render.Text(problem.Error()))
		if restored {
			row("done", "earlier operations are forgotten; one that is retried with its --op is applied again")
		} else {
			row("next", "`onward repair %s --yes` forgets earlier operations; one that is retried with its --op is applied again then", r.Name)
		}
	}
	if r.Rules != nil {
		row("found", "policy.json: %s", render.Text(r.Rules.Error()))
		if r.Forgot {
			row("done", "there are no rules")
		} else {
			row("next", "restore policy.json from a backup, or accept with `onward repair --accept` that there are no rules")
		}
	}
	return style.Paragraphs(rows)
}

func writeListFindings(row func(label, format string, args ...any), d *session.Diagnosis, name session.Name, restored bool, now time.Time) {
	for _, path := range d.Copies {
		row("copy", "%s", render.Text(path))
	}
	if d.Good == nil {
		row("good", "no state is known")
	} else {
		row("good", "%s, after: %s, %s", render.Totals(todo.Count(d.Good.Items)), render.Text(d.Good.Change), render.Age(d.Good.At, now))
	}
	switch {
	case restored && d.Good != nil:
		row("done", "the good state is restored; counters, settings and the owner are reset")
	case restored:
		row("done", "the session starts with an empty list")
	case d.Good != nil:
		row("next", "`onward repair %s --yes` restores it", name)
	default:
		row("next", "`onward repair %s --yes` starts the session with an empty list", name)
	}
}

// RepairJSON is onward/repair/v1: the findings of repair, and its changes.
func RepairJSON(r *repair.Found) any {
	d, calls := &r.List, &r.Calls
	out := Document("onward/repair/v1", r.Name, "sound", r.Intact(), "repaired", !r.Intact() && !r.Remains())
	out = out.AddIfSet("accepted", d.Accepted || calls.Accepted || r.Settings.Accepted || r.Forgot)
	if d.Problem != nil {
		out = append(out, "problem", d.Problem.Error())
	}
	out = append(out, "copies", d.Copies)
	if g := d.Good; g != nil {
		out = append(out, "good", Members{"rev", g.Rev, "at", g.At, "change", g.Change, "active", g.Active, "counts", todo.Count(g.Items)})
	}
	if calls.Problem != nil {
		out = append(out, "calls", Members{"problem", calls.Problem.Error()}.AddIfSet("copy", calls.Copy))
	}
	if d := &r.Run; d.Problem != nil {
		out = append(out, "run", Members{"problem", d.Problem.Error()}.AddIfSet("copy", d.Copy))
	}
	if d := &r.Receipt; d.Problem != nil {
		out = append(out, "receipt", Members{"problem", d.Problem.Error()}.AddIfSet("copy", d.Copy))
	}
	if d := &r.Settings; d.Problem != nil {
		out = append(out, "settings", Members{"problem", d.Problem.Error()}.AddIfSet("copy", d.Copy))
	}
	if r.Operations != nil {
		out = append(out, "operations", errors.Join(r.Operations...).Error())
	}
	if r.Rules != nil {
		out = append(out, "rules", r.Rules.Error())
	}
	return out
}
