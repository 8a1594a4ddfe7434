package slash

import (
	"errors"
	"strings"
	"testing"
)

func declared(t *testing.T, commands string) []Declaration {
	t.Helper()
	list, err := Decode([]byte(`{"schema":"onward/commands/v1","commands":[`+commands+`]}`), "user")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestDeclaredCommands(t *testing.T) {
	list := declared(t, `{"name":"review","description":"Review.","action":{"type":"submit_prompt","content":"Review {args} and {args}."}},
		{"name":"db","action":{"type":"message","content":"reset or dump"},"subCommands":[
			{"name":"dump","action":{"type":"tool","name":"dump","args":{"file":"{args}","deep":{"n":1}}}},
			{"name":"reset","action":{"type":"confirm_action","prompt":"Reset {args}?","action":{"type":"confirm_shell_commands","commands":["make reset {args}","make"]}}}]}`)
	for text, want := range map[string]struct{ path, rest string }{
		"/review the  code": {"review", "the  code"},
		"/review":           {"review", ""},
		"/db":               {"db", ""},
		"/db dump a b":      {"db dump", "a b"},
		"/db dum":           {"db", "dum"},
		"/other":            {"", "other"},
	} {
		l, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		found, path, rest := Find(list, l)
		if path != want.path || rest != want.rest || (found == nil) != (path == "") {
			t.Errorf("%q: %q %q", text, path, rest)
		}
	}
	if got := list[0].Action.WithArgs("x").Content; got != "Review x and x." || !list[0].Action.AcceptsArgs() {
		t.Errorf("got %q", got)
	}
	if got := string(list[1].SubCommands[0].Action.WithArgs(`a"},"x":{"b`).Args); got != `{"file":"a\"},\"x\":{\"b","deep":{"n":1}}` {
		t.Errorf("got %s", got)
	}
	reset := list[1].SubCommands[1].Action.WithArgs("all")
	if reset.Prompt != "Reset all?" || reset.Action.Commands[0] != "make reset all" || list[1].Action.AcceptsArgs() {
		t.Errorf("got %+v", reset)
	}
}

func TestBadDeclaration(t *testing.T) {
	for in, want := range map[string]string{
		`{"name":"x","acton":{"type":"quit"}}`:                                  "unknown member /commands/0/acton",
		`{"name":"x","action":{"type":"quit","dialog":"help"}}`:                 `/x: action: quit has no "dialog"`,
		`{"name":"x","action":{"type":"message"}}`:                              `message needs "content"`,
		`{"name":"x","action":{"type":"beep"}}`:                                 `unknown type "beep"`,
		`{"name":"x","action":{"type":"message","content":"a","level":"warn"}}`: "the level must be info or error",
		`{"name":"x","action":{"type":"tool","name":"t","args":[1]}}`:           "args must be an object",
		`{"name":"x"}`: "neither an action nor sub-commands",
		`{"name":"Todo","action":{"type":"quit"}}`:                                                                                              "lower-case letters",
		`{"name":"todo","action":{"type":"quit"}}`:                                                                                              "/todo: the name is that of a built-in command",
		`{"name":"x","action":{"type":"quit"}},{"name":"x","action":{"type":"quit"}}`:                                                           "/x: it is declared twice",
		`{"name":"x","subCommands":[{"name":"todo y","action":{"type":"quit"}}]}`:                                                               "/x todo y: the name",
		`{"name":"x","name":"y","action":{"type":"quit"}}`:                                                                                      "duplicate",
		`{"name":"x","action":{"type":"confirm_action","prompt":"?","action":{"type":"confirm_action","prompt":"?","action":{"type":"quit"}}}}`: "cannot ask again",
	} {
		_, err := Decode([]byte(`{"schema":"onward/commands/v1","commands":[`+in+`]}`), "user")
		if !errors.Is(err, ErrDeclaration) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", in, err)
		}
	}
	for _, in := range []string{"", "[]", `{"schema":"onward/tools/v1","commands":[]}`, `{"schema":"onward/commands/v1","commands":[]} x`} {
		if _, err := Decode([]byte(in), "user"); !errors.Is(err, ErrDeclaration) {
			t.Errorf("%q: got %v", in, err)
		}
	}
}
