package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestChangedChecks(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{
		"lib.go", "lib_test.go", "deep/er/x_test.go", "deep/testdata/in.txt", "test_a.py", "pkg/conftest.py", "src/test/java/A.java", "src/main/java/A.java",
		"web/a.test.ts", "web/a.ts", "spec/a_spec.rb", "tests/it.rs", "src/lib.rs", "Makefile", "sub/Makefile", "tox.ini", "jest.config.js", ".github/workflows/ci.yml",
		"scripts/verify", "README.md", "latest.txt", "contest.go", "A.Tests/x.cs", "x.bats",
	} {
		r.write(name, "one\n")
	}
	r.write("package.json", `{"scripts":{"test":"jest"},"dependencies":{}}`)
	r.write("pyproject.toml", "[project]\nname='a'\n[tool.pytest.ini_options]\naddopts='-q'\n")
	r.commit()
	start := r.tree()
	entries := strings.Split(r.git("ls-files"), "\n")
	for _, name := range entries {
		old, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		r.write(name, string(old)+"\n")
	}
	r.write("new_test.go", "a new check\n")
	got, err := r.reader.ChangedChecks(context.Background(), r.dir, start.ID, r.tree().ID, GateFiles("sh -e scripts/verify --all ./... $HOME/x ./src web/ deep/er")...)
	if err != nil {
		t.Fatal(err)
	}
	// lib.go and the other sources, README.md and names that only look alike are not checks; the manifests say the same of tests.
	want := []string{
		".github/workflows/ci.yml", "A.Tests/x.cs", "Makefile", "deep/er/x_test.go", "deep/testdata/in.txt", "jest.config.js", "lib_test.go", "pkg/conftest.py",
		"scripts/verify", "spec/a_spec.rb", "src/test/java/A.java", "sub/Makefile", "test_a.py", "tests/it.rs", "tox.ini", "web/a.test.ts", "x.bats",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nnot\n%q", got, want)
	}
}

// TestChangesThatNoTreeShows refuses to say which checks and protected files changed, where a change is in a repository within the
// checkout, committed there or not.
func TestChangesThatNoTreeShows(t *testing.T) {
	ctx := context.Background()
	lib := newRepo(t)
	lib.write("check.sh", "false\n")
	lib.commit()
	for name, change := range map[string]func(r repo){
		"not committed": func(r repo) { r.write("lib/check.sh", "true\n") },
		"committed":     func(r repo) { r.write("lib/check.sh", "true\n"); r.in("lib").commit() },
		"taken out":     func(r repo) { r.write("lib/check.sh", "true\n"); r.in("lib").git("rm", "-q", "--cached", "check.sh") },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.git("submodule", "--quiet", "add", lib.dir, "lib")
			r.write("check.sh", "false\n")
			r.write("other", "one\n")
			r.commit()
			start := r.tree().ID
			change(r)
			r.write("other", "two\n")
			now := r.tree().ID
			for _, spec := range []string{"lib/check.sh", ":(literal)lib/check.sh", gateFile + "lib/check.sh", "*.sh", "check.sh"} {
				seen := spec == "check.sh"
				if got, err := r.reader.ChangedProtected(ctx, r.dir, start, now, spec); (err == nil) != seen || len(got) > 0 {
					t.Errorf("%s: %v, %v", spec, got, err)
				}
			}
			if got, err := r.reader.ChangedChecks(ctx, r.dir, start, now, "check.sh"); err == nil {
				t.Errorf("checks: %v", got)
			}
			if got, err := r.reader.ChangedProtected(ctx, r.dir, start, now, "other"); err != nil || !slices.Equal(got, []string{"other"}) {
				t.Errorf("other: %v, %v", got, err)
			}
		})
	}
}

// TestIgnoredProtected asks for the protection of files that git ignores.
func TestIgnoredProtected(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", ".env\ncache/\n*.log\n")
	r.write("tests/a_test.py", "one\n")
	r.commit()
	for _, name := range []string{".env", "tests/cache/a.pyc", "deep/b.log", "new"} {
		r.write(name, "one\n")
	}
	now := r.tree().ID
	for spec, want := range map[string]string{
		".env": "git ignores .env", "tests/cache": "git ignores tests/cache/", "*.log": "git ignores deep/b.log",
		"tests": "", "*.py": "", "new": "", "missing": "", ":!tests": "",
		".git": "no state of the files has git's own, as in .git", "./.git/hooks": "no state of the files has git's own, as in ./.git/hooks",
	} {
		got, err := r.reader.ChangedProtected(context.Background(), r.dir, now, now, spec)
		if why := fmt.Sprint(err); len(got) > 0 || (want == "") != (err == nil) || want != "" && why != want {
			t.Errorf("%s: %q, %v, not %q", spec, got, err, want)
		}
	}
	if err := os.Remove(filepath.Join(r.dir, "tests/a_test.py")); err != nil {
		t.Fatal(err)
	}
	if got, err := r.reader.ChangedProtected(context.Background(), r.dir, now, r.tree().ID, "tests"); err != nil || !slices.Equal(got, []string{"tests/a_test.py"}) {
		t.Errorf("a deleted file: %q, %v", got, err)
	}
	// Alone, a pathspec that excludes files names all others; it excludes no file of attributes.
	r.write("api/.gitattributes", "* text\n")
	if got, err := r.reader.ChangedProtected(context.Background(), r.dir, now, r.tree().ID, ":!api"); err != nil || !slices.Equal(got, []string{"api/.gitattributes", "tests/a_test.py"}) {
		t.Errorf("all but a folder: %q, %v", got, err)
	}
}

// TestGatePatterns takes each file that fits a pattern of the gate for a check, and of a folder that does, only those with usual names.
func TestGatePatterns(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"checks/a.mjs", "checks/b.mjs", "checks/c.js", "checks/deep/d.mjs", "pkg/a_x/lib.go", "pkg/a_x/lib_test.go"} {
		r.write(name, "one\n")
	}
	start := r.tree()
	for name, text := range map[string]string{"checks/a.mjs": "two\n", "checks/c.js": "", "checks/deep/d.mjs": "", "checks/new.mjs": "", "pkg/a_x/lib.go": "", "pkg/a_x/lib_test.go": ""} {
		r.write(name, text)
	}
	if err := os.Remove(filepath.Join(r.dir, "checks/b.mjs")); err != nil {
		t.Fatal(err)
	}
	got, err := r.reader.ChangedChecks(context.Background(), r.dir, start.ID, r.tree().ID, GateFiles("node --test checks/*.mjs && go test ./pkg/*_x")...)
	if want := []string{"checks/a.mjs", "checks/b.mjs", "pkg/a_x/lib_test.go"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, not %q", got, err, want)
	}
}

// TestAttributes changes a check in a way that git does not see, because an attribute converts it.
func TestAttributes(t *testing.T) {
	const check = "#!/bin/sh\n# $Id$\ntest -e fix\n"
	for name, c := range map[string]struct{ attributes, hides, reason string }{
		"an encoding":  {"check.sh working-tree-encoding=UTF-7", "#!/bin/sh+AAo- # $Id$+AAo-test -e fix\n", "the attribute working-tree-encoding may hide a change to check.sh"},
		"a keyword":    {"check.sh ident", "#!/bin/sh\n# $Id: hidden $\ntest -e fix\n", ""},
		"line endings": {"* text", strings.ReplaceAll(check, "\n", "\r\n"), ""},
		"nothing":      {"*.lock -diff", check, ""},
	} {
		for _, before := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				r, ctx := newRepo(t), context.Background()
				r.write("check.sh", check)
				if before {
					r.write(".gitattributes", c.attributes+"\n")
				}
				start := r.tree().ID
				r.write(".gitattributes", c.attributes+"\n")
				r.write("check.sh", c.hides)
				r.write("new_test.sh", "true\n")
				now := r.tree().ID
				changed, why := r.reader.ChangedChecks(ctx, r.dir, start, now, "check.sh")
				protected, why2 := r.reader.ChangedProtected(ctx, r.dir, start, now, "check.sh")
				checks, others, why3 := r.reader.ChecksAndOthers(ctx, r.dir, start, now, "check.sh")
				if c.reason != "" {
					for _, why := range []error{why, why2, why3} {
						if why == nil || why.Error() != c.reason {
							t.Error(why)
						}
					}
					return
				}
				var want []string
				if !before {
					want = []string{".gitattributes"}
				}
				if err := errors.Join(why, why2, why3); err != nil || !slices.Equal(changed, want) || !slices.Equal(protected, want) || !slices.Equal(others, want) || !slices.Equal(checks, []string{"new_test.sh"}) {
					t.Errorf("checks %q, protected %q, in a turn for the check %q and %q, %v", changed, protected, checks, others, err)
				}
			})
		}
	}
}

// TestReplacedTree compares a tree that `git replace` shows as another one.
func TestReplacedTree(t *testing.T) {
	r := newRepo(t)
	r.write("check.sh", "false\n")
	r.commit()
	start := r.tree().ID
	r.write("check.sh", "true\n")
	r.git("add", "check.sh")
	r.git("replace", start, strings.TrimSpace(r.git("write-tree")))
	got, err := r.reader.ChangedChecks(context.Background(), r.dir, start, r.tree().ID, "check.sh")
	if err != nil || !slices.Equal(got, []string{"check.sh"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestManifestsCountForTheirTests(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		changed             bool
	}{
		{"package.json", `{"scripts":{"test":"jest"}}`, `{"dependencies":{"a":"1"}, "scripts": {"test": "jest"}}`, false},
		{"package.json", `{"scripts":{"test":"jest"}}`, `{"scripts":{"test":"true"}}`, true},
		{"package.json", `{"scripts":{"test":"jest"}}`, ``, true},
		{"package.json", `{`, `{ `, true},
		{"pyproject.toml", "[tool.pytest.ini_options]\nx=1\n", "[project]\ndependencies=['a']\n[tool.pytest.ini_options]\nx=1\n", false},
		{"pyproject.toml", "[tool.pytest.ini_options]\nx=1\n", "[tool.pytest.ini_options]\nx=2\n", true},
		{"pyproject.toml", "[project]\nx=1\n", "[project]\nx=1\n[tool.pytest.ini_options]\naddopts='--ignore=tests'\n", true},
	} {
		r := newRepo(t)
		r.write("sub/"+c.name, c.before)
		start := r.tree()
		if r.write("sub/"+c.name, c.after); c.after == "" {
			os.Remove(filepath.Join(r.dir, "sub", c.name))
		}
		got, err := r.reader.ChangedChecks(context.Background(), r.dir, start.ID, r.tree().ID)
		if err != nil || (len(got) > 0) != c.changed {
			t.Errorf("%s: %q to %q: %v, %v", c.name, c.before, c.after, got, err)
		}
	}
}

// TestStats compares lines as git does, whatever the repository's settings for comparisons are, and finds the commit of a tree.
func TestStats(t *testing.T) {
	r := newRepo(t)
	r.write("a b", "one\ntwo\n")
	r.write("gone", "one\n")
	r.write("moved", "1\n2\n3\n4\n")
	r.write(".gitattributes", "*.txt diff=program\n")
	r.write("x.txt", "one\n")
	r.commit()
	r.git("config", "diff.program.textconv", "touch ran; cat")
	r.git("config", "diff.external", "touch ran; true")
	start := r.tree()
	first := r.git("rev-parse", "HEAD")
	if got := r.reader.CommitOf(context.Background(), r.dir, start.ID, "HEAD"); got != first {
		t.Errorf("the commit is %q, not %q", got, first)
	}
	r.write("a b", "one\nthree\nfour\n")
	r.write("bytes", "a\x00b")
	r.write("x.txt", "two\n")
	for _, name := range []string{"gone", "moved"} {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r.write("there", "1\n2\n3\n4\n")
	end := r.tree()
	got, err := r.reader.Stats(context.Background(), r.dir, start.ID, end.ID)
	want := []Stat{
		{Path: "a b", Added: 2, Removed: 1},
		{Path: "bytes", Binary: true},
		{Path: "gone", Removed: 1},
		{Path: "moved", Removed: 4},
		{Path: "there", Added: 4},
		{Path: "x.txt", Added: 1, Removed: 1},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v\nnot\n%+v", got, err, want)
	}
	for _, commit := range []string{"HEAD", "nothing"} {
		if got := r.reader.CommitOf(context.Background(), r.dir, end.ID, commit); got != "" {
			t.Errorf("%s: the files are those of commit %q", commit, got)
		}
	}
	if now := r.tree(); now.ID != end.ID {
		t.Error("a program of the repository's settings has run")
	}
}

// TestBlob gives a text the id that anybody can compute.
func TestBlob(t *testing.T) {
	r := newRepo(t)
	r.write("text", "one\n")
	if got, want := BlobID(context.Background(), "one\n"), r.git("hash-object", "text"); got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestGateFiles(t *testing.T) {
	for command, want := range map[string][]string{
		"./check":                       {"check"},
		"sh -c 'scripts/verify; x.sh'":  {"scripts/verify", "x.sh"},
		"make test":                     nil,
		"../up/check /bin/true ./ -q=.": {"bin/true", "true"},
		`sh "$PWD/checks/a.sh"`:         {"checks/a.sh", "a.sh"},
		"sh /home/me/r/checks/a":        {"home/me/r/checks/a", "me/r/checks/a", "r/checks/a", "checks/a", "a"},
		"pytest a/verify.py::TestA::b":  {"a/verify.py"},
		"sh -e verify && make all":      {"verify"},
		"cd web && npm run all":         nil,
		"cd ./web && ../x.sh; ./check":  {"x.sh", "web/check", "check"},
		"(cd a; cd b; python3 run)":     {"a/b/run", "run"},

		"go test ./pkg/*_x":                              {"*pkg/*_x"},
		"cd web; node --test 'checks/*.mjs'":             {"*web/checks/*.mjs", "*checks/*.mjs"},
		"pytest -k one checks/c_*.py":                    {"*checks/c_*.py"},
		`for c in checks/*.sh; do sh "$c"; done`:         {"*checks/*.sh"},
		"npx eslint src/*.js && prove x/[a-c]?.pl":       {"*x/[a-c]?.pl"},
		"sh /usr/share/*.sh ../up/*.sh checks/$NAME*.sh": nil,
	} {
		for i, name := range want {
			if pattern, is := strings.CutPrefix(name, "*"); is {
				want[i] = gateGlob + pattern
			} else {
				want[i] = gateFile + name
			}
		}
		if got := GateFiles(command); !slices.Equal(got, want) {
			t.Errorf("%q names %q, want %q", command, got, want)
		}
	}
}

// TestAddChanges carries what differs between two trees over to a third one, whatever kind of file it is there.
func TestAddChanges(t *testing.T) {
	r := newRepo(t)
	files := func(of string) string {
		for _, name := range []string{"a", "b", "c", "d"} {
			if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		for word := range strings.FieldsSeq(of) {
			name, text, _ := strings.Cut(word, "=")
			r.write(name, text)
		}
		return r.tree().ID
	}
	for _, test := range []struct{ name, base, from, to, want string }{
		{"nothing changed", "a=1 b=1", "a=2", "a=2", "a=1 b=1"},
		{"added", "a=1", "a=2", "a=2 b=1", "a=1 b=1"},
		{"changed by both", "a=1 b=1", "a=2 b=1", "a=3 b=1", "a=3 b=1"},
		{"brought back", "a=1", "a=2", "a=1", "a=1"},
		{"deleted", "a=1 b=1 c=1", "a=1 b=2", "b=2", "b=1 c=1"},
		{"deleted by both", "a=1 b=1", "b=1", "b=2", "a=1 b=2"},
		{"a file becomes a folder", "a=1 b=1", "a=1 b=1", "a/x=1 b=1", "a/x=1 b=1"},
		{"a folder becomes a file", "a/x=1 b=1", "a/x=1 a/y=2 b=1", "a=1 b=1", "a=1 b=1"},
		{"a folder of the first one", "a/x=1", "b=1", "a=1 b=1", "a=1"},
		{"all", "a=1", "a=1", "", ""},
	} {
		base, from, to := files(test.base), files(test.from), files(test.to)
		got, err := r.reader.AddChanges(context.Background(), r.dir, base, from, to)
		if want := files(test.want); err != nil || got != want {
			t.Errorf("%s: %v, and %s is not %s", test.name, err, got, want)
		}
	}
	got, err := r.reader.AddChanges(context.Background(), r.dir, files("a=1")+"~old", files("b=1"), files("b=2")+"~new")
	if want := files("a=1 b=2") + "~old"; err != nil || got != want {
		t.Errorf("what the id says of files that are missing: %v, and %s is not %s", err, got, want)
	}
	got, err = r.reader.AddChanges(context.Background(), r.dir, files("a=1 b=1"), files("a=1 b=1"), files("a=2 b=2"), "b")
	if want := files("a=2 b=1"); err != nil || got != want {
		t.Errorf("with an exception: %v, and %s is not %s", err, got, want)
	}
}
