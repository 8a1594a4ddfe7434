package cmd

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
)

// paths lists the commands that can be run, by their paths.
func paths() []string {
	var out []string
	for path, c := range cli.All(commands()) {
		if c.Sub == nil {
			out = append(out, path)
		}
	}
	return out
}

// Every command has a manual page with more than its line in the list, an example, and an existing page in docs.
func TestEveryCommandHasAPage(t *testing.T) {
	files := map[string]bool{}
	for _, path := range paths() {
		files[strings.ReplaceAll(path, " ", "-")+".md"] = true
		help := new(app).program().Help(strings.Fields(path), 80)
		if !strings.Contains(help, "\nExamples:\n") {
			t.Errorf("the help of %q has no examples", path)
		}
		if _, more, found := strings.Cut(help, "\nMore: "); found {
			if _, err := os.Stat(filepath.Join("..", strings.TrimSpace(more))); err != nil {
				t.Errorf("the help of %q names a page that is not there: %v", path, err)
			}
		} else if path != "doctor" && path != "completion" && path != "help" {
			t.Errorf("the help of %q names no page of the documentation", path)
		}
		// The page has the line, and then a description.
		if paragraphs := strings.Split(help, "\n\n"); strings.HasSuffix(paragraphs[2], ":") || strings.HasPrefix(paragraphs[2], "Examples") {
			t.Errorf("the page of %q has no text", path)
		}
	}
	entries, err := manualFiles.ReadDir("manual")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !files[e.Name()] {
			t.Errorf("cmd/manual/%s is the page of no command", e.Name())
		}
	}
}

// codesOf returns the exit codes that a command's man page lists; its help lists only those with a meaning of their own.
func codesOf(t *testing.T, path string) []int {
	t.Helper()
	page := string(manPages()["onward-"+strings.ReplaceAll(path, " ", "-")+".1"])
	_, list, found := strings.Cut(page, "\n.SH EXIT STATUS\n")
	if !found {
		t.Errorf("the page of %q lists no exit codes", path)
	}
	list, _, _ = strings.Cut(list, "\n.SH ")
	var codes []int
	for _, code := range regexp.MustCompile(`(?m)^\\fB(\d+) `).FindAllStringSubmatch(list, -1) {
		n, _ := strconv.Atoi(code[1])
		codes = append(codes, n)
		if i := slices.IndexFunc(exitCodes(), func(e cli.Exit) bool { return e.Code == n }); i < 0 {
			t.Errorf("the page of %q lists %d, which is in no table", path, n)
		}
	}
	return codes
}

var manPages = sync.OnceValue(func() map[string][]byte { return ManPages("today") })

func TestPagesListKnownCodes(t *testing.T) {
	for _, path := range paths() {
		codes := codesOf(t, path)
		if len(slices.Compact(slices.Sorted(slices.Values(codes)))) != len(codes) {
			t.Errorf("the page of %q lists a code twice: %v", path, codes)
		}
		if !slices.IsSorted(codes) {
			t.Errorf("the page of %q lists its codes out of order: %v", path, codes)
		}
		if path == "hook" {
			// A hook fails open, because an agent would read any other code as an answer.
			continue
		}
		for _, code := range []int{cli.ExitOK, cli.ExitUsage, cli.ExitIO} {
			if !slices.Contains(codes, code) {
				t.Errorf("the page of %q does not list %d, which every command can give", path, code)
			}
		}
	}
}

// Every exit code of a command in the scripts is on its page.
func TestPagesListTheCodesOfScripts(t *testing.T) {
	scripts, err := filepath.Glob("../testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	line := regexp.MustCompile(`(?m)^exits (\d+) onward (.*)$`)
	checked := 0
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range line.FindAllStringSubmatch(string(text), -1) {
			code, _ := strconv.Atoi(m[1])
			path := pathIn(strings.Fields(m[2]))
			if path == "" || path == "hook" || slices.Contains([]int{cli.ExitUnavailable, cli.ExitInternal, cli.ExitUnknown, cli.ExitInterrupted}, code) {
				continue // the agent determines the codes of a hook; other codes belong to every command
			}
			checked++
			if !slices.Contains(codesOf(t, path), code) {
				t.Errorf("%s: `onward %s` ends with %d, which the page of %q does not list", filepath.Base(script), m[2], code, path)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d lines were checked", checked)
	}
}

// pathIn finds the command in the words of a command line; "" if it cannot be run.
func pathIn(words []string) string {
	line := cli.Scan(words, commands(), new(globals).list())
	if line.Command == nil || line.Command.Sub != nil {
		return ""
	}
	return strings.Join(line.Path, " ")
}

// The topic names every variable that the code reads, and no other.
func TestEnvironmentTopic(t *testing.T) {
	topic, err := manualFiles.ReadFile("manual/topics/environment.md")
	if err != nil {
		t.Fatal(err)
	}
	word := regexp.MustCompile(`\b(?:ONWARD|XDG|LC|NO|FORCE|CLAUDE|SUDO|GIT)_[A-Z_]+\b|\b(?:HOME|PATH|CI|TERM|COLUMNS|LANG|PAGER|LESS)\b`)
	told := map[string]bool{}
	for _, name := range word.FindAllString(string(topic), -1) {
		told[name] = true
	}
	read := readVariables(t)
	// The library that finds the system's folders reads these two.
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"} {
		read[name] = true
	}
	for _, s := range continuation.AllSettings() {
		delete(read, find.SettingVariable(s.Key))
	}
	for name := range read {
		if !told[name] {
			t.Errorf("the code reads %s, and manual/topics/environment.md does not name it", name)
		}
	}
	for name := range told {
		if !read[name] {
			t.Errorf("manual/topics/environment.md names %s, which nothing reads", name)
		}
	}
}

// readVariables finds the names of environment variables in the code: the arguments of functions that read one,
// and every string that begins with ONWARD_.
func readVariables(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	name := regexp.MustCompile(`^ONWARD_[A-Z_]*[A-Z]$`)
	for _, root := range []string{".", "../internal", "../companion/onward-etcd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Base(filepath.Dir(path)) == "cluster" {
				return err // these packages start servers for tests
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if text, err := strconv.Unquote(n.Value); err == nil && name.MatchString(text) {
						found[text] = true
					}
				case *ast.CallExpr:
					f, direct := n.Fun.(*ast.SelectorExpr)
					env, passed := n.Fun.(*ast.Ident) // a function that reads one, passed as a parameter
					if direct && (f.Sel.Name == "Getenv" || f.Sel.Name == "LookupEnv") || passed && env.Name == "env" {
						if arg, ok := n.Args[0].(*ast.BasicLit); ok {
							text, _ := strconv.Unquote(arg.Value)
							found[text] = true
						}
					}
				case *ast.RangeStmt:
					// for _, name := range []string{…} { os.Getenv(name) }
					if list, ok := n.X.(*ast.CompositeLit); ok && callsGetenv(n.Body) {
						for _, e := range list.Elts {
							if lit, ok := e.(*ast.BasicLit); ok {
								text, _ := strconv.Unquote(lit.Value)
								found[text] = true
							}
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func callsGetenv(body ast.Node) bool {
	calls := false
	ast.Inspect(body, func(n ast.Node) bool {
		f, ok := n.(*ast.SelectorExpr)
		calls = calls || ok && f.Sel.Name == "Getenv"
		return true
	})
	return calls
}

// The topic names every folder that a store can have.
func TestFilesTopic(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	store := filepath.Join(dir, "store")
	t.Setenv("ONWARD_STORE", store)
	if out, err := exec.Command("git", "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	file("onward", "")(t, dir)
	for _, line := range []string{
		"todo add " + strings.Repeat("x", 1<<10), "schedule submit todo_read", "schedule run", "message push hello",
		"hooks install git --program onward", "session use demo",
	} {
		ran(line)(t, dir)
	}
	topic, err := manualFiles.ReadFile("manual/topics/files.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(store)
	if err != nil || len(entries) < 6 {
		t.Fatalf("the store has %v, %v", entries, err)
	}
	for _, e := range entries {
		if !strings.Contains(string(topic), "    "+e.Name()+"/") {
			t.Errorf("the store has %s, which manual/topics/files.md does not name", e.Name())
		}
	}
}
