package tool

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/durable"
	"onward/internal/schema"
)

func file(tools ...string) []byte {
	return []byte(`{"schema":"onward/tools/v1","tools":[` + strings.Join(tools, ",") + `]}`)
}

const grep = `{"name":"grep","command":["grep","-e","{pattern}","--","{path}"],"kind":"read","timeout":"30s","max_output":1000,"env":["FOO"],
	"parameters":{"type":"object","properties":{"pattern":{"type":"string"},"path":{}},"required":["pattern"]}}`

func TestArgumentsFillWholeWords(t *testing.T) {
	tools, err := Decode(file(grep), "user", "")
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string][]string{
		`{"pattern":"a b; rm $x","path":"-x"}`: {"grep", "-e", "a b; rm $x", "--", "-x"},
		`{"pattern":"{path}"}`:                 {"grep", "-e", "{path}", "--"},
		`{"pattern":"","path":null}`:           {"grep", "-e", "", "--"},
		`{"pattern":"a","path":5}`:             {"grep", "-e", "a", "--", "5"},
		`{"pattern":"a","path":["b",{"c":1}]}`: {"grep", "-e", "a", "--", `["b",{"c":1}]`},
	} {
		if got, err := tools[0].Argv(jsontext.Value(args)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v", args, got, err)
		}
	}
	if argv, err := tools[0].Argv(jsontext.Value(`{"pattern":"a\u0000b"}`)); err == nil {
		t.Errorf("got %q", argv)
	}
	for _, bad := range []string{`{}`, `[]`, `{"pattern":5}`, `null`} {
		if tools[0].Check(jsontext.Value(bad)) == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func TestDeclarations(t *testing.T) {
	tools, err := Decode(file(grep, `{"name":"b","command":["b"]}`), "user", "")
	if err != nil {
		t.Fatal(err)
	}
	if g := tools[0]; g.Timeout != 30*time.Second || g.Confirm != "never" || g.MaxOutput != 1000 || !g.Parallel() || g.Stdin != "none" {
		t.Errorf("got %+v", g)
	}
	if b := tools[1]; b.Confirm != "ask" || b.Kind != Other || b.MaxOutput != defaultOutput || b.Parallel() || b.Hash == tools[0].Hash {
		t.Errorf("got %+v", b)
	}
	if tools, err := Decode(file(`{"name":"a","command":["a"],"timeout":"90"}`), "user", ""); err != nil || tools[0].Timeout != 90*time.Second {
		t.Errorf("got %v, %v", tools, err)
	}
	for _, bad := range []string{
		`{"name":"a"}`, `{"name":"a","command":[]}`, `{"name":"a b","command":["a"]}`, `{"command":["a"]}`, `{"name":"shell","command":["a"]}`,
		`{"name":"a","command":["a"],"kind":"write"}`, `{"name":"a","command":["a"],"confirm":"yes"}`, `{"name":"a","command":["a"],"stdin":"json"}`,
		`{"name":"a","command":["a"],"timeout":"soon"}`, `{"name":"a","command":["a"],"timeout":"0"}`, `{"name":"a","command":["a"],"confrim":"ask"}`, `{"name":"a","command":["a","{x}"]}`,
		`{"name":"a","command":["{x}"],"parameters":{"properties":{"x":{}}}}`, `{"name":"a","command":["a","--x={x}"],"parameters":{"properties":{"x":{}}}}`,
		`{"name":"a","command":["a"],"max_output":5}`, `{"name":"a","command":["a"],"env":["A=B"]}`,
		`{"name":"a","command":["a"]},{"name":"a","command":["b"]}`,
	} {
		if _, err := Decode(file(bad), "user", ""); !errors.Is(err, ErrDeclaration) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
	for _, bad := range []string{``, `[]`, `{"tools":[]}`, `{"schema":"onward/tools/v2","tools":[]}`, `{"schema":"onward/tools/v1","tool":[]}`} {
		if _, err := Decode([]byte(bad), "user", ""); !errors.Is(err, ErrDeclaration) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

func TestSuggestions(t *testing.T) {
	tools := Builtin()
	for name, want := range map[string]string{"todo_wirte": "todo_write", "todo_rea": "todo_read", "Shell": "shell", "shel": "shell", "nothing_like_it": ""} {
		if got := strings.Join(tools.Suggest(name), " "); got != want {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if got := Builtin().Suggest("todo_rite")[0]; got != "todo_write" {
		t.Errorf("got %s", got)
	}
	if q := tools.Find("shell").PolicyQuestion(jsontext.Value(`{"command":"git status"}`), policy.Default); q.Command != "git status" {
		t.Errorf("got %+v", q)
	}
}

// TestInquiry checks which arguments have to be validated by the companion, and that none are accepted without that.
func TestInquiry(t *testing.T) {
	f := Files{Disk: durable.ForeignFiles{}, Config: t.TempDir()}
	more := `{"name":"a","command":["a"],"parameters":{"dependentSchemas":{"b":{"required":["c"]}}}},{"name":"any","command":["a"]}`
	if err := os.WriteFile(f.userPath(toolsFile), file(grep, more), 0o600); err != nil {
		t.Fatal(err)
	}
	tools, _, err := f.Load()
	if err != nil {
		t.Fatal(err)
	}
	a, args := tools.Find("a"), jsontext.Value(`{"b":1}`)
	if err := a.Check(args); err == nil {
		t.Error("arguments were taken that nothing was held against")
	}
	if err := tools.Find("any").Check(args); err != nil {
		t.Error(err)
	}
	// No question is asked about built-in tools, about arguments that are not an object, or twice about the same.
	q := InquireArguments(tools, []Call{
		{"a", args}, {"a", args}, {"a", jsontext.Value(`[1]`)}, {"any", args}, {"shell", jsontext.Value(`{"command":"ls"}`)}, {"nosuch", args},
	})
	if len(q.Questions) != 2 || string(q.Questions[0].Schema) != string(a.Parameters) || string(q.Questions[1].Value) != string(args) {
		t.Fatalf("asked %+v", q.Questions)
	}
	if err := q.Check(a, args); err == nil {
		t.Error("arguments were taken before there was an answer")
	}
	if err := q.SetAnswers([]schema.Answer{{OK: true}, {At: "b", Problem: "it is wrong"}}); err != nil {
		t.Error(err)
	}
	if err := q.Check(a, args); err == nil || err.Error() != "b: it is wrong" {
		t.Errorf("got %v", err)
	}
	for _, other := range []string{`{"b":2}`, `[1]`} {
		if err := q.Check(a, jsontext.Value(other)); err == nil {
			t.Errorf("%s: taken, and not asked about", other)
		}
	}
	if err := q.SetAnswers([]schema.Answer{{At: "type", Problem: "it is no type"}, {}}); !errors.Is(err, ErrDeclaration) ||
		!strings.HasSuffix(err.Error(), `tool "a": parameters: type: it is no type`) {
		t.Errorf("got %v", err)
	}
	q = InquireParameters(tools)
	if len(q.Questions) != 2 {
		t.Errorf("asked %+v", q.Questions)
	}
	if err := q.SetAnswers([]schema.Answer{{OK: true}, {OK: true, Ignored: []string{"x/y"}}}); err != nil {
		t.Error(err)
	}
	if got := q.IgnoredKeywords(); len(got) != 1 || !strings.HasPrefix(got[0], `tool "a": parameters: x/y: `) {
		t.Errorf("got %q", got)
	}
}

func TestArgumentsOfOwnTools(t *testing.T) {
	for _, c := range []struct{ tool, args, want string }{
		{"shell", `{"command":"ls"}`, ""},
		{"shell", `{"command":""}`, "command: it is empty"},
		{"shell", `{"command":5}`, "command: 5 is not a string"},
		{"shell", `{"command":"ls","cwd":"/"}`, `"cwd" is not among the parameters`},
		{"shell", `{}`, `"command" is missing`},
		{"shell", `["ls"]`, "the arguments are not an object"},
		{"shell", `null`, "the arguments are not an object"},
		{"todo_read", `{}`, ""},
		{"todo_read", `{"all":true}`, `"all" is not among the parameters`},
		{"todo_pause", `{"reason":"` + strings.Repeat("ä", 500) + `"}`, ""},
		{"todo_pause", `{"reason":"` + strings.Repeat("ä", 501) + `"}`, "reason: 501 characters, where at most 500 are wanted"},
		{"todo_write", `{"todos":[{"content":"a","status":"pending","subtasks":[{"content":"b"}]}]}`, ""},
		{"todo_write", `{"todos":{}}`, "todos: {} is not an array"},
		{"todo_write", `{"todos":[{"content":"","status":"pending"}]}`, "todos: item 1: "},
		{"todo_write", `{"todos":[{"content":"a","status":"later"}]}`, "todos: item 1: "},
	} {
		err := Builtin().Find(c.tool).Check(jsontext.Value(c.args))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %s: got %v", c.tool, c.args, err)
		}
	}
}

func TestProjectToolsNeedTrust(t *testing.T) {
	base := t.TempDir()
	f := Files{Disk: durable.ForeignFiles{}, Config: filepath.Join(base, "config"), Project: filepath.Join(base, "project"), Usable: func(Set) error { return nil }}
	write := func(text []byte) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(f.ProjectPath()), 0o755), os.WriteFile(f.ProjectPath(), text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	found := func(name string) bool {
		t.Helper()
		tools, _, err := f.Load()
		if err != nil {
			t.Fatal(err)
		}
		return tools.Find(name) != nil
	}
	os.MkdirAll(f.Project, 0o755)
	if _, _, err := f.Trust(&durable.Store{Dir: f.Config}, time.Now()); !errors.Is(err, ErrNoToolsFile) {
		t.Errorf("got %v", err)
	}
	write(file(`{"name":"a","command":["a"],"cwd":"sub"}`))
	if found("a") {
		t.Error("a tool was there before it was trusted")
	}
	tools, _, err := f.Trust(&durable.Store{Dir: f.Config}, time.Now())
	if err != nil || !found("a") || tools[0].Cwd != filepath.ToSlash(f.Project)+"/sub" {
		t.Errorf("%v, %v", tools, err)
	}
	write(file(`{"name":"a","command":["b"]}`))
	if found("a") {
		t.Error("a changed tool was still there")
	}
	if _, err := f.ProjectTools(); !errors.Is(err, ErrUntrusted) || !strings.Contains(err.Error(), "have changed") {
		t.Errorf("got %v", err)
	}
	// The content of the file is trusted, and not its path: the old content is no longer trusted.
	if _, _, err := f.Trust(&durable.Store{Dir: f.Config}, time.Now()); err != nil || !found("a") {
		t.Error(err)
	}
	// The user's own declaration of the name takes precedence.
	if err := os.WriteFile(f.userPath(toolsFile), file(`{"name":"a","command":["mine"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	all, notes, err := f.Load()
	if err != nil || all.Find("a").Source != "user" || len(notes) != 1 {
		t.Errorf("%v, %v, %v", all.Find("a"), notes, err)
	}
	os.Remove(f.userPath(toolsFile))
	if os.Chmod(f.ProjectPath(), 0o666) == nil && found("a") && os.PathSeparator == '/' {
		t.Error("a file that anybody can write was honoured")
	}
	os.Chmod(f.ProjectPath(), 0o644)
	if os.Geteuid() == 0 {
		if err := os.Chown(f.ProjectPath(), 12345, -1); err != nil {
			t.Fatal(err)
		}
		if found("a") {
			t.Error("somebody else's file was honoured")
		}
		if _, _, err := f.Trust(&durable.Store{Dir: f.Config}, time.Now()); !errors.Is(err, ErrUntrusted) {
			t.Errorf("got %v", err)
		}
	}
	os.Remove(f.ProjectPath())
	if err := os.Symlink("/dev/null", f.ProjectPath()); err == nil {
		if _, notes, err := f.Load(); err != nil || len(notes) != 1 || !strings.Contains(notes[0], "symbolic link") {
			t.Errorf("a link: %v, %v", notes, err)
		}
		if _, _, err := f.Trust(&durable.Store{Dir: f.Config}, time.Now()); !errors.Is(err, ErrUntrusted) {
			t.Errorf("a link: got %v", err)
		}
	}
}

// TestOfferedTools checks that the tool that pauses is not offered if there would be no continuation.
func TestOfferedTools(t *testing.T) {
	all := Set{{Name: "todo_read"}, {Name: "todo_pause"}, {Name: "shell"}}
	if got := all.Offered(true); len(got) != 3 {
		t.Errorf("got %v", got)
	}
	if got := all.Offered(false); len(got) != 2 || got.Find("todo_pause") != nil || len(all) != 3 || all.Find("todo_pause") == nil {
		t.Errorf("got %v of %v", got, all)
	}
}
