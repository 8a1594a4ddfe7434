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
		if err != nil || l.Name != c.name || !slices.Equal(words, c.words) || (l.Question(1) != "") != c.drops || l.Question(0) != "" {
			t.Errorf("%q: %q %q %v, %v", c.text, l.Name, words, l.Question(1), err)
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

// TestTextIsTheRestOfTheLine checks that a last argument that is a text includes the rest of the line.
func TestTextIsTheRestOfTheLine(t *testing.T) {
	for text, want := range map[string][]string{
		`/todo add don't forget`:                {"add", "don't forget"},
		`/todo add move C:\path  to "D:"`:       {"add", `move C:\path  to "D:"`},
		`/todo add "write the tests"`:           {"add", "write the tests"},
		`/todo add 'a  b'`:                      {"add", "a  b"},
		`/todo add "a" and "b"`:                 {"add", `"a" and "b"`},
		`/todo add 'a' 'b'`:                     {"add", `'a' 'b'`},
		`/todo add "open`:                       {"add", `"open`},
		`/todo add 1.2 it's "late"`:             {"add", "1.2", `it's "late"`},
		`/todo add 1 "read the code"`:           {"add", "1", "read the code"},
		`/todo add 3`:                           {"add", "3"},
		`/todo add "3"`:                         {"add", "--", "3"},
		`/todo add 2 '1.2'`:                     {"add", "2", "--", "1.2"},
		`/todo edit 2 "last"`:                   {"edit", "2", "--", "last"},
		`/todo add "3" more`:                    {"add", `"3" more`},
		`/todo add --priority high 1 don't`:     {"add", "--priority", "high", "1", "don't"},
		`/todo add --priority=low --json don't`: {"add", "--priority=low", "--json", "don't"},
		`/todo add -- -x "y"`:                   {"add", "--", `-x "y"`},
		`/todo add "-x y"`:                      {"add", "--", "-x y"},
		"/todo add one\ntwo":                    {"add", "one\ntwo"},
		`/todo add`:                             {"add"},
		`/todo add -`:                           {"add", "-"},
		`/todo edit 2 it's`:                     {"edit", "2", "it's"},
		`/todo edit last "new text"`:            {"edit", "last", "new text"},
		`/todo edit 2`:                          {"edit", "2"},
		`/todo done "1"`:                        {"done", "1"},
		`/pause can't find C:\x`:                {`can't find C:\x`},
		`/pause "no key"`:                       {"no key"},
		`/pause`:                                nil,
		`/message push don't stop`:              {"push", "don't stop"},
		`/message edit 1 it's`:                  {"edit", "1", "it's"},
		`/set plan-agents "a b"`:                {"plan-agents", "a b"},
	} {
		l, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := l.Args(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
