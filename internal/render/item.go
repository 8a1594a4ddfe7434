package render

import (
	"strings"
	"time"

	"onward/internal/todo"
)

// Item shows everything that is known about one item.
// Held is whether its claim keeps others away.
func Item(items []todo.Item, at todo.Ref, held bool, style Style, now time.Time) string {
	place := todo.TouchedAt(items, at)
	var rows [][]string
	row := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, value})
		}
	}
	when := func(name string, t todo.Time) {
		if t != 0 {
			row(name, t.ClockText(todo.TimeOf(now))+", "+Age(t, now))
		}
	}
	row("position", at.Label())
	row("text", Text(place.Content))
	row("status", string(place.Status))
	if at.Sub >= 0 {
		row("reason", Text(items[at.Item].Subtasks[at.Sub].Reason))
		row("part of", Text(items[at.Item].Content))
		row("id", Text(place.ID))
		return style.Paragraphs(rows)
	}
	it := &items[at.Item]
	row("reason", Text(it.Reason))
	row("priority", string(it.Priority))
	row("after", after(items, it.BlockedBy))
	row("assigned to", Text(it.Assignee))
	row("claimed by", claimText(it.Claim, held, now))
	if g := it.Gate; g != nil {
		row("gate", Text(g.Command))
		row("its gate", gateState(it, now))
		row("output", strings.TrimSuffix(Output(g.Output, 0), "\n"))
	}
	if it.NeedsProof {
		row("proof", "required: a run on it must end proven")
	}
	row("while active", Text(it.ActiveForm))
	row("agent's word", Text(it.NativeStatus))
	row("id", Text(it.ID))
	when("created", it.CreatedAt)
	when("changed", it.UpdatedAt)
	when("completed", it.CompletedAt)
	var parts []string
	for j := range it.Subtasks {
		part := todo.TouchedAt(items, todo.Ref{Item: at.Item, Sub: j})
		parts = append(parts, part.Position+"  "+style.sign(part.Status)+"  "+Text(part.Content))
	}
	row("subtasks", strings.Join(parts, "\n"))
	return style.Paragraphs(rows)
}

// claimText says who holds an item, since when, and when the claim ends unless it is renewed; nil is nobody.
func claimText(c *todo.Claim, held bool, now time.Time) string {
	if c == nil {
		return ""
	}
	text := Text(c.By)
	if c.Host != "" {
		text += " on " + Text(c.Host)
	}
	text += ", since " + c.Since.ClockText(todo.TimeOf(now))
	live := c.Live(todo.TimeOf(now))
	switch {
	case !held && live:
		return text + "; the claim ended with its process"
	case !held:
		return text + "; the claim ended " + Age(c.Until, now)
	case !live:
		return text + ", whose run is at work"
	}
	return text + ", until " + c.Until.ClockText(todo.TimeOf(now)) + " unless it is renewed"
}

// gateState says what the gate of an open item resulted in, and when it ran; empty if it has not run.
func gateState(it *todo.Item, now time.Time) string {
	text := Text(it.Gate.StateText())
	switch {
	case !it.Status.Open():
		return ""
	case it.Gate.At != 0:
		text += ", " + Age(it.Gate.At, now)
	}
	if it.Gate.ClaimedDone {
		text = "the item is claimed to be done; it " + text
	}
	return text
}

// after names the prerequisites of an item, each on a line.
func after(items []todo.Item, ids []string) string {
	lines := make([]string, len(ids))
	for i, id := range ids {
		lines[i] = "id:" + Text(id)
		if p, err := todo.ParsePosition("id:" + id); err == nil {
			if ref, err := todo.Find(items, p); err == nil {
				there := todo.TouchedAt(items, ref)
				lines[i] = there.Position + "  " + string(there.Status) + "  " + Text(there.Content)
			}
		}
	}
	return strings.Join(lines, "\n")
}
