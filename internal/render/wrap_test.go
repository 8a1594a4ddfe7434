package render

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/unicodesafe"
)

// TestWrappedTextIsNoCommand checks that no line of a wrapped text is one that a CI system would read as a command.
func TestWrappedTextIsNoCommand(t *testing.T) {
	const text = "::add-mask::one and ::error title=x::two ::three, ##[four] and a/::five ##vso[six]"
	none := func(t rapid.TB, width int, lines string) {
		for line := range strings.Lines(lines) {
			if unicodesafe.HasCommand(line) {
				t.Fatalf("%d columns: %q", width, line)
			}
		}
	}
	for width := 1; width < 90; width++ {
		none(t, width, strings.Join(Wrap(Text(text), width), "\n"))
		none(t, width, WrapMessage(Text(text), width))
		var b strings.Builder
		Style{Width: width}.WriteHanging(&b, "1  ", 3, Text(text))
		none(t, width, b.String())
		none(t, width, Style{Width: width}.Paragraphs([][]string{{"1", Text(text)}, {Text(text), "2"}}))
		none(t, width, Style{Width: width}.TableWithHeader([]string{"A", "B"}, [][]string{{"1", Text(text)}, {Text(text), "2"}}, 0))
	}
	none(t, 4, WrapMessage(Text(": ::"), 4)) // a space parts the colons
	rapid.Check(t, func(t *rapid.T) {
		text := Text(rapid.StringOf(rapid.SampledFrom([]rune("ab :#[/vso"))).Draw(t, "text"))
		width := rapid.IntRange(1, 30).Draw(t, "width")
		none(t, width, strings.Join(Wrap(text, width), "\n"))
		none(t, width, WrapMessage(text, width))
	})
}

func TestWrapKeepsEveryWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab 修/é👍-"))).Draw(t, "text")
		width := rapid.IntRange(2, 30).Draw(t, "width")
		lines := Wrap(text, width)
		for _, l := range lines {
			if n := columns(l); n > width {
				t.Fatalf("%q takes %d of %d columns", l, n, width)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := bare(strings.Join(lines, "")); got != bare(text) {
			t.Fatalf("%q became %q", text, lines)
		}
	})
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two", 7, "one two"},
		{"one two", 6, "one|two"},
		{"one two three", 7, "one two|three"},
		{"one  two", 4, "one|two"},
		{"abcdefgh", 3, "abc|def|gh"},
		{"/home/max/src/onward", 12, "/home/max/|src/onward"},
		{"see /home/max/src", 6, "see|/home/|max/|src"},
		{"/home/a-long-name", 8, "/home/|a-long-n|ame"},
		{"run `a b c` first", 8, "run|`a b c`|first"},
		{"run `a b c` first", 5, "run|`a b|c`|first"},
		{"修复解析器", 5, "修复|解析|器"},
	} {
		if got := strings.Join(Wrap(c.text, c.width), "|"); got != c.want {
			t.Errorf("Wrap(%q, %d) = %s, not %s", c.text, c.width, got, c.want)
		}
	}
}

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		width      int
		text, want string
	}{
		{0, "onward: as it is", "onward: as it is"},
		{20, "onward: as it is", "onward: as it is"},
		{17, "onward: as it is, on two", "onward: as it is,|on two"},
		{24, "hint: see `onward todo add --help`", "hint: see|`onward todo add --help`"},
		{24, "hint: (`onward todo add`), or not", "hint:|(`onward todo add`), or|not"},
		{12, "hint: see `onward todo add --help`", "hint: see|`onward todo add --help`"},
		{3, "see `onward todo add`", "see|`onward|todo|add`"},
		{12, "see 0123456789abcdef at once", "see|0123456789abcdef|at once"},
		{10, "an odd ` is one", "an odd `|is one"},
		{4, "日本 語", "日本|語"},
	} {
		got := strings.ReplaceAll(WrapMessage(c.text, c.width), "\n", "|")
		if got != c.want {
			t.Errorf("%d columns: %q, want %q", c.width, got, c.want)
		}
	}
}
