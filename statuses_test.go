package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"onward/internal/todo"
	"onward/test/golden"
)

// statusTexts lists the files that repeat the statuses, with the function that writes each kind of place.
var statusTexts = []struct {
	files  string
	places []func(text string, all []todo.Meaning) string
}{
	{"docs/schema/*.json", []func(string, []todo.Meaning) string{statusArrays, statusMembers, openSentence}},
	{"companion/onward-mcp/tools.json", []func(string, []todo.Meaning) string{statusArrays}},
	{"internal/calls/tool/builtin.json", []func(string, []todo.Meaning) string{statusArrays}},
	{"cmd/todo*.go", []func(string, []todo.Meaning) string{statusHelp}},
	{"cmd/manual/*.md", []func(string, []todo.Meaning) string{signSentence, openSentence}},
	{"docs/watch.md", []func(string, []todo.Meaning) string{signSentence, plainSigns}},
}

// TestStatusesAreRepeated compares every text that lists the statuses with their table; -update rewrites the texts.
func TestStatusesAreRepeated(t *testing.T) {
	for _, kind := range statusTexts {
		files, err := filepath.Glob(filepath.FromSlash(kind.files))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", kind.files, err, len(files))
		}
		found := false
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			for _, anew := range kind.places {
				found = found || anew(text, nil) != text
				text = anew(text, meanings())
			}
			golden.Compare(t, file, text)
		}
		if !found {
			t.Errorf("%s repeats no statuses", kind.files)
		}
	}
}

func meanings() []todo.Meaning {
	var all []todo.Meaning
	for _, s := range todo.Statuses() {
		all = append(all, *s.Meaning())
	}
	return all
}

// words joins one text of each status.
func words(all []todo.Meaning, sep, last string, of func(todo.Meaning) string) string {
	var out []string
	for _, m := range all {
		out = append(out, of(m))
	}
	if n := len(out); n > 1 && last != "" {
		return strings.Join(out[:n-1], sep) + last + out[n-1]
	}
	return strings.Join(out, sep)
}

func name(m todo.Meaning) string { return string(m.Status) }

func opened(all []todo.Meaning) []todo.Meaning {
	return slices.DeleteFunc(slices.Clone(all), func(m todo.Meaning) bool { return !m.Open })
}

var (
	arrayOf   = regexp.MustCompile(`"pending"(,\s*)"in_progress"(,\s*"[a-z_]+")*`)
	membersOf = regexp.MustCompile(`"pending": (\{[^{}]*\})(,\s*)"in_progress": \{[^{}]*\}(,\s*"[a-z_]+": \{[^{}]*\})*`)
	openOnes  = regexp.MustCompile(`(Open is|default) pending, [a-z_, ]*?( and [a-z_]+)?([."])|Pending, [a-z_, ]+ and [a-z_]+ items`)
	helpOf    = regexp.MustCompile(`help:"pending, [a-z_, ]+ or [a-z_]+\."`)
	signsOf   = regexp.MustCompile(`⭕ is pending, [^.]*\.`)
	plainOf   = regexp.MustCompile("`\\[ \\]` pending, [^.]*\\.")
)

// statusArrays writes arrays of the statuses.
func statusArrays(text string, all []todo.Meaning) string {
	return arrayOf.ReplaceAllStringFunc(text, func(old string) string {
		return words(all, arrayOf.FindStringSubmatch(old)[1], "", func(m todo.Meaning) string { return `"` + name(m) + `"` })
	})
}

// statusMembers writes objects with a member for each status.
func statusMembers(text string, all []todo.Meaning) string {
	return membersOf.ReplaceAllStringFunc(text, func(old string) string {
		m := membersOf.FindStringSubmatch(old)
		return words(all, m[2], "", func(s todo.Meaning) string { return `"` + name(s) + `": ` + m[1] })
	})
}

// openSentence writes the sentence about the statuses that are open.
func openSentence(text string, all []todo.Meaning) string {
	return openOnes.ReplaceAllStringFunc(text, func(old string) string {
		list := words(opened(all), ", ", " and ", name)
		m := openOnes.FindStringSubmatch(old)
		switch {
		case m[1] == "":
			return strings.Replace(list, "pending", "Pending", 1) + " items"
		case m[2] == "":
			list = words(opened(all), ", ", "", name)
		}
		return m[1] + " " + list + m[3]
	})
}

// statusHelp writes the help of flags that take a status.
func statusHelp(text string, all []todo.Meaning) string {
	text = helpOf.ReplaceAllString(text, `help:"`+words(all, ", ", " or ", name)+`."`)
	return openSentence(text, all)
}

// signSentence writes the sentence about the meanings of the signs.
func signSentence(text string, all []todo.Meaning) string {
	list := words(all, ", ", " and ", func(m todo.Meaning) string { return m.Sign + " " + m.Status.Words() })
	return signsOf.ReplaceAllString(text, strings.Replace(list, " ", " is ", 1)+".")
}

// plainSigns writes the sentence about the signs in ASCII.
func plainSigns(text string, all []todo.Meaning) string {
	list := words(all, ", ", "", func(m todo.Meaning) string { return "`" + m.Text + "` " + m.Status.Words() })
	return plainOf.ReplaceAllString(text, strings.ReplaceAll(list, "$", "$$")+".")
}

// moreRows has two new rows for the table, an open status and a closed one, which nothing else mentions.
const moreRows = `	{
		Status: "deferred", Open: true, Waits: true, Rank: 1, Tone: Off,
		Past: "deferred", Sign: "💤", Text: "[z]", Boxes: "z", Note: "deferred",
		Verbs: []string{"defer"}, Agents: []string{"postponed"},
	},
	{
		Status: "skipped", Rank: 3, Tone: Off,
		Past: "skipped", Sign: "⏭", Text: "[s]", Boxes: "s", Note: "skipped",
	},
`

// TestOneRowAddsAStatus builds onward with these rows in the table, and checks every place that depends on statuses.
func TestOneRowAddsAStatus(t *testing.T) {
	if !*long {
		t.Skip("it compiles the project; -long runs it")
	}
	run, write := extended(t, insertion{"internal/todo/status.go", "}\n\n// foreign is", moreRows})
	expect := func(want, command string) {
		t.Helper()
		if got := run(command); !strings.Contains(got, want) {
			t.Errorf("%s\n%s\nwithout: %s", command, got, want)
		}
	}
	run("onward todo add 'fix the parser'")
	run("onward todo add 'write the tests'")
	expect("deferred 1 item", "onward todo set defer 1")
	expect("1  💤  fix the parser", "onward todo show")
	expect("2 open (1 pending, 1 deferred)", "onward todo show")
	expect("1  [z]  fix the parser", "LC_ALL=C onward todo show")
	expect("1 pending, 1 deferred", "onward todo list")
	expect(`"deferred":1`, "onward todo show --json")
	expect(`"open":2`, "onward todo show --json")
	expect("deferred", "onward todo assert || true")
	expect("'write the tests'", "onward check-continue") // the item that waits for another one is not the next
	run("onward todo delete 2")
	expect("everything open is blocked: fix the parser", "onward check-continue 2>&1 || true")
	expect("- [ ] fix the parser _(deferred)_", "onward todo export")
	expect("💤", "onward report --format markdown")
	expect(`class="s-off"`, "onward report --format html")
	run("onward todo export --format json >list.json && onward todo export >list.md && onward todo clear")
	expect("1  💤  fix the parser", "onward todo import list.json && onward todo show && onward todo clear")
	expect("1  💤  fix the parser", "onward todo import list.md && onward todo show && onward todo clear")
	write("boxes.md", "- [z] fix the parser\n")
	expect("1  💤  fix the parser", "onward todo import boxes.md && onward todo show && onward todo clear")
	expect("1  💤  fix the parser", `echo '[{"content":"fix the parser","status":"postponed"}]' | onward todo write && onward todo show`)
	expect("one of pending, in_progress, completed, cancelled, blocked, deferred, skipped", "onward todo set other 1 2>&1 || true")
	expect("deferred", "onward __complete todo set ''")

	// A closed status ends the list, and does not count as done.
	run("onward todo clear && onward todo add 'fix the parser' && onward todo add 'write the tests' && onward todo done 1")
	expect("skipped 1 item", "onward todo set skipped 2")
	expect("nothing left: 1 completed, 1 skipped", "onward check-continue 2>&1 || true")
	expect("none open, 1 completed, 1 skipped", "onward todo show")
	run("onward todo assert")
	expect("- [x] write the tests _(skipped)_", "onward todo export")
	expect("2  ⏭  write the tests", "onward todo export >closed.md && onward todo clear && onward todo import closed.md && onward todo show")

	all := append(meanings(), todo.Meaning{Status: "deferred", Open: true, Sign: "💤", Text: "[z]"})
	for _, file := range []string{"docs/schema/todos.json", "companion/onward-mcp/tools.json", "cmd/todo.go", "docs/watch.md"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, kind := range statusTexts {
			if ok, err := filepath.Match(kind.files, file); err != nil || !ok {
				continue
			}
			for _, anew := range kind.places {
				text = anew(text, all)
			}
		}
		if !strings.Contains(text, "deferred") {
			t.Errorf("%s would lack a new status", file)
		}
	}
}

// TestOneTableOfSigns fails if the sign of a status is in code outside of the table of statuses, because two tables of them would
// differ sooner or later.
func TestOneTableOfSigns(t *testing.T) {
	checked := 0
	eachText(t, func(path, text string) {
		if checked++; filepath.ToSlash(path) == "internal/todo/status.go" {
			return
		}
		for _, m := range meanings() {
			if strings.Contains(text, m.Sign) || text == m.Text {
				t.Errorf("%s has %q of its own; take it from the status", path, text)
				return
			}
		}
	})
	if checked == 0 {
		t.Error("there is no text in the code")
	}
}

// eachText yields every string in the code of the project, except that of tests.
func eachText(t *testing.T, see func(path, text string)) {
	t.Helper()
	for _, root := range []string{"cmd", "internal", "companion", "docs"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ImportSpec:
					return false
				case *ast.BasicLit:
					if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
						see(path, text)
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
}
