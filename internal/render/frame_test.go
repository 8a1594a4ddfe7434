package render

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/todo"
	"onward/test/golden"
)

// drawn are the lists of the golden frames.
func drawn() map[string]LiveList {
	item := func(status todo.Status, text string) todo.Item { return todo.Item{Content: text, Status: status} }
	long := LiveList{Name: "Max"}
	for i := range 500 {
		status := todo.Pending
		switch {
		case i < 240:
			status = todo.Completed
		case i == 240:
			status = todo.InProgress
		}
		long.Items = append(long.Items, item(status, fmt.Sprintf("item %d of a list that is far too long for any screen that a person has", i+1)))
	}
	short := LiveList{Name: "Max", Items: []todo.Item{
		item(todo.Completed, "Research existing metrics tracking"),
		item(todo.Completed, "Design the metrics collection system"),
		{Content: "Implement core functionality", Status: todo.InProgress, Subtasks: []todo.Subtask{
			{Content: "the counter", Status: todo.Completed}, {Content: "the exporter"},
		}},
		{Content: "Publish the package", Status: todo.Blocked, Reason: "the registry's key is missing"},
		item(todo.Cancelled, "Write the old report"),
		item(todo.Pending, "Write the report"),
	}}
	positions := short
	positions.Positions = true
	return map[string]LiveList{
		"short":     short,
		"positions": positions,
		"long":      long,
		"signs": {Name: "Zoë 修", Items: []todo.Item{
			item(todo.Completed, "修复解析器并为空输入编写测试以及更新文档"),
			item(todo.InProgress, "パーサーを直す ｶﾀｶﾅ 한국어도"),
			item(todo.Pending, "family 👨\u200d👩\u200d👧\u200d👦, thumbs 👍🏽, heart ❤\ufe0f, flag 🇩🇪, keycap 1\ufe0f\u20e3"),
			item(todo.Pending, "e\u0301e\u0301e\u0301 a letter with many marks: a\u0300\u0301\u0302\u0303\u0304\u0305 and more"),
			item(todo.Pending, "שלום עולם, مرحبا بالعالم, turned \u202e round \u2066"),
			item(todo.Pending, "two\nlines, a tab\t, red \x1b[31m, bell \a, cleared \x1b[2J, C1 \u009b"),
			item(todo.Pending, "हिन्दी में नमस्ते, ไทยก็ได้, 🏴\U000e0067\U000e0062\U000e007f"),
			item(todo.Pending, "oneverylongwordthatcannotbebrokenanywhereatallbecausethereisnospaceinit"),
		}},
	}
}

func TestFrameGolden(t *testing.T) {
	for name, list := range drawn() {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, width := range []int{20, 40, 60, 80, 200} {
				for _, height := range []int{3, 10, 50} {
					fmt.Fprintf(&b, "%d columns, %d rows\n", width, height)
					for _, line := range Frame(list, Style{Width: width}, height) {
						b.WriteString(line + "\n")
					}
				}
			}
			golden.Compare(t, filepath.Join("testdata", "frames", name+".txt"), b.String())
		})
	}
}

func TestFrameSymbolsAndColors(t *testing.T) {
	list := LiveList{Name: "Max", Items: []todo.Item{
		{Content: "a", Status: todo.Pending},
		{Content: "b", Status: todo.InProgress},
		{Content: "c", Status: todo.Completed},
		{Content: "d", Status: todo.Cancelled},
		{Content: "e", Status: todo.Blocked, Reason: "why"},
	}}
	red, err := ParseColor("#ff0080")
	if err != nil {
		t.Fatal(err)
	}
	tinted := list
	tinted.Color = red
	for _, c := range []struct {
		name  string
		list  LiveList
		style Style
		want  []string
	}{
		{"plain", list, Style{}, []string{"📋 Plan (Max): 1/4, 1 cancelled", "⭕ a", "⏳ b", "✅ c", "❌ d", "⛔ e (blocked: why)"}},
		{"ASCII", list, Style{ASCII: true}, []string{"Plan (Max): 1/4, 1 cancelled", "[ ] a", "[>] b", "[x] c", "[-] d", "[!] e (blocked: why)"}},
		{"colour", list, Style{Color: true}, []string{
			"\x1b[1;36m📋 Plan (Max): 1/4, 1 cancelled\x1b[0m", "⭕ a", "\x1b[1m⏳ b\x1b[0m",
			"\x1b[32m✅ c\x1b[0m", "\x1b[2m❌ d\x1b[0m", "\x1b[35m⛔ e (blocked: why)\x1b[0m",
		}},
		{"theme", tinted, Style{Color: true, ASCII: true}, []string{
			"\x1b[1;38;2;255;0;128mPlan (Max): 1/4, 1 cancelled\x1b[0m", "[ ] a", "\x1b[1m[>] b\x1b[0m",
			"\x1b[32m[x] c\x1b[0m", "\x1b[2m[-] d\x1b[0m", "\x1b[35m[!] e (blocked: why)\x1b[0m",
		}},
		{"a long name leaves the count", LiveList{Name: "release-of-the-next-version"}, Style{Width: 24}, []string{"📋 Plan (release-…): 0/0"}},
		{"no room for a name", LiveList{Name: "release"}, Style{Width: 16}, []string{"📋 Plan (releas…"}},
		{"a name is not trusted", LiveList{Name: "\x1b[2J\n"}, Style{}, []string{`📋 Plan (\u001b[2J\n): 0/0`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, want := strings.Join(Frame(c.list, c.style, 0), "\n"), strings.Join(c.want, "\n"); got != want {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

func TestWindowKeepsTheCurrentItem(t *testing.T) {
	for _, c := range []struct {
		name       string
		n, current int
		height     int
		want       string
	}{
		{"one row", 9, 4, 1, "4"},
		{"two rows", 9, 4, 2, "H 4"},
		{"three rows", 9, 4, 3, "H 4 (4 above, 4 below)"},
		{"five rows", 9, 0, 5, "H 0 1 2 (6 below)"},
		{"in the middle", 20, 10, 8, "H (8 above) 8 9 10 11 12 (7 below)"},
		{"at the start", 20, 0, 8, "H 0 1 2 3 4 5 (14 below)"},
		{"near the start", 20, 3, 8, "H 0 1 2 3 4 5 (14 below)"},
		{"at the end", 20, 19, 8, "H (14 above) 14 15 16 17 18 19"},
		{"it fits", 7, 3, 8, "H 0 1 2 3 4 5 6"},
		{"it just does not fit", 8, 3, 8, "H 0 1 2 3 4 5 (2 below)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := LiveList{Name: "H"}
			for i := range c.n {
				list.Items = append(list.Items, todo.Item{Content: fmt.Sprint(i), Status: todo.Pending})
			}
			list.Items[c.current].Status = todo.InProgress
			var got []string
			for _, line := range Frame(list, Style{ASCII: true}, c.height) {
				line = regexp.MustCompile(`^\[.\] `).ReplaceAllString(line, "")
				line = regexp.MustCompile(`^\.\.\. (.*)`).ReplaceAllString(line, "($1)")
				got = append(got, regexp.MustCompile(`^Plan \(H\): 0/.*`).ReplaceAllString(line, "H"))
			}
			if line := strings.Join(got, " "); line != c.want {
				t.Errorf("got  %s\nwant %s", line, c.want)
			}
		})
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestFrameFitsEveryScreen(t *testing.T) {
	texts := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"修复解析器", "👍🏽👨\u200d👩\u200d👧", "e\u0301\u0302", "\x1b[31m\n\r", "שלום", "🇩🇪🇩🇪🇩", "हिन्दी"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		list := LiveList{Name: texts.Draw(t, "name"), Positions: rapid.Bool().Draw(t, "positions")}
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			it := todo.Item{Content: texts.Draw(t, "text"), Status: rapid.SampledFrom(todo.Statuses()).Draw(t, "status")}
			if rapid.Bool().Draw(t, "divided") {
				it.Subtasks = []todo.Subtask{{Content: texts.Draw(t, "part")}}
			}
			list.Items = append(list.Items, it)
		}
		style := Style{
			Width: rapid.IntRange(1, 90).Draw(t, "width"),
			Color: rapid.Bool().Draw(t, "color"), ASCII: rapid.Bool().Draw(t, "ascii"),
		}
		height := rapid.IntRange(1, 70).Draw(t, "height")
		frame := Frame(list, style, height)
		if len(frame) > height {
			t.Fatalf("%d lines on %d rows", len(frame), height)
		}
		for _, line := range frame {
			text := escapes.ReplaceAllString(line, "")
			if n := columns(text); n > style.Width {
				t.Fatalf("%q takes %d of %d columns", text, n, style.Width)
			}
			if safe := Text(text); safe != text {
				t.Fatalf("%q hides %q", text, safe)
			}
		}
	})
}

func TestParseColor(t *testing.T) {
	for name, want := range map[string]Color{
		"cyan": "36", "Red": "31", "gray": "90", "grey": "90", "bright-blue": "94", "greenBright": "92",
		"#102030": "38;2;16;32;48", "#FFffFF": "38;2;255;255;255",
	} {
		if got, err := ParseColor(name); err != nil || got != want {
			t.Errorf("ParseColor(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"", "purple-ish", "#12345", "#1234567", "#-12345", "#gggggg", "36", "bright", "31m"} {
		if got, err := ParseColor(name); err == nil {
			t.Errorf("ParseColor(%q) = %q, want an error", name, got)
		}
	}
}
