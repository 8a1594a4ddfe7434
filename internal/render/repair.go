package render

import (
	"fmt"
	"strings"
	"time"

	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

// Repair tells what repair found of the list and of the tool calls, and what it did where it wrote.
func Repair(name session.Name, d session.Diagnosis, calls schedule.Diagnosis, wrote bool, now time.Time) string {
	if d.Problem == nil && calls.Problem == nil {
		return fmt.Sprintf("session %s is sound\n", name)
	}
	text := ""
	if d.Problem != nil {
		text = repairOfList(name, d, wrote, now)
	}
	if calls.Problem != nil {
		text += repairOfCalls(name, calls, wrote)
	}
	return text
}

func repairOfCalls(name session.Name, d schedule.Diagnosis, wrote bool) string {
	text := fmt.Sprintf("found  %s\n", Text(d.Problem.Error()))
	if d.Copy != "" {
		text += fmt.Sprintf("copy   %s\n", Text(d.Copy))
	}
	if wrote {
		return text + "done   the session has no tool calls and no messages\n"
	}
	return text + fmt.Sprintf("next   `onward repair %s --yes` moves the file aside; the session has no tool calls and no messages then\n", name)
}

func repairOfList(name session.Name, d session.Diagnosis, wrote bool, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "found  %s\n", Text(d.Problem.Error()))
	for _, path := range d.Copies {
		fmt.Fprintf(&b, "copy   %s\n", Text(path))
	}
	switch {
	case d.Good != nil:
		fmt.Fprintf(&b, "good   %s, after: %s, %s\n", Totals(todo.Count(d.Good.Items)), Text(d.Good.Change), age(d.Good.At, now))
	default:
		b.WriteString("good   no state is known\n")
	}
	switch {
	case wrote && d.Good != nil:
		b.WriteString("done   the good state is back; counters, settings and the owner start afresh\n")
	case wrote:
		b.WriteString("done   the session starts with an empty list\n")
	case d.Good != nil:
		fmt.Fprintf(&b, "next   `onward repair %s --yes` brings the good state back\n", name)
	default:
		fmt.Fprintf(&b, "next   `onward repair %s --yes` starts the session with an empty list\n", name)
	}
	return b.String()
}

// RepairJSON is onward/repair/v1: what repair found and did.
func RepairJSON(name session.Name, d session.Diagnosis, calls schedule.Diagnosis, wrote bool) []byte {
	w := start("onward/repair/v1", name, 512)
	sound := d.Problem == nil && calls.Problem == nil
	w.Bool("sound", sound)
	w.Bool("repaired", wrote && !sound)
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
