package tool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/policy"
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
		if err := tools[0].Check(jsontext.Value(args)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
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
	if b := tools[1]; b.Confirm != "ask" || b.Kind != Other || b.MaxOutput != DefaultOutput || b.Parallel() || b.Hash == tools[0].Hash {
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
	if q := tools.Find("shell").Question(jsontext.Value(`{"command":"git status"}`), policy.Default); q.Command != "git status" {
		t.Errorf("got %+v", q)
	}
}

// TestParametersBeyondTheBuiltInChecker are an error, unless a companion judges them.
func TestParametersBeyondTheBuiltInChecker(t *testing.T) {
	f := Files{Config: t.TempDir()}
	beyond := `{"name":"a","command":["a"],"parameters":{"dependentSchemas":{"b":{"required":["c"]}}}}`
	if err := os.WriteFile(f.userPath(), file(grep, beyond), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Load(); !errors.Is(err, ErrDeclaration) || !errors.Is(err, schema.ErrSchema) || !strings.Contains(err.Error(), `"dependentSchemas" is not known`) {
		t.Errorf("got %v", err)
	}
	f.Companion = func(Set) error { return nil }
	tools, _, err := f.Load()
	if err != nil {
		t.Fatal(err)
	}
	args := jsontext.Value(`{"b":1}`)
	if err := tools.Find("a").Check(args); err == nil {
		t.Error("arguments were taken that nothing was held against")
	}
	// What needs no judging is not asked about: the built-in tools, no object, the same again.
	q := NewInquiry(tools, false)
	q.Arguments(tools.Find("a"), args)
	q.Arguments(tools.Find("a"), args)
	q.Arguments(tools.Find("a"), jsontext.Value(`[1]`))
	q.Arguments(tools.Find("shell"), jsontext.Value(`{"command":"ls"}`))
	if len(q.Question.Schemas) != 1 || len(q.Question.Values) != 1 {
		t.Fatalf("asked %+v", q.Question)
	}
	if err := q.Check(tools.Find("a"), args); err == nil {
		t.Error("arguments were taken before there was an answer")
	}
	if err := q.Take(schema.Answer{Schemas: make([]schema.Verdict, 1), Values: []schema.Verdict{{At: "b", Problem: "it is wrong"}}}); err != nil {
		t.Error(err)
	}
	if err := q.Check(tools.Find("a"), args); err == nil || err.Error() != "b: it is wrong" {
		t.Errorf("got %v", err)
	}
	if err := q.Check(tools.Find("a"), jsontext.Value(`{"b":2}`)); err == nil {
		t.Error("arguments were taken that were not asked about")
	}
	if err := q.Take(schema.Answer{Schemas: []schema.Verdict{{At: "type", Problem: "it is no type"}}}); !errors.Is(err, ErrDeclaration) ||
		!strings.HasSuffix(err.Error(), `tool "a": parameters: type: it is no type`) {
		t.Errorf("got %v", err)
	}
	if q := NewInquiry(tools, true); len(q.Question.Schemas) != 2 {
		t.Errorf("asked %+v", q.Question)
	}
}

func TestProjectToolsNeedTrust(t *testing.T) {
	base := t.TempDir()
	f := Files{Config: filepath.Join(base, "config"), Project: filepath.Join(base, "project")}
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
	if _, _, err := f.Trust(0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	write(file(`{"name":"a","command":["a"],"cwd":"sub"}`))
	if found("a") {
		t.Error("a tool was there before it was trusted")
	}
	tools, _, err := f.Trust(0)
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
	// What is trusted is the content: the old one is trusted no longer.
	if _, _, err := f.Trust(0); err != nil || !found("a") {
		t.Error(err)
	}
	// The user's own declaration of the name stands.
	if err := os.WriteFile(f.userPath(), file(`{"name":"a","command":["mine"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	all, notes, err := f.Load()
	if err != nil || all.Find("a").Source != "user" || len(notes) != 1 {
		t.Errorf("%v, %v, %v", all.Find("a"), notes, err)
	}
	os.Remove(f.userPath())
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
		if _, _, err := f.Trust(0); !errors.Is(err, ErrUntrusted) {
			t.Errorf("got %v", err)
		}
	}
	os.Remove(f.ProjectPath())
	if err := os.Symlink("/dev/null", f.ProjectPath()); err == nil {
		if _, notes, err := f.Load(); err != nil || len(notes) != 1 || !strings.Contains(notes[0], "symbolic link") {
			t.Errorf("a link: %v, %v", notes, err)
		}
		if _, _, err := f.Trust(0); !errors.Is(err, ErrUntrusted) {
			t.Errorf("a link: got %v", err)
		}
	}
}
