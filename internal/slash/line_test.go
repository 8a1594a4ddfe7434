package slash

import (
	"errors"
	"slices"
	"testing"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		text, name string
		words      []string
		drops      bool
	}{
		{"/todo", "todo", nil, false},
		{"  /Todo  add 1.2 \"write tests\" ", "todo", []string{"add", "1.2", "write tests"}, false},
		{`/todo add don\'t`, "todo", []string{"add", "don't"}, false},
		{`/todo add 'a  b' c`, "todo", []string{"add", "a  b", "c"}, false},
		{"/todo add $HOME `x` *", "todo", []string{"add", "$HOME", "`x`", "*"}, false},
		{"/todo add ''", "todo", []string{"add", ""}, false},
		{"/todo clear", "todo", []string{"clear"}, true},
		{"/todo delete all", "todo", []string{"delete", "all"}, true},
		{"/todo rm 1 all", "todo", []string{"rm", "1", "all"}, true},
		{"/todo delete 1", "todo", []string{"delete", "1"}, false},
		{"/todo add all", "todo", []string{"add", "all"}, false},
		{"/set clear", "set", []string{"clear"}, false},
	} {
		l, err := Parse(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		words, err := l.Words()
		if err != nil || l.Name != c.name || !slices.Equal(words, c.words) || l.Drops() != c.drops {
			t.Errorf("%q: %q %q %v, %v", c.text, l.Name, words, l.Drops(), err)
		}
		if again, err := Parse(l.String()); err != nil || again != l {
			t.Errorf("%q is written %q, which is read as %+v, %v", c.text, l, again, err)
		}
	}
	for _, text := range []string{"", "/", "todo", "hello /todo", "/ todo"} {
		if _, err := Parse(text); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := (Line{Rest: `add "open`}).Words(); !errors.Is(err, ErrSyntax) {
		t.Errorf("an open quote: %v", err)
	}
}
