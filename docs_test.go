package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestDocumentation runs every code block of the README, of docs and of the manual.
//
// A block whose lines begin with "$ " is a session at a terminal: its commands are run one after the other,
// and if output follows a command, the command must print exactly that. A line "…" matches any lines.
// Any other block is a script that must end well, with an agent that answers at once under every agent's name.
// What is not to be run has a comment before it: <!-- not run: why -->; <!-- file: NAME --> saves a block instead.
// The blocks of a page share a folder and a store, like those of a reader who types them in.
func TestDocumentation(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash to run the examples with")
	}
	pages, err := filepath.Glob(filepath.Join("docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	manual, err := filepath.Glob(filepath.Join("cmd", "manual", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(place(own, filepath.Join(programs, "onward")+exe()), buildCompanion(programs)); err != nil {
		t.Fatal(err)
	}
	for _, page := range append(append(pages, manual...), "README.md") {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			runPage(t, blocks(string(text)), programs)
		})
	}
}

// TestPromisesNameTheirProof fails where docs/reliability.md names a test or a file that is not there.
func TestPromisesNameTheirProof(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("docs", "reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		code, err := os.ReadFile(path)
		for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(code), -1) {
			tests[found[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(page), -1) {
		switch name := found[1]; {
		case strings.HasPrefix(name, "Test"):
			if !tests[name] {
				t.Errorf("there is no test %s", name)
			}
		case strings.HasPrefix(name, "test/torture/"), strings.HasPrefix(name, "internal/"):
			if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
				t.Error(err)
			}
		}
	}
	for _, row := range strings.Split(strings.Split(string(page), "\n\n")[2], "\n")[2:] {
		if !strings.Contains(row, "`Test") {
			t.Errorf("no test is named for: %s", row)
		}
	}
}

// The documentation stays short enough to be read. A rule that is in two pages belongs in one of them, with a link.
func TestDocumentationIsShort(t *testing.T) {
	for pattern, most := range map[string]int{"docs/*.md": 18_000, "README.md": 700} {
		pages, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil || len(pages) == 0 {
			t.Fatalf("%s: %v, %d pages", pattern, err, len(pages))
		}
		words := 0
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			words += len(strings.Fields(string(text)))
		}
		if words > most {
			t.Errorf("%s has %d words, want at most %d", pattern, words, most)
		}
	}
}

// block is one code block of a page.
type block struct {
	line    int
	comment string // the one before it, without its marks
	lang    string // of a fenced block
	lines   []string
}

// blocks finds the code blocks of a page, indented by four spaces or fenced.
func blocks(text string) []block {
	var out []block
	var b *block
	comment, fence := "", ""
	for i, line := range strings.Split(text, "\n") {
		switch fenced := strings.HasPrefix(line, "```"); {
		case fence != "" && fenced:
			out, b, fence = append(out, *b), nil, ""
		case fence != "":
			b.lines = append(b.lines, line)
		case fenced:
			b, fence = &block{line: i + 1, comment: comment, lang: strings.TrimPrefix(line, "```")}, line
			comment = ""
		case strings.HasPrefix(line, "    ") && (b != nil || strings.TrimSpace(line) != ""):
			if b == nil {
				b = &block{line: i + 1, comment: comment}
				comment = ""
			}
			b.lines = append(b.lines, line[4:])
		case line == "" && b != nil:
			b.lines = append(b.lines, "")
		default:
			if b != nil {
				out, b = append(out, *b), nil
			}
			if c, ok := strings.CutPrefix(line, "<!-- "); ok {
				comment = strings.TrimSuffix(c, " -->")
			} else if line != "" {
				comment = ""
			}
		}
	}
	if b != nil {
		out = append(out, *b)
	}
	return out
}

// step is a piece of a page that is run, and what it is to print.
type step struct {
	line   int
	script string
	want   []string // nil: anything
	fails  bool     // a command at a terminal may end in any code
}

func runPage(t *testing.T, page []block, programs string) {
	dir := t.TempDir()
	var steps []step
	for _, b := range page {
		name, file := strings.CutPrefix(b.comment, "file: ")
		switch {
		case strings.HasPrefix(b.comment, "not run: "):
		case file:
			steps = append(steps, step{line: b.line, script: "cat > " + name + " <<'END-OF-FILE'\n" + strings.Join(b.lines, "\n") + "\nEND-OF-FILE\nchmod +x " + name})
		case b.lang == "json":
			if v := jsontext.Value(strings.Join(b.lines, "\n")); !v.IsValid() {
				t.Errorf("line %d: the block is not JSON", b.line)
			}
		case b.lang != "" && b.lang != "sh" && b.lang != "bash" && b.lang != "console":
			t.Errorf("line %d: no way is known to run %q; say why it is not run", b.line, b.lang)
		case len(b.lines) > 0 && strings.HasPrefix(b.lines[0], "$ "):
			steps = append(steps, terminal(b)...)
		default:
			steps = append(steps, step{line: b.line, script: strings.Join(b.lines, "\n")})
		}
	}
	if len(steps) == 0 {
		return
	}
	got := runSteps(t, dir, programs, steps)
	for i, s := range steps {
		if s.want != nil && !matches(got[i], s.want) {
			t.Errorf("line %d: %s\nprinted:\n%s\nand not:\n%s", s.line, s.script, strings.Join(got[i], "\n"), strings.Join(s.want, "\n"))
		}
	}
}

// terminal splits a session into its commands, each with what it prints.
// A command continues in the lines that begin with "> ".
func terminal(b block) []step {
	var steps []step
	for i, line := range b.lines {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			steps = append(steps, step{line: b.line + i, script: command, fails: true})
			continue
		}
		last := &steps[len(steps)-1]
		if more, ok := strings.CutPrefix(line, "> "); ok && last.want == nil {
			last.script += "\n" + more
			continue
		}
		last.want = append(last.want, line)
	}
	for i := range steps {
		w := steps[i].want
		for len(w) > 0 && w[len(w)-1] == "" {
			w = w[:len(w)-1]
		}
		if steps[i].want = w; len(w) == 0 {
			steps[i].want = nil
		}
	}
	return steps
}

// runSteps runs all steps in one shell, with the programs of a folder, so that variables and
// folders last, and returns what each printed.
func runSteps(t *testing.T, dir, programs string, steps []step) [][]string {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const mark = "=-=-= "
	var script strings.Builder
	for i, s := range steps {
		fmt.Fprintf(&script, "__code=$?; echo; echo '%s%d'; (exit $__code)\n%s\n", mark, i, s.script)
		if !s.fails {
			fmt.Fprintf(&script, "__code=$?; [ $__code = 0 ] || { echo; echo '%sline %d ended with' $__code; exit 1; }\n", mark, s.line)
		}
	}
	script.WriteString("exit 0\n")
	bin := filepath.Join(dir, ".bin")
	work := filepath.Join(dir, "project")
	for _, d := range []string{bin, work} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", work).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	standIns := map[string]string{"go": "test \"$1\" = test"} // the gate of the pages, which passes
	for _, agent := range []string{"codex", "claude", "gemini", "my-agent"} {
		standIns[agent] = "exec sh '" + filepath.Join(root, "examples", "stand-in-agent.sh") + "' \"$@\""
	}
	for name, script := range standIns {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("bash", "-c", script.String())
	c.Dir = work
	c.Env = []string{
		"PATH=" + bin + string(os.PathListSeparator) + programs + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + dir,
		"XDG_STATE_HOME=" + filepath.Join(dir, ".state"), "XDG_CONFIG_HOME=" + filepath.Join(dir, ".config"),
		"ONWARD_NOW=2026-11-21T09:30:00Z", "LC_ALL=C.UTF-8", "COUNT=" + filepath.Join(dir, ".count"),
		"ROOT=" + root, "task=the task", "spent=1", "TERM=dumb",
		// A race-built program sleeps a second at its exit otherwise, once for each command of a page.
		"GORACE=" + os.Getenv("GORACE"),
	}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := make([][]string, len(steps))
	for i, part := range regexp.MustCompile(`(?m)^\n?`+mark+`\d+\n`).Split(string(out), -1)[1:] {
		got[i] = strings.Split(strings.TrimRight(part, "\n"), "\n")
	}
	return got
}

// matches compares lines; "…" alone matches any number of lines, and within a line any text.
func matches(got, want []string) bool {
	var b bytes.Buffer
	for _, line := range want {
		if line == "…" {
			b.WriteString(`(?:.*\n)*`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + `\n`)
	}
	return regexp.MustCompile("^" + b.String() + "$").MatchString(strings.Join(got, "\n") + "\n")
}
