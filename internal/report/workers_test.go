package report

import (
	"reflect"
	"strings"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestWorkers checks the totals of each worker's runs on the items of a list, and the sentence about each run.
func TestWorkers(t *testing.T) {
	ran := func(n int, worker, text string, became todo.Status, turns, cost int, problem string) session.Entry {
		return session.Entry{At: minute(n), By: "cli", Events: []session.Event{{
			Type: session.Ran, Item: text, Text: text, Class: string(became), Status: "x", Problem: problem, Worker: worker, Turns: turns, Tokens: 500 * turns, Cost: cost,
			Took: turns * 60_000, Commit: strings.Repeat("c0ffee", 6) + worker,
		}}}
	}
	s := Build(Source{
		Name: session.Name{Session: "release"}, Doc: &session.Document{Session: "release", Rev: 1, CreatedAt: start},
		Standing: continuation.Standing{State: continuation.IsOpen},
		Entries: []session.Entry{
			{Rev: 1, At: start, By: "cli", Change: "w1 claimed 1 item", Touched: []todo.Touched{{Content: "port the parser"}}, Active: true, Items: list("p:in_progress")},
			ran(1, "w1", "port the parser", todo.Completed, 3, 1_500_000, ""),
			ran(2, "w2", "port the lexer", todo.Blocked, 1, 0, "paused: <b>no access</b>"),
			ran(3, "w1", "publish", todo.Pending, 1, 0, "the agent failed"),
		},
	})
	want := []Worker{
		{Name: "w1", Runs: 2, Completed: 1, GivenBack: 1, Turns: 4, Tokens: 2000, CostMicros: 1_500_000, Spent: 240_000, Commit: strings.Repeat("c0ffee", 6) + "w1"},
		{Name: "w2", Runs: 1, Blocked: 1, Turns: 1, Tokens: 500, Spent: 60_000, Commit: strings.Repeat("c0ffee", 6) + "w2"},
	}
	if !reflect.DeepEqual(s.Workers, want) || s.Totals.Turns != 0 {
		t.Errorf("%+v, %+v", s.Workers, s.Totals)
	}
	r := Report{Schema: Schema, At: minute(40), Sessions: []Session{s}}
	text, page := Markdown(r, time.UTC), string(HTML(r, time.UTC))
	for _, want := range []string{
		"| w1 | 1 | 0 | 1 | 4 min | 4 | 2\u202f000 | \\$1.50 | c0ffeec0ffee |",
		"w1 claimed 1 item: port the parser",
		"w1 completed an item after 3 turns: port the parser (3 min · 1500 tokens · \\$1.50 · commit c0ffeec0ffee)",
		`w2 blocked an item after 1 turn (paused: \<b\>no access\</b\>): port the lexer`,
		"w1 gave back an item after 1 turn (the agent failed): publish",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !strings.Contains(page, "<td>w2<td>0<td>1<td>0<td>1 min<td>1<td>500<td><td>c0ffeec0ffee</tr>") || strings.Contains(page, "<b>no access") {
		t.Errorf("the page:\n%s", page)
	}
}
