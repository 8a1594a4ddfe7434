package render

import (
	"fmt"
	"time"

	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

// Repair tells what repair found of the list and of the tool calls, and what it did where it wrote.
func Repair(name session.Name, d session.Diagnosis, calls schedule.Diagnosis, wrote bool, style Style, now time.Time) string {
	if d.Problem == nil && calls.Problem == nil {
		return fmt.Sprintf("session %s is sound\n", name)
	}
	text := ""
	if d.Problem != nil {
		text = repairOfList(name, d, wrote, style, now)
	}
	if calls.Problem != nil {
		text += repairOfCalls(name, calls, wrote, style)
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

// RepairJSON is onward/repair/v1: what repair found and did.
func RepairJSON(name session.Name, d session.Diagnosis, calls schedule.Diagnosis, wrote bool) []byte {
	w := start("onward/repair/v1", name, 512)
	sound := d.Problem == nil && calls.Problem == nil
	w.Bool("sound", sound)
	w.Bool("repaired", wrote && !sound)
	if d.Accepted || calls.Accepted {
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
	w.Close('}')
	return finish(w)
}
