package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"onward/internal/object"
	"onward/internal/policy"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/internal/tool"
)

// CallsJSON is onward/calls/v1: calls in the order of the requests, with the counts of the whole schedule.
// A change that is not nil is what the command did; doc is nil where there is none.
func CallsJSON(name session.Name, doc *schedule.Document, calls []*schedule.Call, did *schedule.Change, store string, now todo.Time) []byte {
	w := start("onward/calls/v1", name, 1024*len(calls)+512)
	if did != nil {
		if doc != nil {
			w.Uint("rev", doc.Rev)
		}
		w.String("change", did.What)
		w.Strings("complete", did.Complete)
	}
	w.Name("calls")
	w.Open('[')
	for _, c := range calls {
		writeCall(w, c, store, now)
	}
	w.Close(']')
	counts := doc.Counts()
	w.Name("counts")
	w.Open('{')
	w.Int("total", total(counts))
	for _, s := range schedule.Statuses() {
		w.Int(string(s), counts[s])
	}
	w.Close('}')
	messages := 0
	if doc != nil {
		messages = len(doc.Messages)
	}
	w.Int("messages", messages)
	w.Close('}')
	return finish(w)
}

func total(counts map[schedule.Status]int) int {
	n := 0
	for _, count := range counts {
		n += count
	}
	return n
}

func writeCall(w *object.Writer, c *schedule.Call, store string, now todo.Time) {
	w.Open('{')
	w.String("id", c.ID)
	w.String("tool", c.Tool)
	w.Name("args")
	w.Raw(c.Args)
	w.String("status", string(c.Status))
	w.String("batch", c.Batch)
	w.Strings("after", c.After)
	w.Int("priority", c.Priority)
	w.Bool("wait_for_previous", c.Barrier)
	if c.Class != "" {
		w.Name("error")
		w.Open('{')
		w.String("class", c.Class)
		w.String("message", c.Reason)
		w.Close('}')
	}
	w.SomeString("reason", c.Reason)
	w.SomeString("mode", c.Mode)
	if c.Approval != nil {
		w.Name("approval")
		w.Open('{')
		w.String("outcome", c.Approval.Outcome)
		w.Millis("at", int64(c.Approval.At))
		w.Close('}')
	}
	if res := c.Result; res != nil {
		w.Name("result")
		w.Open('{')
		w.Int("exit_code", res.ExitCode)
		w.String("stdout", res.Stdout)
		w.String("stderr", res.Stderr)
		w.Bool("truncated", res.Truncated)
		if res.Output != "" {
			w.String("output_file", strings.TrimSuffix(store, "/")+"/"+res.Output)
		}
		w.Close('}')
	}
	w.Name("timings")
	w.Open('{')
	w.Millis("submitted_at", int64(c.At(schedule.Validating)))
	w.SomeMillis("started_at", int64(c.At(schedule.Executing)))
	w.SomeMillis("ended_at", int64(c.EndedAt()))
	w.Int("duration_ms", int(c.Duration(now).Milliseconds()))
	w.Name("transitions")
	w.Open('[')
	for _, m := range c.Moves {
		w.Open('{')
		w.String("status", string(m.Status))
		w.Millis("at", int64(m.At))
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	w.Close('}')
}

// TransitionJSON is onward/transition/v1: one change of one call, as a run goes on.
func TransitionJSON(c *schedule.Call) []byte {
	from, at := schedule.Status(""), todo.Time(0)
	if n := len(c.Moves); n > 0 {
		at = c.Moves[n-1].At
		if n > 1 {
			from = c.Moves[n-2].Status
		}
	}
	w := object.NewWriter(256)
	w.Open('{')
	w.String("schema", "onward/transition/v1")
	w.String("id", c.ID)
	w.String("tool", c.Tool)
	w.String("batch", c.Batch)
	w.String("from", string(from))
	w.String("status", string(c.Status))
	w.SomeString("class", c.Class)
	w.SomeString("reason", c.Reason)
	w.Millis("at", int64(at))
	w.Close('}')
	return finish(w)
}

// BatchJSON is onward/batch/v1: a batch has come to its end.
func BatchJSON(id string, doc *schedule.Document) []byte {
	counts := map[schedule.Status]int{}
	for i := range doc.Calls {
		if doc.Calls[i].Batch == id {
			counts[doc.Calls[i].Status]++
		}
	}
	w := object.NewWriter(256)
	w.Open('{')
	w.String("schema", "onward/batch/v1")
	w.String("batch", id)
	w.Bool("complete", true)
	w.Name("counts")
	w.Open('{')
	w.Int("total", total(counts))
	for _, s := range schedule.Statuses() {
		if s.Final() {
			w.Int(string(s), counts[s])
		}
	}
	w.Close('}')
	w.Close('}')
	return finish(w)
}

// Calls shows calls as a table, in the order of the requests.
func Calls(calls []*schedule.Call, now todo.Time, style Style) string {
	rows := make([][]string, len(calls))
	for i, c := range calls {
		rows[i] = []string{c.ID, string(c.Status), Duration(c.Duration(now)), Text(c.Tool), style.cut(Text(Summary(c)), style.Width/2)}
	}
	return table(nil, rows)
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

// Duration gives a time span as people read it.
func Duration(d time.Duration) string {
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
	text := fmt.Sprintf("%s  %s  %s  %s", c.ID, Duration(c.Duration(now)), Text(c.Tool), Text(Summary(c)))
	return s.paint(color, sign) + " " + s.cut(text, s.Width-3)
}

// Call shows everything about one call.
func Call(c *schedule.Call, store string, now todo.Time) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-10s %s\n", name, Text(value))
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
	line("duration", Duration(c.Duration(now)))
	if res := c.Result; res != nil {
		line("exit", strconv.Itoa(res.ExitCode))
		if res.Output != "" {
			line("whole", strings.TrimSuffix(store, "/")+"/"+res.Output)
		}
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

// Rules shows rules, numbered.
func Rules(rules []policy.Rule) string {
	var b strings.Builder
	for i := range rules {
		fmt.Fprintf(&b, "%d  %s\n", i+1, Text(rules[i].String()))
	}
	return b.String()
}

// RulesJSON is onward/policy/v1: the rules of the configuration, and those of the session.
func RulesJSON(config, session []policy.Rule) []byte {
	w := object.NewWriter(1024)
	w.Open('{')
	w.String("schema", policy.Schema)
	for _, part := range []struct {
		name  string
		rules []policy.Rule
	}{{"rules", config}, {"session_rules", session}} {
		w.Name(part.name)
		w.Open('[')
		for i := range part.rules {
			part.rules[i].Write(w)
		}
		w.Close(']')
	}
	w.Close('}')
	return finish(w)
}

// Tools shows tools as a table.
func Tools(tools tool.Set, style Style) string {
	rows := make([][]string, len(tools))
	for i := range tools {
		t := &tools[i]
		rows[i] = []string{Text(t.Name), string(t.Kind), "confirm " + t.Confirm, t.Source, style.cut(Text(t.Description), style.Width/2)}
	}
	return table(nil, rows)
}

// ToolsJSON is onward/tools/v1: declarations as a model is given them.
func ToolsJSON(tools tool.Set) []byte {
	w := object.NewWriter(4096)
	w.Open('{')
	w.String("schema", tool.Schema)
	w.Name("tools")
	w.Open('[')
	for i := range tools {
		t := &tools[i]
		w.Open('{')
		w.String("name", t.Name)
		w.String("description", t.Description)
		w.Name("parameters")
		if len(t.Parameters) == 0 {
			w.Raw([]byte(`{"type":"object"}`))
		} else {
			w.Raw(t.Parameters)
		}
		w.SomeStrings("command", t.Command)
		w.String("kind", string(t.Kind))
		w.String("confirm", t.Confirm)
		w.String("source", strings.ReplaceAll(t.Source, " ", "_"))
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}

// MessagesJSON is onward/messages/v1: the queue, and what a command did with it.
func MessagesJSON(name session.Name, doc *schedule.Document, did *schedule.Change, held bool) []byte {
	w := start("onward/messages/v1", name, 1024)
	if did != nil {
		w.String("change", did.What)
		w.String("text", did.Text)
		w.Bool("held", held)
	}
	w.Name("messages")
	w.Open('[')
	if doc != nil {
		for i, m := range doc.Messages {
			w.Open('{')
			w.Int("number", i+1)
			w.String("text", m.Text)
			w.Millis("at", int64(m.At))
			w.Close('}')
		}
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}
