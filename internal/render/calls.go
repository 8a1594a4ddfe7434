package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"onward/internal/schedule"
	"onward/internal/todo"
	"onward/internal/tool"
)

// Calls shows calls as a table, in the order of the requests.
func Calls(calls []*schedule.Call, now todo.Time, style Style) string {
	rows := make([][]string, len(calls))
	for i, c := range calls {
		rows[i] = []string{c.ID, string(c.Status), times(c, now), Text(c.Tool), Text(Summary(c))}
	}
	return style.table(rows, 4)
}

// Summary says in a few words what a call is about, and what went wrong.
func Summary(c *schedule.Call) string {
	what := string(c.Args)
	if command := tool.Text(c.Args, "command"); command != "" {
		what = command
	}
	if c.Reason != "" {
		what += "  (" + c.Reason + ")"
	}
	return what
}

// times says how long a call waited, and how long it ran.
func times(c *schedule.Call, now todo.Time) string {
	ran, started := c.Ran(now)
	if !started {
		return "waited " + duration(c.Duration(now))
	}
	return fmt.Sprintf("waited %s, ran %s", duration(c.Duration(now)-ran), duration(ran))
}

// duration returns a time span as people read it.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}

// CallLine is one call on one line, as a run shows it.
func (s Style) CallLine(c *schedule.Call, sign string, now todo.Time) string {
	color := plain
	switch c.Status {
	case schedule.Success:
		sign, color = s.either("✓", "ok"), green
	case schedule.Errored:
		sign, color = s.either("✗", "x"), red
	case schedule.Cancelled:
		sign, color = s.either("⊘", "-"), dim
	case schedule.Awaiting:
		sign, color = "?", yellow
	}
	text := fmt.Sprintf("%s  %s  %s  %s", c.ID, times(c, now), Text(c.Tool), Text(Summary(c)))
	return s.paint(color, sign) + " " + s.cut(text, s.Width-3)
}

// Call shows everything about one call.
func Call(c *schedule.Call, store string, style Style, now todo.Time) string {
	var rows [][]string
	line := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, Text(value)})
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
	for _, m := range c.Moves {
		line("", m.At.String()+"  "+string(m.Status))
	}
	line("time", times(c, now))
	if res := c.Result; res != nil {
		line("exit", strconv.Itoa(res.ExitCode))
		if res.Output != "" {
			line("whole", strings.TrimSuffix(store, "/")+"/"+res.Output)
		}
	}
	return style.paragraphs(rows) + output(c.Result)
}

// output is what a call printed, each stream below its name.
func output(res *schedule.Result) string {
	var b strings.Builder
	if res != nil {
		for _, stream := range []struct{ name, text string }{{"stdout", res.Stdout}, {"stderr", res.Stderr}} {
			if stream.text == "" {
				continue
			}
			b.WriteString(stream.name + "\n")
			for l := range strings.Lines(stream.text) {
				b.WriteString("  " + Text(strings.TrimSuffix(l, "\n")) + "\n")
			}
		}
	}
	return b.String()
}
