package render

import (
	"fmt"
	"time"

	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

// Repaired is what repair found of a session, and what it did.
type Repaired struct {
	Name   session.Name
	List   session.Diagnosis
	Calls  schedule.Diagnosis
	Rules  error // why the file of rules is missing; nil where it is there, or never was
	Wrote  bool
	Forgot bool // that there are no rules is accepted
}

func (r *Repaired) sound() bool {
	return r.List.Problem == nil && r.Calls.Problem == nil && r.Rules == nil
}

// Text shows what repair found, and what to do next where it did not write.
func (r *Repaired) Text(style Style, now time.Time) string {
	if r.sound() {
		return fmt.Sprintf("session %s is sound\n", r.Name)
	}
	text := ""
	if r.List.Problem != nil {
		text = repairOfList(r.Name, r.List, r.Wrote, style, now)
	}
	if r.Calls.Problem != nil {
		text += repairOfCalls(r.Name, r.Calls, r.Wrote, style)
	}
	if r.Rules != nil {
		end := []string{"next", "restore policy.json from a backup, or accept with `onward repair --accept` that there are no rules"}
		if r.Forgot {
			end = []string{"done", "there are no rules"}
		}
		text += style.paragraphs([][]string{{"found", "policy.json: " + Text(r.Rules.Error())}, end})
	}
	return text
}

func repairOfCalls(name session.Name, d schedule.Diagnosis, wrote bool, style Style) string {
	rows := [][]string{{"found", Text(d.Problem.Error())}}
	if d.Copy != "" {
		rows = append(rows, []string{"copy", Text(d.Copy)})
	}
	switch {
	case d.Accepted:
		return style.paragraphs(append(rows, []string{"done", "the tool calls and messages are accepted as they are in the file"}))
	case wrote:
		return style.paragraphs(append(rows, []string{"done", "the session has no tool calls and no messages"}))
	}
	next := fmt.Sprintf("`onward repair %s --yes` moves the file aside; the session has no tool calls and no messages then", name)
	return style.paragraphs(append(rows, []string{"next", next}))
}

func repairOfList(name session.Name, d session.Diagnosis, wrote bool, style Style, now time.Time) string {
	rows := [][]string{{"found", Text(d.Problem.Error())}}
	row := func(label, format string, args ...any) {
		rows = append(rows, []string{label, fmt.Sprintf(format, args...)})
	}
	if d.Accepted {
		row("done", "the list is accepted as it is in the file; `onward todo undo -s %s` returns to the one before", name)
		return style.paragraphs(rows)
	}
	for _, path := range d.Copies {
		row("copy", "%s", Text(path))
	}
	switch {
	case d.Good != nil:
		row("good", "%s, after: %s, %s", Totals(todo.Count(d.Good.Items)), Text(d.Good.Change), age(d.Good.At, now))
	default:
		row("good", "no state is known")
	}
	switch {
	case wrote && d.Good != nil:
		row("done", "the good state is back; counters, settings and the owner start afresh")
	case wrote:
		row("done", "the session starts with an empty list")
	case d.Good != nil:
		row("next", "`onward repair %s --yes` brings the good state back", name)
	default:
		row("next", "`onward repair %s --yes` starts the session with an empty list", name)
	}
	return style.paragraphs(rows)
}

// JSON is onward/repair/v1: what repair found and did.
func (r *Repaired) JSON() []byte {
	d, calls := &r.List, &r.Calls
	w := start("onward/repair/v1", r.Name, 512)
	w.Bool("sound", r.sound())
	w.Bool("repaired", r.Wrote && !r.sound() && (r.Rules == nil || r.Forgot))
	if d.Accepted || calls.Accepted || r.Forgot {
		w.Bool("accepted", true)
	}
	if d.Problem != nil {
		w.String("problem", d.Problem.Error())
	}
	w.Strings("copies", d.Copies)
	if d.Good != nil {
		w.Name("good")
		w.Open('{')
		w.Uint("rev", d.Good.Rev)
		w.Millis("at", int64(d.Good.At))
		w.String("change", d.Good.Change)
		w.Bool("active", d.Good.Active)
		w.Name("counts")
		todo.WriteCounts(w, todo.Count(d.Good.Items))
		w.Close('}')
	}
	if calls.Problem != nil {
		w.Name("calls")
		w.Open('{')
		w.String("problem", calls.Problem.Error())
		w.SomeString("copy", calls.Copy)
		w.Close('}')
	}
	if r.Rules != nil {
		w.String("rules", r.Rules.Error())
	}
	w.Close('}')
	return finish(w)
}
