package output

import (
	"fmt"
	"strconv"
	"strings"

	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/render"
	"onward/internal/todo"
)

// CallsText shows calls as a table, in the order of the requests.
func CallsText(calls []*schedule.Call, now todo.Time, style render.Style) string {
	rows := make([][]string, len(calls))
	for i, c := range calls {
		rows[i] = []string{c.ID, string(c.Status), timesOf(c, now), render.Text(c.Tool), render.Text(ArgsAndReason(c))}
	}
	return style.Table(rows, 4)
}

// ArgsAndReason describes a call in a few words, with its error.
func ArgsAndReason(c *schedule.Call) string {
	what := string(c.Args)
	if command := tool.TextArg(c.Args, "command"); command != "" {
		what = command
	}
	if c.Reason != "" {
		what += "  (" + c.Reason + ")"
	}
	return what
}

// timesOf says how long a call waited, and how long it ran.
func timesOf(c *schedule.Call, now todo.Time) string {
	ran, started := c.RunTime(now)
	if !started {
		return "waited " + todo.SpanText(c.Duration(now))
	}
	return fmt.Sprintf("waited %s, ran %s", todo.SpanText(c.Duration(now)-ran), todo.SpanText(ran))
}

// CallLine is one call on one line, as a run shows it.
func CallLine(s render.Style, c *schedule.Call, sign string, now todo.Time) string {
	color := ""
	switch c.Status {
	case schedule.Success:
		sign, color = s.Symbol("✓", "ok"), render.Green
	case schedule.Errored:
		sign, color = s.Symbol("✗", "x"), render.Red
	case schedule.Cancelled:
		sign, color = s.Symbol("⊘", "-"), render.Dim
	case schedule.Awaiting:
		sign, color = "?", render.Magenta
	}
	text := fmt.Sprintf("%s  %s  %s  %s", c.ID, timesOf(c, now), render.Text(c.Tool), render.Text(ArgsAndReason(c)))
	return s.Paint(color, sign) + " " + s.Cut(text, s.Width-3)
}

// CallText shows everything about one call.
func CallText(c *schedule.Call, store string, style render.Style, now todo.Time) string {
	var rows [][]string
	line := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, render.Text(value)})
		}
	}
	line("id", c.ID)
	line("tool", c.Tool)
	line("args", string(c.Args))
	line("status", string(c.Status))
	line("class", c.Class)
	line("reason", c.Reason)
	line("batch", c.Batch)
	line("after", strings.Join(c.After, ", "))
	if c.Priority != 0 {
		line("priority", strconv.Itoa(c.Priority))
	}
	if c.Approval != nil {
		line("approval", c.Approval.Outcome)
	}
	for _, m := range c.Transitions {
		line("", m.At.Time().Local().Format("2006-01-02 15:04:05.000")+"  "+string(m.Status))
	}
	line("time", timesOf(c, now))
	if res := c.Result; res != nil {
		line("exit", strconv.Itoa(res.ExitCode))
		if res.Output != "" {
			line("whole", strings.TrimSuffix(store, "/")+"/"+res.Output)
		}
	}
	return style.Paragraphs(rows) + outputText(c.Result)
}

// CountsText is the number of calls in each state, and of the messages that are queued.
func CountsText(doc *schedule.Document) string {
	var b strings.Builder
	counts := doc.Counts()
	for _, status := range schedule.Statuses() {
		if counts[status] > 0 {
			fmt.Fprintf(&b, "%-18s %d\n", status, counts[status])
		}
	}
	if len(counts) == 0 {
		b.WriteString("no calls\n")
	}
	if doc != nil && len(doc.Messages) > 0 {
		fmt.Fprintf(&b, "%-18s %d\n", "messages", len(doc.Messages))
	}
	return b.String()
}

// outputText is the output of a call, each stream below its name.
func outputText(res *schedule.Result) string {
	var b strings.Builder
	if res != nil {
		for _, stream := range []struct{ name, text string }{{"stdout", res.Stdout}, {"stderr", res.Stderr}} {
			if stream.text == "" {
				continue
			}
			b.WriteString(stream.name + "\n" + render.Output(stream.text, 2))
		}
	}
	return b.String()
}
