package cli

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func table() []Command {
	leaf := func() any { return new(struct{}) }
	return []Command{
		{Name: "todo", Sub: []Command{{Name: "add", Make: leaf}, {Name: "delete", Alias: "remove,rm", Make: leaf}}},
		{Name: "check", Own: "store", Make: leaf},
		{Name: "rules", Sub: []Command{{Name: "add", Make: leaf}}},
	}
}

// scanned is a line with the global flags that it set.
type scanned struct {
	Line
	session, store *string
	json, quiet    bool
}

func scan(args string) scanned {
	var s scanned
	s.Line = Scan(strings.Fields(args), table(), s.flags())
	return s
}

func (s *scanned) flags() []Flag {
	return []Flag{
		{Name: "session", Short: 's', Text: &s.session},
		{Name: "store", Text: &s.store},
		{Name: "json", On: &s.json},
		{Name: "quiet", Short: 'q', On: &s.quiet},
	}
}

func text(p *string) string {
	if p == nil {
		return "-"
	}
	return *p
}

func TestScan(t *testing.T) {
	for _, c := range []struct {
		args, path, left, session string
		json, quiet, plain        bool
	}{
		{"check", "check", "", "-", false, false, true},
		{"-s b check", "check", "", "b", false, false, true},
		{"check -s b", "check", "", "b", false, false, true},
		{"-sb check", "check", "", "b", false, false, true},
		{"--session=b --json check", "check", "", "b", true, false, true},
		{"-qs b todo --json add x", "todo add", "x", "b", true, true, true},
		{"todo rm 1 -q", "todo delete", "1", "-", false, true, true},
		{"check --dry --session b", "check", "--dry", "b", false, false, true},
		{"check --store -s b", "check", "--store", "b", false, false, true}, // a switch of the command
		{"check -qx", "check", "-x", "-", false, true, true},
		{"check --at --json 1", "check", "--at 1", "-", true, false, false},
		{"check --at=2 --json 1", "check", "--at=2 1", "-", true, false, true},
		{"check --at 1 --json 2", "check", "--at 1 2", "-", true, false, true},
		{"check -- -s b --json", "check", "-- -s b --json", "-", false, false, false},
		{"check -s check", "check", "", "check", false, false, true},
		{"check --json=false --quiet=yes", "check", "", "-", false, true, true},
		{"todo", "todo", "", "-", false, false, false},
		{"", "", "", "-", false, false, false},
	} {
		s := scan(c.args)
		if got := strings.Join(s.Path, " "); got != c.path || strings.Join(s.Args, " ") != c.left || text(s.session) != c.session ||
			s.json != c.json || s.quiet != c.quiet || s.IsPlain() != c.plain || s.Err != nil {
			t.Errorf("%q: %+v, session %s", c.args, s, text(s.session))
		}
	}
	if s := scan("check a -- b c"); s.Literal != 2 {
		t.Errorf("%d arguments follow --, not 2", s.Literal)
	}
}

// An argument that cannot be understood hides neither the command nor the flags after it.
func TestScanContinuesAfterError(t *testing.T) {
	for args, want := range map[string]string{
		"frob --json":                `unknown command "frob"`,
		"todo frob check --json":     `unknown command "todo frob"`,
		"--frob check --json":        "unknown flag --frob",
		"--json check --session":     "--session: a value is missing",
		"check -s --json":            "--session: a value is missing; if --json is the value, join it with an equals sign",
		"--json -- check":            "a command comes before --",
		"check --quiet=maybe --json": `--quiet: "maybe" is neither true nor false`,
	} {
		s := scan(args)
		if s.Err == nil || s.Err.Error() != want || !s.json || s.IsPlain() {
			t.Errorf("%q: error %v, json %v", args, s.Err, s.json)
		}
	}
	if s := scan("--frob check"); s.Command == nil || s.Command.Name != "check" {
		t.Errorf("the command is %v", s.Command)
	}
}

func TestExplainSuggestsNames(t *testing.T) {
	for args, want := range map[string]string{
		"add":      "did you mean `p todo add` or `p rules add`? `p help commands` lists all commands",
		"rm":       "did you mean `p todo delete`? `p help commands` lists all commands",
		"chekc":    "did you mean `p check`? `p help commands` lists all commands",
		"todo ad":  "did you mean `p todo add`? `p todo --help` lists the commands",
		"todo rmo": "did you mean `p todo delete`? `p todo --help` lists the commands",
		"rules rm": "`p rules --help` lists the commands",
		"removee":  "did you mean `p todo delete`? `p help commands` lists all commands",
		"files":    "did you mean `p help files`? `p help commands` lists all commands",
		"zzzzzz":   "`p help commands` lists all commands",
		"--quite":  "did you mean --quiet?",
		"--sonn":   "`p help flags` explains the flags of every command", // too far from --json
		"--zzzzzz": "`p help flags` explains the flags of every command",
	} {
		p := Program{Name: "p", Commands: table(), Flags: new(scanned).flags(), Manual: fstest.MapFS{"topics/files.md": {}}}
		err, ok := p.ExplainError(scan(args).Line).(*Error)
		if !ok || err.Next != want {
			t.Errorf("%q: %+v", args, err)
		}
	}
}

type sample struct {
	At   string   `short:"a" help:"x"`
	Yes  bool     `help:"x"`
	Can  *bool    `negatable:"" help:"x"`
	N    int      `help:"x"`
	Text []string `arg:"" name:"text" help:"x"`
}

func TestParse(t *testing.T) {
	for args, want := range map[string]any{
		"check x y --at 1":           sample{At: "1", Text: []string{"x", "y"}},
		"check --at=-1 x":            sample{At: "-1", Text: []string{"x"}},
		"check -- -x":                sample{Text: []string{"-x"}},
		"check --yes --json x":       sample{Yes: true, Text: []string{"x"}},
		"check":                      "missing: TEXT…: x",
		"check --at --json x":        "--at: a value is missing",
		"check -a -q x":              "--at: a value is missing",
		"check --at":                 "--at: a value is missing",
		"check --at -1 x":            "--at: a value is missing; if -1 is the value, join it with an equals sign",
		"check --yes=on --can=off x": sample{Yes: true, Can: new(false), Text: []string{"x"}},
		"check --no-can x":           sample{Can: new(false), Text: []string{"x"}},
		"check --yes=maybe x":        `--yes: "maybe" is neither true nor false`,
		"check x --n=one":            `--n: "one" is not a whole number`,
		"check x --quite":            "unknown flag --quite",
		"check x --yess":             "unknown flag --yess",
	} {
		var got sample
		err := (&Program{Name: "p"}).Parse(scan(args).Line, &got)
		if err == nil && !reflect.DeepEqual(any(got), want) || err != nil && err.Error() != want {
			t.Errorf("%q: got %+v, %v", args, got, err)
		}
	}
}

// Where the name of a group is misspelled, and the command after it is not, that command was meant.
func TestExplainMisspelledGroup(t *testing.T) {
	p := Program{Name: "p", Commands: table(), Manual: fstest.MapFS{"topics/files.md": {}}}
	for _, c := range p.Commands {
		for _, sub := range c.Sub {
			for i := 1; i < len(c.Name); i++ {
				wrong := c.Name[:i] + c.Name[i+1:]
				var explained *Error
				if err := p.ExplainError(scan(wrong + " " + sub.Name).Line); !errors.As(err, &explained) || !strings.Contains(explained.Next, "`p "+c.Name+" "+sub.Name+"`") {
					t.Errorf("%s %s: %v, %+v", wrong, sub.Name, err, explained)
				}
			}
		}
	}
}
