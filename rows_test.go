package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// insertion is a text that a contributor would add to a file, in front of the first occurrence of before.
type insertion struct{ file, before, text string }

// moreDecisions adds a row to the decision table, and to the manual.
var moreDecisions = []insertion{
	{"internal/continue/checks.go", "\t{\"blocked\", blocked},", "\t{\"full_moon\", fullMoon},\n"},
	{"internal/continue/checks.go", "// The times of the table.", `func fullMoon(q *question) *Decision {
	if todo.Next(q.items) < 0 || q.items[todo.Next(q.items)].Content != "howl" {
		return nil
	}
	return because(NeedsHuman, "full_moon", "the moon is full").withHint("close the window")
}

`},
	{"docs/continuation.md", "    blocked              -\n", "    full_moon            -\n"},
}

// moreLimits adds a limit, and its description in the manual.
var moreLimits = []insertion{
	{"internal/continue/settings.go", "\tMaxTokens     int64 ", "\tMaxItems      int // 0 is no limit\n"},
	{"internal/continue/settings.go", "\t{\"max-tokens\", ", `	{"max-items", "0", "0 (no limit) to 1000", "limit on the items of a list", func(s *Settings) any { return &s.MaxItems }, 0, 1000},
`},
	{"internal/continue/checks_limits.go", "\tcase q.set.MaxUSD > 0 &&", `	case q.set.MaxItems > 0 && q.counts.Total > q.set.MaxItems:
		return because(Limit, "budget", "the list has more than %d items", q.set.MaxItems).withHint("%s", q.raiseBudgetText("max-items"))
`},
	{"cmd/check_continue_flags.go", "\tMaxTokens        *string", "\tMaxItems *string `setting:\"max-items\" placeholder:\"N\" help:\"Limit on the items of a list.\"`\n"},
	{"cmd/manual/get.md", "    max-tokens ", "    max-items          0                                   default\n"},
}

// TestFewFilesAddARowAndALimit builds onward with one more row in the decision table and one more limit,
// and checks every place that depends on them.
func TestFewFilesAddARowAndALimit(t *testing.T) {
	if !*long {
		t.Skip("it compiles the project; -long runs it")
	}
	for what, want := range map[string]struct {
		in    []insertion
		files int
	}{"row": {moreDecisions, 2}, "limit": {moreLimits, 4}} {
		files := map[string]bool{}
		for _, in := range want.in {
			files[in.file] = true
		}
		if len(files) > want.files {
			t.Errorf("a %s changes %d files, want at most %d", what, len(files), want.files)
		}
	}
	all := append(moreDecisions[:len(moreDecisions):len(moreDecisions)], moreLimits...)
	run, write := extended(t, all...)
	expect := func(want, command string) {
		t.Helper()
		if got := run(command); !strings.Contains(got, want) {
			t.Errorf("%s\n%s\nwithout: %s", command, got, want)
		}
	}
	// The command prints what the block in the manual shows.
	printed := func(file, command string) {
		t.Helper()
		_, block, ok := strings.Cut(inserted(t, file, all), "    $ "+command+"\n")
		if !ok {
			t.Fatalf("%s does not show %q", file, command)
		}
		var want strings.Builder
		for line := range strings.Lines(block) {
			text, shown := strings.CutPrefix(line, "    ")
			if !shown || strings.HasPrefix(text, "$ ") {
				break
			}
			want.WriteString(text)
		}
		if got := run(command + " || true"); got != want.String() {
			t.Errorf("%s shows of %q\n%s\nwant\n%s", file, command, want.String(), got)
		}
	}

	// The row decides at its place in the table, and its name is the reason.
	run("onward todo add 'fix the parser' && onward pause 'the fixture is missing'")
	printed("docs/continuation.md", "onward check-continue --explain")
	run("onward resume")
	expect("full_moon            no", "onward check-continue --explain --dry-run")
	run("onward todo clear && onward todo add howl")
	expect("full_moon            yes: stop\nblocked              -", "onward check-continue --explain || true")
	expect(`"reason":"full_moon","message":"the moon is full","hint":"close the window"`, "onward check-continue --json || true")
	expect(`"name":"full_moon","asked":true,"matched":true},{"number":28,"name":"blocked","asked":false`, "onward check-continue --json --explain || true")
	expect("11", "onward check-continue >out 2>&1 || echo $?")
	expect("the moon is full", "onward session list")

	// The limit is known wherever settings are.
	run("onward todo clear && onward todo add 'fix the parser' && onward todo add 'write the tests'")
	printed("cmd/manual/get.md", "onward get")
	expect("Limit on the items of a list.", "onward check-continue --help")
	expect("max-items          0 ", "onward get --help")
	expect("ONWARD_MAX_ITEMS", "onward help environment")
	expect("max-items", "onward __complete set max-")
	expect("max-items cannot be \"many\" (allowed: 0 (no limit) to 1000)", "onward set max-items many 2>&1 || true")
	expect("'fix the parser'", "onward check-continue --dry-run")
	expect("the list has more than 1 items", "onward check-continue --dry-run --max-items 1 2>&1 || true")
	expect("`ONWARD_MAX_ITEMS=N` allows more", "ONWARD_MAX_ITEMS=1 onward check-continue --dry-run 2>&1 || true")
	run("onward set max-items 1")
	expect("12", "onward check-continue >out 2>&1 || echo $?")
	expect(`"reason":"budget","message":"the list has more than 1 items"`, "onward check-continue --json || true")
	expect(`[{"key":"max-items","value":"1","from":"project"}]`, "onward get --json max-items")
	expect(`"value":"2","from":"session"`, "onward set --session demo max-items 2 && onward get --json max-items")
	run("onward unset max-items && onward unset --session demo max-items && mkdir -p onward")
	write("onward/config.json", `{"max-items": 1}`)
	expect(`"value":"1","from":"configuration"`, "onward get --json max-items")
}

// inserted returns a file of the project with the insertions.
func inserted(t *testing.T, file string, all []insertion) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, in := range all {
		if in.file != file {
			continue
		}
		head, tail, ok := strings.Cut(text, in.before)
		if !ok {
			t.Fatalf("%s does not say %q", file, in.before)
		}
		text = head + in.text + in.before + tail
	}
	return text
}

// extended builds onward with insertions in its files. It returns functions that run a command and write a file in an
// empty project.
func extended(t *testing.T, all ...insertion) (run func(command string) string, write func(name, text string)) {
	t.Helper()
	dir, bin := t.TempDir(), t.TempDir()
	write = func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	replace := map[string]string{}
	for _, in := range all {
		whole, err := filepath.Abs(filepath.FromSlash(in.file))
		if err != nil {
			t.Fatal(err)
		}
		replace[whole] = filepath.Join(bin, strings.ReplaceAll(in.file, "/", "_"))
		if err := os.WriteFile(replace[whole], []byte(inserted(t, in.file, all)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "overlay.json"), overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-w", "-overlay", filepath.Join(bin, "overlay.json"), "-o", filepath.Join(bin, "onward"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(command string) string {
		t.Helper()
		c := exec.Command("sh", "-c", command)
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+dir,
			"XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "ONWARD_SESSION=demo", "LC_ALL=C.UTF-8")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s\n%v\n%s", command, err, out)
		}
		return string(out)
	}, write
}
