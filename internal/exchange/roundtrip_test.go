package exchange

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/todo"
	"onward/internal/unicodesafe"
)

// pieces are texts that have a meaning in markdown, or in onward's notation in it.
var pieces = []string{
	"a", "fix the parser", " ", "  ", "    ", "\t", "\n", "\n\n", "\r", "\r\n", `\`, `\\`, "- ", "* ", "+ ", "-", "1. ", "12) ", "1234567890. ",
	"[ ] ", "[x] ", "- [ ] ", "- [x] b", "# ", "## b", "> ", "```", "```go", "~~~", "---", "***", "===", "| a |", "<!--", "-->", "<b>",
	"_(in progress)_", " _(in progress)_", " _(blocked: x)_", " *(cancelled)*", " _(high priority)_", "_(", ")_", "*(", ")*", "_", "*", "(", ")", ", ",
	"&#x41;", "&#65;", "&#", "&amp;", "&#0;", "&#xd800;", "&", ";", "x1b;", "\x1b[31m", "\x7f", "\u0085", "\u00a0", "\u202e", "\u200d", "\u2028", "\ufeff", "\U000e0001", "\ufffd",
	"é", "界", "👩\u200d💻", "=1+1", "@a", "\u3164", "\v", "\f", "#", "##[error]x", "##VSO[a]", "❤\ufe0f", "\ufe0f", "::error::x",
}

func anyText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.String()), 1, 8).Draw(t, "pieces"), "")
		text, err := todo.CheckText(text)
		if err != nil {
			return "plain"
		}
		return text
	})
}

func anyStatus() *rapid.Generator[todo.Status] { return rapid.SampledFrom(todo.Statuses()) }

func anyItems() *rapid.Generator[[]todo.Item] {
	item := rapid.Custom(func(t *rapid.T) todo.Item {
		it := todo.Item{
			Content: anyText().Draw(t, "text"), Status: anyStatus().Draw(t, "status"),
			Priority: rapid.SampledFrom([]todo.Priority{"", todo.High, todo.Medium, todo.Low}).Draw(t, "priority"),
		}
		if it.Status == todo.Blocked && rapid.Bool().Draw(t, "has a reason") {
			it.Reason = anyText().Draw(t, "reason")
		}
		for range rapid.IntRange(0, 3).Draw(t, "subtasks") {
			sub := todo.Subtask{Content: anyText().Draw(t, "text"), Status: anyStatus().Draw(t, "status")}
			if sub.Status == todo.Blocked && rapid.Bool().Draw(t, "has a reason") {
				sub.Reason = anyText().Draw(t, "reason")
			}
			it.Subtasks = append(it.Subtasks, sub)
		}
		return it
	})
	return rapid.SliceOfN(item, 1, 5)
}

// TestMarkdownIsLossless writes lists and reads them again. Texts, statuses, priorities, reasons and nesting must be the same,
// and so must the bytes when the list is written again. The output must not contain control characters.
func TestMarkdownIsLossless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := anyItems().Draw(t, "items")
		text := WriteMarkdown(items)
		runes := []rune(text)
		for i, r := range runes {
			if r != '\n' && r != '\t' && !unicodesafe.IsSafe(r) && (i == 0 || !unicodesafe.IsShaping(runes[i-1], r, runes[i+1])) {
				t.Fatalf("%q holds %q", text, r)
			}
			if unicodesafe.BeginsCommand(text[len(string(runes[:i])):]) {
				t.Fatalf("%q holds a command", text)
			}
		}
		if got := known.detect("", []byte(text)); got != Markdown {
			t.Fatalf("%q is taken for %s", text, got)
		}
		list, err := Decode(Auto, "", []byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !todo.Equal(items, list.Items) || list.Flattened != 0 {
			t.Fatalf("%q\n was %+v\n now %+v", text, items, list.Items)
		}
		if again := WriteMarkdown(list.Items); again != text {
			t.Fatalf("written again: %q, it was %q", again, text)
		}
	})
}

// TestMarkdownWithOtherLineEndings checks that a list stays the same when an editor saves its file with other line endings, with a byte
// order mark, with other bullets, or with text around the list.
func TestMarkdownWithOtherLineEndings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := anyItems().Draw(t, "items")
		text := WriteMarkdown(items)
		for name, changed := range map[string]string{
			"CRLF":              strings.ReplaceAll(text, "\n", "\r\n"),
			"a byte order mark": "\ufeff" + text,
			"no last line end":  strings.TrimSuffix(text, "\n"),
			"a heading":         "# Plan\n\nAll of *this*:\n\n" + text + "\nThe end.\n",
			"stars":             strings.ReplaceAll("\n"+text, "\n- [", "\n* ["),
		} {
			list, err := Decode(Markdown, "", []byte(changed))
			if err != nil || !todo.Equal(items, list.Items) {
				t.Fatalf("%s: %q: %v\n was %+v\n now %+v", name, changed, err, items, list.Items)
			}
		}
	})
}

// TestReplaceByOwnExportChangesNothing checks that importing an export with --replace leaves every list as it is.
func TestReplaceByOwnExportChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, err := todo.Append(nil, anyItems().Draw(t, "items"), 1000)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Decode(Markdown, "", []byte(WriteMarkdown(first.Items)))
		if err != nil {
			t.Fatal(err)
		}
		second, err := todo.Replace(first.Items, list.Items, 2000)
		if err != nil || !todo.Equal(first.Items, second.Items) {
			t.Fatalf("%v\n was %+v\n now %+v", err, first.Items, second.Items)
		}
		if slices.ContainsFunc(second.Items, func(it todo.Item) bool { return it.UpdatedAt != 1000 }) {
			t.Fatal("a time moved")
		}
	})
}

// crlf matches line breaks of Windows, which the reader of CSV turns into \n.
var crlf = regexp.MustCompile("\r+\n")

// TestCSVIsLossless checks that CSV keeps the items with their ids, dependencies and times.
func TestCSVIsLossless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := anyItems().Draw(t, "items")
		for i := range drawn {
			drawn[i].Content = crlf.ReplaceAllString(drawn[i].Content, "\n")
			drawn[i].Reason = crlf.ReplaceAllString(drawn[i].Reason, "\n")
			for j := range drawn[i].Subtasks {
				sub := &drawn[i].Subtasks[j]
				sub.Content = crlf.ReplaceAllString(sub.Content, "\n")
				sub.Reason = crlf.ReplaceAllString(sub.Reason, "\n")
			}
		}
		first, err := todo.Append(nil, drawn, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(first.Items); n > 1 {
			first.Items[n-1].BlockedBy = []string{first.Items[0].ID}
		}
		text := WriteCSV(first.Items, nil)
		if got := known.detect("", []byte(text)); got != CSV {
			t.Fatalf("%q is taken for %s", text, got)
		}
		list, err := Decode(Auto, "", []byte("\ufeff"+text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if again := WriteCSV(list.Items, nil); again != text {
			t.Fatalf("written again: %q, it was %q", again, text)
		}
		second, err := todo.Replace(first.Items, list.Items, 2000)
		if err != nil || !todo.Equal(first.Items, second.Items) {
			t.Fatalf("%v\n was %+v\n now %+v", err, first.Items, second.Items)
		}
	})
}
