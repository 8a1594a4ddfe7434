package render

import "testing"

func TestTableColumns(t *testing.T) {
	t.Setenv("LC_ALL", "ja_JP.UTF-8") // ambiguous characters stay narrow
	color := Style{Color: true}
	for _, c := range []struct {
		name  string
		style Style
		rows  [][]string
		want  string
	}{
		{"nothing", Style{}, nil, ""},
		{"no blanks at the end", Style{}, [][]string{{"a", "long", ""}, {"bbb", "c", ""}}, "a    long\nbbb  c\n"},
		{
			"display width",
			Style{},
			[][]string{{"修复", "x"}, {"👨\u200d👩\u200d👧", "x"}, {"e\u0301", "x"}, {"○", "x"}, {"long", "x"}},
			"修复  x\n👨\u200d👩\u200d👧    x\ne\u0301     x\n○     x\nlong  x\n",
		},
		{"colour takes no room", color, [][]string{{color.Paint(Green, "ok"), "x"}, {"long", "y"}}, "\x1b[32mok\x1b[0m    x\nlong  y\n"},
		{
			"the last cell is shortened",
			Style{Width: 34},
			[][]string{{"1", "demo", "a text that is too long for its row"}},
			"1  demo  a text that is too long …\n",
		},
		{
			"what does not fit is below",
			Style{Width: 20},
			[][]string{{"1", "demo", "3 open", "fix the parser"}, {"2", "other", "", ""}},
			"1  demo\n      3 open\n      fix the parser\n2  other\n",
		},
		{
			"at most three lines below",
			Style{Width: 16},
			[][]string{{"1", "demo", "one two three four five six seven eight"}},
			"1  demo\n      one two\n      three four\n      five six …\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.style.Table(c.rows, 2); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestFoldedColumn(t *testing.T) {
	rows := [][]string{{"key", "one,two,three,four,five,six,seven", "default"}, {"other", "false", "project"}}
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{
		{"no screen", 0, "key    one,two,three,four,five,six,seven  default\nother  false                              project\n"},
		{"wide enough", 49, "key    one,two,three,four,five,six,seven  default\nother  false                              project\n"},
		{"continued below", 42, "key    one,two,three,four,five,  default\n       six,seven\nother  false                     project\n"},
		{"no room for a text", 30, "key\n      one,two,three,four,five,\n      six,seven\n      default\nother\n      false  project\n"},
	} {
		style := Style{Width: c.width}
		if got := style.Table(style.FoldColumn(rows, 1), 1); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if got := (Style{Width: 10}).FoldColumn(nil, 1); got != nil {
		t.Errorf("nothing: %q", got)
	}
}
