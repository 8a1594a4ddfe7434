package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	continuation "onward/internal/continue"
	"onward/internal/doctor"
	"onward/internal/install"
	"onward/internal/live"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/repair"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/golden"
)

// colors matches the escape sequences that a screen may contain.
var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// screens returns the output of commands, with an untrusted text in every place that can show one.
func screens(text func() string, style render.Style) map[string]string {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) todo.Time { return todo.TimeOf(now.Add(-d)) }
	items := []todo.Item{
		{Content: text(), Status: todo.Completed},
		{Content: text(), Status: todo.InProgress, Subtasks: []todo.Subtask{{Content: text()}}},
		{Content: text(), Status: todo.Blocked, Reason: text()},
		{Content: text(), Status: todo.Pending},
	}
	doc := &session.Document{
		Session: "demo", Project: "/home/max/src/" + text(), UpdatedAt: ago(100 * 24 * time.Hour),
		Owner: &session.Owner{Agent: "claude", Session: text(), SeenAt: ago(time.Hour)},
		Todos: session.Todos{Active: true, Items: items}, Settings: map[string]string{"max-total": text()},
	}
	doc.Continuation.Paused = &session.Paused{Reason: text()}
	listed := []session.LoadedList{
		{StoredList: session.StoredList{Name: session.Name{Session: "demo"}, Number: 1, Current: true}, Doc: doc},
		{StoredList: session.StoredList{Name: session.Name{Session: "demo", Agent: "worker"}, Number: 2}, Doc: &session.Document{UpdatedAt: ago(0)}},
		{StoredList: session.StoredList{Name: session.Name{Session: "other", Agent: "worker"}, Number: 3}, Doc: &session.Document{
			UpdatedAt: ago(0), Todos: session.Todos{Active: true, Items: items[:1]},
		}},
		{StoredList: session.StoredList{Name: session.Name{Session: strings.Repeat("long-name-", 4)}, Number: 14, Changed: now}, Err: errors.New("bad")},
	}
	rows := make([]live.Row, len(listed))
	for i, l := range listed {
		rows[i] = live.NewRow(l)
		if l.Doc != nil {
			rows[i].Standing = continuation.Standing{State: continuation.States[i], Attention: continuation.Attentions[i], Why: text(), Since: ago(time.Duration(i) * time.Hour)}
		}
	}
	calls := []*schedule.Call{
		{ID: "c1", Tool: "shell", Args: []byte(`{"command":"make"}`), Status: schedule.Awaiting, Reason: text()},
		{ID: "build", Tool: "todo_write", Args: []byte(`{}`), Status: schedule.Success},
	}
	reports := []install.Report{
		{
			Agent: "claude", Title: "Claude Code", Scope: "project", Installed: true, Changed: true, Programs: []string{"/usr/local/bin/onward"},
			Files: []install.FileReport{{Path: "/home/max/src/" + text(), Action: "created", Backup: "/home/max/.local/state/onward/" + text()}},
			Trust: text(), Notes: []string{text()},
		},
		{Agent: "git", Scope: "project", Installed: true, Programs: []string{"/usr/bin/onward"}},
	}
	damage := session.Diagnosis{Diagnosis: store.Diagnosis{Problem: errors.New(text()), Copies: []string{text()}}, Good: &session.Entry{At: ago(time.Hour), Items: items, Change: text()}}
	return map[string]string{
		"doctor": doctor.Text([]doctor.Finding{
			{Name: "store", State: doctor.Good, Detail: "/home/max/.local/state/" + text()},
			{Name: "configuration", State: doctor.Note, Detail: "none; the defaults apply: " + text(), Hint: "onward hooks install " + text()},
			{Name: "locks", State: doctor.Bad, Detail: "the file system keeps none"},
		}, style),
		"list":          render.List(items, todo.Filter{}.Select(items), false, style),
		"item":          render.Item(items, todo.Ref{Item: 2, Sub: -1}, true, style, now),
		"lists":         output.ListsText(rows, style, now),
		"overview":      output.OverviewText(rows, rows, style, now),
		"session":       sessionText(session.Name{Session: "demo"}, "/home/max/.local/state/onward/sessions/demo.json", doc, continuation.Standing{State: continuation.NeedsYou, Why: text()}, "claude: 1 turn, 120 tokens, at a usage limit until 14:01; codex: 2 turns", style, now),
		"calls":         output.CallsText(calls, todo.TimeOf(now), style),
		"call":          output.CallText(calls[0], "/home/max/.local/state/onward", style, todo.TimeOf(now)),
		"tools":         output.ToolsText(tool.Set{{Name: "deploy", Kind: tool.Execute, Confirm: "ask", Source: "user", Description: text()}}, style),
		"rules":         output.RulesText([]policy.Rule{{Tool: "shell", Decision: policy.Allow}}, style),
		"messages":      output.MessagesText(&schedule.Document{Messages: []schedule.Message{{Text: text()}}}, style),
		"settings":      output.SettingsText([]continuation.Effective{{Key: "todo-continuation", Value: text(), Where: "default"}, {Key: "yolo", Value: "false", Where: "session"}}, "", style),
		"hooks":         install.Text(install.ActionInstall, false, reports[0], strings.Clone, style),
		"hooks status":  install.StatusTable(reports, false, strings.Clone, style),
		"repair":        output.RepairText(&repair.Found{Name: session.Name{Session: "demo"}, List: damage}, style, now),
		"repaired list": output.RepairText(&repair.Found{Name: session.Name{Session: "demo"}, List: damage, Calls: store.Diagnosis{Problem: errors.New(text())}, Remedy: store.Restore}, style, now),
		"history":       output.HistoryText([]session.Entry{{At: ago(0), By: "cli", Change: text()}}, style, now),
	}
}

func TestScreensGolden(t *testing.T) {
	texts := []string{
		"fix the parser", "更新文档并为空输入编写测试", "waits for the translation team, who are on holiday until Monday",
		"a/path/that/is/rather/long/for/a/narrow/screen/settings.json", "write the tests",
	}
	for _, width := range []int{0, 40, 60, 80, 200} {
		n := 0
		text := func() string { n++; return texts[n%len(texts)] }
		all := screens(text, render.Style{Width: width})
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(all)) {
			fmt.Fprintf(&b, "== %s\n%s", name, all[name])
		}
		golden.Compare(t, filepath.Join("testdata", "screens", fmt.Sprintf("%d.txt", width)), b.String())
	}
}

func TestScreensFit(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.StringN(0, 200, -1), rapid.SampledFrom([]string{
		"修复解析器 修复解析器", "👍🏽👨\u200d👩\u200d👧", "\x1b[31m\n\r", "one word and another one and yet another one", strings.Repeat("/path", 40),
	}))
	rapid.Check(t, func(t *rapid.T) {
		style := render.Style{
			Width: rapid.IntRange(40, 200).Draw(t, "width"),
			Color: rapid.Bool().Draw(t, "color"), ASCII: rapid.Bool().Draw(t, "ascii"),
		}
		// Stored texts are trimmed, and never empty.
		text := func() string { return cmp.Or(strings.TrimSpace(texts.Draw(t, "text")), "x") }
		for name, screen := range screens(text, style) {
			for _, line := range strings.Split(strings.TrimSuffix(screen, "\n"), "\n") {
				text := colors.ReplaceAllString(line, "")
				if style.Cut(text, style.Width) != text {
					t.Errorf("%s: %q takes more than %d columns", name, text, style.Width)
				}
				if strings.HasSuffix(text, " ") {
					t.Errorf("%s: %q ends in a space", name, text)
				}
			}
		}
	})
}
