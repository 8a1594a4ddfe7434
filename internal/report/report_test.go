package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/internal/calls"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/golden"
)

const start todo.Time = 1_795_253_400_000 // 2026-11-21T09:30:00Z

func minute(n int) todo.Time { return start + todo.Time(n)*60_000 }

// list returns items from words such as "a:completed".
func list(words ...string) []todo.Item {
	var items []todo.Item
	for _, w := range words {
		text, status, _ := strings.Cut(w, ":")
		items = append(items, todo.Item{ID: text, Content: "item " + text, Status: todo.Status(status), CreatedAt: start})
	}
	return items
}

// example returns a run with everything that a history can contain.
func example() Source {
	doc := &session.Document{
		Session: "demo", Agent: session.Primary, Project: "/home/me/webshop", Rev: 12, CreatedAt: start, UpdatedAt: minute(30),
		Owner: &session.Owner{Agent: "claude", Session: "c1"},
	}
	doc.Todos = session.Todos{Active: true, Rev: 9, UpdatedAt: minute(30), Items: list("a:completed", "b:completed", "c:blocked", "e:pending")}
	doc.Todos.Items[1].Subtasks = []todo.Subtask{{ID: "b1", Content: "half", Status: todo.Completed}, {ID: "b2", Content: "other half", Status: todo.Blocked, Reason: "no column in the token"}}
	doc.Todos.Items[2].Reason, doc.Todos.Items[3].By = "the registry asks for a password", todo.ByUser
	line := func(rev, previous uint64, n int, what string, events []session.Event, items []todo.Item) session.Entry {
		return session.Entry{Rev: rev, Previous: previous, At: minute(n), By: "claude", Change: what, Active: true, Items: items, Events: events}
	}
	said := func(n int, events ...session.Event) session.Entry {
		return session.Entry{At: minute(n), By: "hook", Events: events}
	}
	call := func(n int, status string, code int, out, words string) calls.Record {
		return calls.Record{At: minute(n), Took: 90 * time.Second, Text: `shell {"command":"go vet ./..."}`, Status: status, Code: &code, Output: out, Words: words}
	}
	denied := calls.Record{At: minute(18), Text: `shell {"command":"rm -r /"}`, Status: "cancelled", Problem: "denied", Words: "was denied"}
	return Source{
		Name: session.Name{Session: "demo"}, Doc: doc,
		Calls:    []calls.Record{call(9, "success", 0, "ok", "succeeded"), call(15, "error", 1, "vet: bad\nexit status 1", "failed with exit code 1"), denied},
		Standing: continuation.Standing{Attention: continuation.AttentionStalled, Reason: "continue", Why: "no activity"},
		Entries: []session.Entry{
			said(0, session.Event{Type: "user-prompt", Text: "Make the parser count columns.\nAll tests must pass."}),
			line(2, 0, 1, "the list was written", nil, list("a:pending", "b:pending", "c:pending", "d:pending")),
			line(3, 2, 2, "the list was written", nil, list("a:in_progress", "b:pending", "c:pending", "d:pending")),
			line(4, 3, 6, "the list was written", nil, list("a:completed", "b:in_progress", "c:pending", "d:pending")),
			said(8, session.Event{Type: "turn-end", Calls: 7, Input: 12000, Written: 800, Cost: 41_000}, session.Event{Type: session.Continued, Tier: "normal"}),
			said(12, session.Event{Type: "turn-end", Status: "failed", Class: "server"}),
			said(13, session.Event{Type: session.Continued, Tier: "escalated"}),
			line(8, 4, 20, "the list was written", nil, list("a:completed", "b:completed", "c:pending")),
			said(21, session.Event{Type: session.Gated, Text: "go test ./...", Code: 1, Output: "--- FAIL: TestColumns\nFAIL"}, session.Event{Type: session.Continued, Tier: "gate"}),
			said(25, session.Event{Type: "pause", Text: "I need the password of the registry."}),
			{Rev: 9, Previous: 8, At: minute(30), By: "cli", Change: "added 1 item", Touched: []todo.Touched{{Content: "item e"}}, Active: true, Items: doc.Todos.Items},
			said(31, session.Event{Type: session.Gated, Text: "go test ./...", Took: 20_000}),
		},
	}
}

func exampleReport() Report {
	nothing := continuation.Standing{Attention: continuation.AttentionDone, Reason: "no_list", Why: "no active list, or it is empty"}
	empty := Build(Source{Name: session.Name{Session: "empty"}, Standing: nothing})
	return Report{Schema: Schema, At: minute(40), Sessions: []Session{Build(example()), empty}}
}

func TestGolden(t *testing.T) {
	r := exampleReport()
	for name, got := range map[string]string{"report.html": string(HTML(r, time.UTC)), "report.md": Markdown(r, time.UTC)} {
		golden.Compare(t, filepath.Join("testdata", name), got)
	}
}

func TestTotals(t *testing.T) {
	s := Build(example())
	want := Totals{Prompts: 1, Turns: 2, Continuations: 3, Pauses: 1, Errors: 1, GateRuns: 2, ToolCalls: 10, TokensIn: 12000, TokensOut: 800, CostMicros: 41_000, UsageTurns: 1, Duration: 31 * 60_000}
	if s.Totals != want {
		t.Errorf("got %+v, want %+v", s.Totals, want)
	}
}

// TestItemTimestamps checks at which times of a history each item was created, in progress, and closed or removed.
func TestItemTimestamps(t *testing.T) {
	s := Build(example())
	var got []string
	for _, it := range s.Items {
		line := it.Position + " " + it.ID + " " + string(it.Status)
		for _, at := range []todo.Time{it.CreatedAt, it.StartedAt, it.EndedAt} {
			if at == 0 {
				line += " -"
			} else {
				line += " " + at.Time().Format("15:04")
			}
		}
		if it.Spent != nil {
			line += " " + spent(&it)
		}
		got = append(got, line)
	}
	want := []string{
		"1 a completed 09:30 09:32 09:36 4 min",
		"2 b completed 09:30 09:36 09:50 14 min",
		"3 c blocked 09:30 - -",
		"4 e pending 09:30 - -",
		" d pending 09:30 - 09:50",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestToolCalls checks the event of each tool call: its time span and its result.
func TestToolCalls(t *testing.T) {
	var got []string
	for _, e := range Build(example()).Events {
		if e.Type == EventToolCalled {
			got = append(got, fmt.Sprint(e.At.Time().Format("15:04"), " ", e.Took, " ", e.line(), " ", e.failed()))
		}
	}
	want := []string{
		`09:39 90000 A tool call succeeded: shell {"command":"go vet ./..."} false`,
		`09:45 90000 A tool call failed with exit code 1: shell {"command":"go vet ./..."} true`,
		`09:48 0 A tool call was denied: shell {"command":"rm -r /"} true`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReopenedItem checks that only the time in progress counts, and that the item ends when it was closed last.
func TestReopenedItem(t *testing.T) {
	var src Source
	for i, status := range []string{"pending", "in_progress", "completed", "pending", "in_progress", "completed"} {
		src.Entries = append(src.Entries, session.Entry{Rev: uint64(i + 1), Previous: uint64(i), At: minute(10 * i), Active: true, Items: list("a:" + status)})
	}
	it := Build(src).Items[0]
	if it.StartedAt != minute(10) || it.EndedAt != minute(50) || len(it.Spans) != 2 || *it.Spent != 20*60_000 {
		t.Errorf("got %+v, spent %d", it, *it.Spent)
	}
}

// TestStreamTimes checks that for a recording that was saved in one commit, its own times count and not that of the commit.
func TestStreamTimes(t *testing.T) {
	moved := func(n int, id string, status todo.Status) session.Event {
		return session.Event{Type: session.ItemChanged, At: minute(n), Item: id, Text: "item " + id, Status: string(status)}
	}
	src := Source{Entries: []session.Entry{{Rev: 1, At: minute(5000), Active: true, Items: list("a:completed", "b:pending"), Events: []session.Event{
		moved(0, "a", todo.Pending), moved(0, "b", todo.Pending), moved(1, "c", todo.Pending), moved(2, "a", todo.InProgress), moved(5, "a", todo.Completed),
		{Type: "turn-end", At: minute(6)},
	}}}}
	src.Entries[0].Items[0].CreatedAt, src.Entries[0].Items[1].CreatedAt = minute(5000), minute(5000)
	s := Build(src)
	it := s.Items[0]
	if s.From != start || s.To != minute(6) || it.StartedAt != minute(2) || it.EndedAt != minute(5) || s.Items[1].CreatedAt != start {
		t.Errorf("from %v to %v: %+v", s.From, s.To, s.Items)
	}
	want := []Point{{start, 1, 1}, {start, 2, 2}, {minute(1), 3, 3}, {minute(5), 2, 3}, {minute(6), 1, 2}}
	if !slices.Equal(s.Open, want) {
		t.Errorf("open %+v, want %+v", s.Open, want)
	}
	// An item that was created and removed within one commit is reported with its text.
	if c := s.Items[2]; c.ID != "c" || c.Content != "item c" || c.Position != "" || c.EndedAt != minute(6) {
		t.Errorf("the item that went is %+v", c)
	}
}

// TestListChanges checks that the items that a new list changes are named, or counted if they are many.
func TestListChanges(t *testing.T) {
	var src Source
	for i, words := range [][]string{
		{"a:pending", "b:pending", "c:pending"},
		{"a:in_progress", "b:pending", "c:pending"},
		{"a:completed", "b:in_progress", "c:pending", "d:pending"},
		{"a:pending", "b:cancelled"},
	} {
		src.Entries = append(src.Entries, session.Entry{Rev: uint64(i + 1), Previous: uint64(i), At: minute(i), Change: "written", Active: true, Items: list(words...)})
	}
	var got []string
	for _, e := range Build(src).Events {
		got = append(got, e.Text)
	}
	want := []string{
		"written: added 3 items",
		"written: started item a",
		"written: completed item a; started item b; added item d",
		"written: reopened item a; cancelled item b; removed item c and item d",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTicksAtRoundTimes checks that the ticks of a time axis are at round times of the day in the time zone, and not too many.
func TestTicksAtRoundTimes(t *testing.T) {
	zone := time.FixedZone("IST", 5*3600+1800)
	for length := todo.Time(100); length < 400*86_400_000; length = length * 13 / 10 {
		s := scale{start + 12_345, start + 12_345 + length, zone}
		ticks := s.ticks()
		if len(ticks) == 0 || len(ticks) > maxTicks {
			t.Errorf("%v: %d ticks", time.Duration(length)*time.Millisecond, len(ticks))
		}
		for _, k := range ticks {
			if at := k.at.Time().In(zone); k.at < s.from || k.at > s.to || length > 3*3_600_000 && at.Minute()%30 != 0 {
				t.Errorf("%v: a tick at %v", time.Duration(length)*time.Millisecond, at)
			}
		}
	}
}

// TestHostileText checks that every text of a report is escaped: none becomes markup, and none is hidden.
func TestHostileText(t *testing.T) {
	s := Build(hostile())
	r := Report{Schema: Schema, At: minute(40), Sessions: []Session{s, s}}
	page := string(HTML(r, time.UTC))
	for _, bad := range []string{"<script", "<img", "</script", "\x1b", "\x00", "\u202e", "\u2066", "javascript:alert(1)\"", "\xff"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, there := range []string{"&lt;script&gt;", "&quot;&gt;&lt;img", `\u202e`, `\u001b`, `\u0000`} {
		if !strings.Contains(page, there) {
			t.Errorf("the page does not show %q", there)
		}
	}
	for line := range strings.Lines(Markdown(r, time.UTC)) {
		code := strings.HasPrefix(line, "      ") // a block of code, whose content needs no backslashes
		if unescaped(line, "<script") && !code || strings.ContainsAny(line, "\x1b\x00\u202e") {
			t.Fatalf("the markdown has the line %q", line)
		}
	}
}

// unescaped reports whether a line has a text without a backslash before it.
func unescaped(line, text string) bool {
	return strings.Contains(strings.ReplaceAll(line, `\`+text, ""), text)
}

// hostile returns a run in which every text contains markup.
func hostile() Source {
	const bad = "</script></style></title></svg>\"><img src=x onerror=alert(1)><script>document.title='owned'</script>'`[x](javascript:alert(1))| \x1b[31m\x00\u202e\u2066 &lt; \xff"
	src := example()
	src.Name = session.Name{Session: "demo"}
	src.Doc.Project, src.Doc.Owner = "/home/"+strings.ReplaceAll(bad, "/", "")+"/", &session.Owner{Agent: bad, Session: bad}
	src.Standing.Why = bad
	for i := range src.Doc.Todos.Items {
		it := &src.Doc.Todos.Items[i]
		it.Content, it.Reason, it.By = bad+strings.Repeat("long", 30*i*i*i), bad, bad
		it.Subtasks = []todo.Subtask{{Content: bad, Status: todo.Status(bad), Reason: bad}}
	}
	for i := range src.Calls {
		c := &src.Calls[i]
		c.Text, c.Problem, c.Class, c.Output, c.Words = bad, bad, bad, bad, "failed ("+bad+")"
	}
	for i := range src.Entries {
		e := &src.Entries[i]
		e.By, e.Change = bad, bad
		e.Events = slices.Clone(e.Events)
		for j := range e.Events {
			ev := &e.Events[j]
			ev.Text, ev.Class, ev.Tier, ev.Problem, ev.Output = bad, bad, bad, bad, bad+"\n"+bad
		}
		e.Events = append(e.Events, session.Event{Type: bad, Text: bad, Status: bad})
	}
	return src
}
