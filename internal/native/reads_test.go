package native_test

import (
	"fmt"
	"testing"

	"onward/internal/agents"
	"onward/internal/native"
	"onward/internal/object"
)

func TestOnlyReads(t *testing.T) {
	for _, c := range []struct {
		tool, input string
		want        bool
	}{
		{"Read", `{"file_path":"a"}`, true},
		{"read_file", `{}`, true},
		{"ReadFile", `{}`, true},
		{"Edit", `{}`, false},
		{"mcp__db__query", `{}`, false},
		{"mcp__github__get_issue", `{}`, true},
		{"mcp__github__get_or_create_issue", `{}`, false},
		{"mcp__github__create_issue", `{}`, false},
		{"get_issue", `{}`, false},
		{"Skill", `{}`, true},
		{"LSP", `{}`, true},
		{"Monitor", `{}`, true},
		{"ScheduleWakeup", `{}`, true},
		{"Sleep", `{}`, true},
		{"SendMessage", `{}`, true},
		{"StructuredOutput", `{}`, true},
		{"", `{}`, false},
		{"apply_patch", `{}`, false},
		{"Bash", `{"command":["bash","-lc","rg -n TODO"]}`, true},
		{"exec_command", `{"cmd":"make"}`, false},
		{"Bash", `{}`, false},
	} {
		if got := native.OnlyReads(agents.Tools(), c.tool, object.Value(c.input)); got != c.want {
			t.Errorf("%s %s: %v", c.tool, c.input, got)
		}
	}
	for line, want := range map[string]bool{
		"git status":                         true,
		"sleep 5":                            true,
		"sleep 5 && make":                    false,
		"cd src && ls -la | head -5":         true,
		"cat a.go; grep -rn x . 2>/dev/null": true,
		"find . -name '*.go' 2>&1 | wc -l":   true,
		"sed -n '1,20p' main.go":             true,
		"onward todo show":                   true,
		"":                                   false,
		"git commit -m x":                    false,
		"git":                                false,
		"echo x > a":                         false,
		"cat $(make)":                        false,
		"cat `make`":                         false,
		"ls & make":                          false,
		"find . -delete":                     false,
		"find . -exec rm {} +":               false,
		"sed -n '1w a' b":                    false,
		"sed -i s/a/b/ c":                    false,
		"ls\nmake":                           false,
		"go test ./...":                      false,
		"FOO=1 ls":                           false,
		"/bin/bash -lc ls":                   true,
		"bash -lc 'cd src && ls | head'":     true,
		"/bin/zsh -c 'rm a'":                 false,
		"python -c 'print(1)'":               false,
		"ls ||\n rm a":                       false,
	} {
		if got := native.OnlyReads(agents.Tools(), "Bash", object.Value(fmt.Sprintf(`{"command":%q}`, line))); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestUnderstands tells a list of which a part is left out from a call that has no list.
func TestUnderstands(t *testing.T) {
	writes := &native.Tool{Name: "TodoWrite", Does: native.Writes}
	for input, want := range map[string]bool{
		`{"todos":[{"content":"a","status":"pending"}]}`: true,
		`{"todos":[]}`:                        true,
		`{"todos":null}`:                      true,
		`{}`:                                  true,
		`{"operation":"read"}`:                true,
		`{"merge":true,"todos":[{"id":"1"}]}`: true,
		`{"todos":[{"content":"a","status":"deferred"}]}`: false,
		`{"todos":[{"label":"a","status":"pending"}]}`:    false,
		`{"todos":{"1":{"content":"a"}}}`:                 false,
		`{"plan":"first a, then b"}`:                      false,
	} {
		if _, got := writes.Understands(native.Call{Input: object.Value(input)}); got != want {
			t.Errorf("%s: %t", input, got)
		}
	}
	if _, ok := (&native.Tool{Does: native.Creates}).Understands(native.Call{}); !ok {
		t.Error("a tool that writes no list")
	}
}
