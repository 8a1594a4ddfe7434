package render

import (
	"strings"
	"testing"
)

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
		{12, "hint: see `onward todo add --help`", "hint: see|`onward todo|add --help`"},
		{12, "see 0123456789abcdef at once", "see|0123456789abcdef|at once"},
		{10, "an odd ` is one", "an odd `|is one"},
		{4, "日本 語", "日本|語"},
	} {
		got := strings.ReplaceAll(Message(c.text, c.width), "\n", "|")
		if got != c.want {
			t.Errorf("%d columns: %q, want %q", c.width, got, c.want)
		}
	}
}
