package render

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"onward/internal/session"
	"onward/internal/todo"
)

// List shows a list to a person: number, symbol and text, then one line of totals.
func List(items []todo.Item, style Style) string {
	// The numbers' column is as wide as the longest of them.
	widest := 0
	for i := range items {
		widest = max(widest, len(strconv.Itoa(i+1)))
		if n := len(items[i].Subtasks); n > 0 {
			widest = max(widest, len(subtaskNumber(i, n-1)))
		}
	}
	var b strings.Builder
	line := func(number string, status todo.Status, text string) {
		symbol := style.symbol(status)
		room := style.Width - widest - 2 - utf8.RuneCountInString(symbol) - 2
		fmt.Fprintf(&b, "%-*s  %s  %s\n", widest, number,
			style.paint(statusColor(status), symbol),
			style.paint(textColor(status), style.cut(text, max(room, 10))))
	}
	for i := range items {
		it := &items[i]
		line(strconv.Itoa(i+1), it.Status, describe(it))
		for j := range it.Subtasks {
			sub := &it.Subtasks[j]
			line(subtaskNumber(i, j), orPending(sub.Status), Text(sub.Content))
		}
	}
	style.hang(&b, "", 0, Totals(todo.Count(items)))
	return b.String()
}

func subtaskNumber(i, j int) string { return "  " + todo.Ref{Item: i, Sub: j}.Label() }

// describe is an item's text, with what holds it up.
func describe(it *todo.Item) string {
	text := Text(it.Content)
	if it.Status == todo.Blocked && it.Reason != "" {
		text += " (blocked: " + Text(it.Reason) + ")"
	}
	return text
}

func orPending(s todo.Status) todo.Status {
	if s == "" {
		return todo.Pending
	}
	return s
}

// Totals is the line under a list: `5 todos: 2 open (1 in progress, 1 pending), 3 completed`.
func Totals(c todo.Counts) string {
	var open, closed []string
	for _, s := range todo.Statuses {
		n := c.Of(s)
		if n == 0 {
			continue
		}
		part := fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(s), "_", " "))
		if s.Open() {
			open = append(open, part)
		} else {
			closed = append(closed, part)
		}
	}
	parts := []string{"none open"}
	if c.Open > 0 {
		parts[0] = fmt.Sprintf("%d open", c.Open)
		if len(open) > 1 || c.Pending != c.Open {
			parts[0] += " (" + strings.Join(open, ", ") + ")"
		}
	}
	noun := "todos"
	if c.Total == 1 {
		noun = "todo"
	}
	return fmt.Sprintf("%d %s: %s", c.Total, noun, strings.Join(append(parts, closed...), ", "))
}

// Plain shows a list one item a line, separated by tabs: position, status, text.
// It is for scripts that have no JSON reader.
func Plain(items []todo.Item) string {
	var b strings.Builder
	for i := range items {
		it := &items[i]
		fmt.Fprintf(&b, "%d\t%s\t%s\n", i+1, it.Status, Text(it.Content))
		for j := range it.Subtasks {
			sub := &it.Subtasks[j]
			fmt.Fprintf(&b, "%d.%d\t%s\t%s\n", i+1, j+1, orPending(sub.Status), Text(sub.Content))
		}
	}
	return b.String()
}

// NoList says why there are no items to show; doc is nil where there never was a list.
func NoList(doc *session.Document) string {
	switch {
	case doc == nil:
		return "no list"
	case !doc.Todos.Active && len(doc.Todos.Items) > 0:
		return "no active list (the last one was put aside)"
	case !doc.Todos.Active:
		return "no active list"
	default:
		return "the list is empty"
	}
}
