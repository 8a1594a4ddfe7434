package tree

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// CheckFiles are the files that decide whether a gate passes, by the names that are usual: pathspecs of git. A change of one
// may turn a gate green without the work that it is about.
var CheckFiles = []string{
	// Tests, by what the test runners of each language look for themselves.
	":(glob)**/*_test.go",                                                                       // Go: go help test
	":(glob)**/test_*.py", ":(glob)**/*_test.py", ":(glob)**/tests.py", ":(glob)**/conftest.py", // Python: pytest, "Conventions for Python test discovery"; Django
	":(glob)**/*.test.*", ":(glob)**/*.spec.*", ":(glob)**/__tests__/**", ":(glob)**/__snapshots__/**", // JavaScript and TypeScript: Jest's testMatch, Vitest's include
	":(glob)**/*.cy.*",                                   // Cypress: specPattern
	":(glob)**/src/*test*/**", ":(glob)**/src/*Test*/**", // Java, Kotlin, Scala, Groovy: Maven's and Gradle's layout, with integrationTest and androidTest
	":(glob)**/*Test.java", ":(glob)**/*Tests.java", ":(glob)**/Test*.java", ":(glob)**/*IT.java", // Java: Surefire's and Failsafe's includes
	":(glob)**/*Test.kt", ":(glob)**/*Spec.kt", ":(glob)**/*Spec.scala", ":(glob)**/*Spec.groovy", // Kotest, ScalaTest, Spock
	":(glob)**/*Test.cs", ":(glob)**/*Tests.cs", ":(glob)**/*.Tests/**", ":(glob)**/*.Test/**", // C#: the projects of `dotnet new`
	":(glob)**/*_test.c", ":(glob)**/test_*.c", ":(glob)**/*_test.cc", ":(glob)**/*_test.cpp", // C, C++: GoogleTest, Unity
	":(glob)**/test_*.cpp", ":(glob)**/*_unittest.*", ":(glob)**/*Test.cpp", // C++: Chromium's and Qt's names
	":(glob)**/*_spec.rb", ":(glob)**/*_test.rb", ":(glob)**/test_*.rb", ":(glob)**/.rspec", // Ruby: RSpec, Minitest
	":(glob)**/*Test.php", ":(glob)**/*Cest.php", // PHP: PHPUnit, Codeception
	":(glob)**/*_test.rs", ":(glob)**/tests.rs", // Rust: tests/ is below
	":(glob)**/*Tests.swift", ":(glob)**/*Test.swift", ":(glob)**/Tests/**", // Swift: XCTest, and its package manager
	":(glob)**/*_test.dart",                         // Dart: package test
	":(glob)**/*_test.exs", ":(glob)**/*_SUITE.erl", // Elixir, Erlang
	":(glob)**/*.bats", ":(glob)**/*_test.sh", ":(glob)**/test_*.sh", ":(glob)**/test.sh", // shell: Bats, shUnit2
	":(glob)**/*.t",                                                                                          // Perl: prove
	":(glob)**/test/**", ":(glob)**/tests/**", ":(glob)**/spec/**", ":(glob)**/specs/**", ":(glob)**/e2e/**", // folders of tests in most of them
	":(glob)**/testdata/**", ":(glob)**/fixtures/**", ":(glob)**/golden/**", ":(glob)**/*.snap", ":(glob)**/*.golden", // what tests compare with
	attributeFiles, // how git reads all of them
	// What runs them.
	":(glob)**/Makefile", ":(glob)**/makefile", ":(glob)**/GNUmakefile", ":(glob)**/justfile", ":(glob)**/Justfile", ":(glob)**/Taskfile.y*ml", ":(glob)**/Rakefile",
	":(glob)**/tox.ini", ":(glob)**/pytest.ini", ":(glob)**/.pytest.ini", ":(glob)**/noxfile.py", ":(glob)**/setup.cfg", ":(glob)**/.coveragerc",
	":(glob)**/jest.config.*", ":(glob)**/vitest.config.*", ":(glob)**/vitest.workspace.*", ":(glob)**/playwright.config.*", ":(glob)**/cypress.config.*",
	":(glob)**/karma.conf.*", ":(glob)**/.mocharc.*", ":(glob)**/ava.config.*", ":(glob)**/phpunit.xml*", ":(glob)**/CTestTestfile.cmake",
	// What a server runs.
	".github/workflows", ".github/actions", ".gitlab-ci.yml", ".circleci", ".buildkite", ".travis.yml", "Jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml",
	".pre-commit-config.yaml", "lefthook.yml", ".ci",
}

// attributeFiles are files that say how git converts other ones before it compares them. With a new one, a check can differ in the folder
// and be the same to git, so it counts as a change of them.
const attributeFiles = ":(glob)**/.gitattributes"

func hasAttributes(file string) bool { return path.Base(file) == ".gitattributes" }

// manifests are files that decide only in part how tests run: testsOf knows them.
var manifests = [...]string{":(glob)**/package.json", ":(glob)**/pyproject.toml"}

// testsOf returns the function that reads from a manifest what it says of tests; nil for other files. Only that part decides how tests
// run: a new dependency is not a changed check.
func testsOf(name string) func(text []byte) string {
	switch name {
	case "package.json":
		return testsOfPackage
	case "pyproject.toml":
		return testsOfPyproject
	}
	return nil
}

// gateFile begins a pathspec that names one file of a gate's command. Of a folder that is named, such as a package to test, only the
// files with the usual names are checks: the others are what the gate judges.
const gateFile = ":(top,literal)"

// gateGlob begins a pathspec of a pattern in a gate's command: each file that fits it is a check.
const gateGlob = ":(top,glob)"

// interpreters are programs whose first argument is a file, also one whose name looks like a word.
var interpreters = []string{"sh", "bash", "dash", "ksh", "zsh", "fish", "source", "python", "python3", "node", "ruby", "perl", "php"}

// runners are the words after which a pattern names tests. After another one, as in `eslint src/*.js`, it may name what the gate judges.
// So are interpreters.
var runners = []string{"test", "pytest", "py.test", "unittest", "jest", "vitest", "mocha", "ava", "tap", "bats", "rspec", "phpunit", "prove", "run-parts", "for"}

// GateFiles returns the files that the command of a gate names, as pathspecs: each word that could be one, also as seen from a folder
// that the command goes to, and within that.
func GateFiles(command string) []string {
	var out []string
	folder := ""
	for part := range strings.FieldsFuncSeq(command, func(r rune) bool { return strings.ContainsRune("\n;|&()", r) }) {
		before, runs := "", false
		for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return strings.ContainsRune(" \t<>\"'`=", r) }) {
			word, _, _ = strings.Cut(word, "::")                                                         // a test in a file, as pytest names it
			named := strings.ContainsAny(word, "./") || slices.Contains(interpreters, path.Base(before)) // else it is a program, or one of its arguments
			magic := gateFile
			if strings.ContainsAny(word, "*?[") {
				named, magic = runs, gateGlob
			}
			add := func(name string) {
				name = path.Clean(name)
				if spec := magic + name; !slices.Contains(out, spec) && !strings.HasPrefix(name, "..") && name != "." {
					out = append(out, spec)
				}
			}
			switch {
			case strings.HasPrefix(word, "-"):
				continue // the argument of an interpreter may follow
			case path.IsAbs(word) || strings.Contains(word, "$"): // where the checkout is, is not known here: each end of the path may be in it
				for _, rest, more := strings.Cut(word, "/"); more; _, rest, more = strings.Cut(rest, "/") {
					if rest != "" && named && magic == gateFile && !strings.ContainsAny(rest, "\\:$") {
						add(rest)
					}
				}
			case strings.ContainsAny(word, "\\:"):
			case before == "cd":
				folder = path.Join(folder, word)
			case named:
				add(path.Join(folder, word))
				add(word)
			}
			before, runs = word, runs || slices.Contains(runners, path.Base(word)) || slices.Contains(interpreters, path.Base(word))
		}
	}
	return out
}

// Change is a file that differs between two trees.
type Change struct {
	Path   string
	Kind   byte // 'A' added, 'M' modified or 'D' deleted
	module bool // it is a repository within the checkout
}

// Stat is a file that differs between two trees, with how many of its lines do.
type Stat struct {
	Path           string
	Added, Removed int
	Binary         bool // it has no lines
}

var errWithin = &NoTree{"a repository within the checkout changed, or a filter of .git/config applies"}

// Stats returns the files that differ between two trees of one checkout, with their lines. Only trees that Read returned on this
// machine can be compared, and not those with repositories within that changed.
func (r Reader) Stats(ctx context.Context, dir, from, to string) ([]Stat, error) {
	if within(from) != within(to) {
		return nil, errWithin
	}
	c, err := r.openTrees(ctx, dir)
	if err != nil {
		return nil, err
	}
	out, err := c.git("diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", treeOf(from), treeOf(to))
	if err != nil {
		return nil, err
	}
	var stats []Stat
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		lines := strings.SplitN(line, "\t", 3)
		if len(lines) != 3 {
			continue
		}
		s := Stat{Path: lines[2], Binary: lines[0] == "-"}
		s.Added, _ = strconv.Atoi(lines[0])
		s.Removed, _ = strconv.Atoi(lines[1])
		stats = append(stats, s)
	}
	return stats, nil
}

// CommitOf returns the id of a commit if a tree is that of its files; else nothing.
func (r Reader) CommitOf(ctx context.Context, dir, id, commit string) string {
	c, err := r.openTrees(ctx, dir)
	if err != nil {
		return ""
	}
	if !strings.Contains(id, "+") {
		id, _, _ = strings.Cut(id, missingMark) // the tree of a commit, of which a part is checked out
	}
	out, err := c.git("rev-parse", commit+"^{commit}", commit+"^{tree}")
	if err != nil {
		return ""
	}
	if ids := strings.Fields(string(out)); len(ids) == 2 && ids[1] == id {
		return ids[0]
	}
	return ""
}

// AddChanges returns the id of a tree with what differs between two others, each file as the second one has it, except for some files.
// Repositories within the checkout, and what an id says of them and of files that are missing, stay as the first one has them.
func (r Reader) AddChanges(ctx context.Context, dir, id, from, to string, except ...string) (string, error) {
	c, err := r.openTrees(ctx, dir)
	if err != nil {
		return "", err
	}
	if c.work, err = os.MkdirTemp(c.kept, "reading-"); err != nil {
		return "", fmt.Errorf("make the folder of trees: %w", err)
	}
	defer c.close()
	c.env = append(c.env, "GIT_INDEX_FILE="+filepath.Join(c.work, "index"))
	raw, err := c.git("diff-tree", "-r", "-z", "--raw", "--no-renames", treeOf(from), treeOf(to))
	if err != nil {
		return "", err
	}
	var files strings.Builder
	words := strings.Split(string(raw), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		about := strings.Fields(words[i])
		within := strings.HasSuffix(about[0], "160000") || about[1] == "160000" // whose files nobody has compared
		if !within && !slices.Contains(except, words[i+1]) {
			files.WriteString(about[1] + " " + about[3] + "\t" + words[i+1] + "\x00")
		}
	}
	if _, err := c.git("read-tree", treeOf(id)); err != nil {
		return "", err
	}
	if _, err := c.gitInput(files.String(), "update-index", "--add", "--replace", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := c.git("write-tree", "--missing-ok")
	return strings.TrimSpace(string(out)) + within(id), err
}

// ChangedChecks returns the check files that were there at the beginning and have been changed or deleted since. New checks
// are welcome. The pathspecs name further check files.
func (r Reader) ChangedChecks(ctx context.Context, dir, from, to string, pathspecs ...string) ([]string, error) {
	c, err := r.compare(ctx, dir, from, to, append(slices.Clone(pathspecs), CheckFiles...))
	if err != nil {
		return nil, err
	}
	changes, err := c.changedChecks(from, to, pathspecs)
	return paths(changes, func(change Change) bool { return change.Kind != 'A' || hasAttributes(change.Path) }), err
}

// ChecksAndOthers returns the check files that differ between two trees, new ones too, and all other files that do.
func (r Reader) ChecksAndOthers(ctx context.Context, dir, from, to string, pathspecs ...string) (checks, others []string, err error) {
	c, err := r.compare(ctx, dir, from, to, append(slices.Clone(pathspecs), CheckFiles...))
	if err != nil {
		return nil, nil, err
	}
	if within(from) != within(to) {
		return nil, nil, errWithin
	}
	is, err := c.changedChecks(from, to, pathspecs)
	if err != nil {
		return nil, nil, err
	}
	all, err := c.changes(from, to, nil)
	isCheck := func(change Change) bool { return slices.Contains(is, change) && !hasAttributes(change.Path) }
	return paths(all, isCheck), paths(all, func(change Change) bool { return !isCheck(change) }), err
}

// ChangedProtected returns the files that differ between two trees, of those that the pathspecs name. It is an error if one may
// differ where no tree shows it.
func (r Reader) ChangedProtected(ctx context.Context, dir, from, to string, pathspecs ...string) ([]string, error) {
	c, err := r.compare(ctx, dir, from, to, pathspecs)
	if err != nil {
		return nil, err
	}
	changes, err := c.changes(from, to, pathspecs)
	if err != nil {
		return nil, err
	}
	attributes, err := c.changes(from, to, []string{attributeFiles}) // asked for alone: with a pathspec that excludes files, git would look among these
	if names := paths(append(changes, attributes...), func(Change) bool { return true }); len(names) > 0 || err != nil {
		slices.Sort(names)
		return slices.Compact(names), err
	}
	return nil, c.rejectIgnored(pathspecs)
}

// rejectIgnored returns an error if all files that a pathspec names are ignored by git, as .env often is, or are git's own: no tree has
// them. A folder with other files may have ignored ones too, such as the caches of a test runner.
func (c *checkout) rejectIgnored(pathspecs []string) error {
	own := c.withIndex()
	for _, spec := range pathspecs {
		if first, _, _ := strings.Cut(path.Clean(spec), "/"); first == ".git" {
			return none("no state of the files has git's own, as in %s", spec)
		}
		seen, err := own.git("ls-files", "--cached", "--others", "--exclude-standard", "--", spec)
		if err != nil {
			return err
		}
		if len(seen) > 0 {
			continue
		}
		ignored, err := own.git("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", spec)
		if err != nil {
			return err
		}
		if name, _, is := strings.Cut(string(ignored), "\x00"); is {
			return none("git ignores %s", name)
		}
	}
	return nil
}

// paths returns the paths of some changes.
func paths(of []Change, is func(Change) bool) (out []string) {
	for _, change := range of {
		if is(change) {
			out = append(out, change.Path)
		}
	}
	return out
}

// compare opens a checkout to compare two of its trees. It is an error if a file that the pathspecs name may differ although the trees
// are the same to git.
func (r Reader) compare(ctx context.Context, dir, from, to string, pathspecs []string) (*checkout, error) {
	c, err := r.openTrees(ctx, dir)
	switch {
	case err != nil:
		return nil, err
	case missingIn(from) != missingIn(to):
		return nil, none("files were removed that git takes for left out, as in a sparse checkout")
	}
	if err := c.rejectModules(from, to, pathspecs); err != nil {
		return nil, err
	}
	return c, c.rejectHidden(pathspecs)
}

// rejectModules returns an error if a repository within the checkout has changed in which a named file may be: of its files, git's
// trees have the commit alone.
func (c *checkout) rejectModules(from, to string, pathspecs []string) error {
	changes, err := c.changes(from, to, nil)
	if err != nil {
		return err
	}
	modules := paths(changes, func(change Change) bool { return change.module })
	if within(from) != within(to) { // something was changed in them and not committed
		out, err := c.git("ls-tree", "-r", "-z", treeOf(to))
		if err != nil {
			return err
		}
		modules = append(modules, modulesOf(out)...)
	}
	for _, module := range modules {
		if slices.ContainsFunc(pathspecs, func(spec string) bool { return mayNameWithin(spec, module) }) {
			return none("%s, a repository within the checkout, changed", module)
		}
	}
	return nil
}

// mayNameWithin reports whether a pathspec may name a file of a folder. One with a pattern may.
func mayNameWithin(spec, folder string) bool {
	spec = strings.TrimPrefix(strings.TrimPrefix(spec, gateFile), ":(literal)")
	if strings.ContainsAny(spec, "*?[\\:") {
		return true
	}
	spec = path.Clean(spec)
	return spec == "." || spec == folder || strings.HasPrefix(spec, folder+"/") || strings.HasPrefix(folder, spec+"/")
}

// rejectHidden returns an error if another encoding may hide the change of a file, so that no tree has it: in UTF-7, a line break is `+AAo-`.
func (c *checkout) rejectHidden(pathspecs []string) error {
	own := c.withIndex()
	names, err := own.git(append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, pathspecs...)...)
	if err != nil {
		return err
	}
	out, err := own.gitInput(string(names), "check-attr", "--stdin", "-z", "working-tree-encoding")
	if err != nil {
		return err
	}
	for word := range slices.Chunk(strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), 3) { // file, attribute, value
		if len(word) == 3 && word[2] != "unspecified" && word[2] != "unset" {
			return none("the attribute %s may hide a change to %s", word[1], word[0])
		}
	}
	return nil
}

// changedChecks returns the check files that differ between two trees, new ones too, by their names.
func (c *checkout) changedChecks(from, to string, pathspecs []string) ([]Change, error) {
	always, named := slices.Clone(CheckFiles), []string{}
	for _, spec := range pathspecs {
		if strings.HasPrefix(spec, gateFile) {
			named = append(named, spec)
		} else {
			always = append(always, spec)
		}
	}
	named = append(named, manifests[:]...)
	out, err := c.changes(from, to, always)
	if err != nil {
		return nil, err
	}
	changes, err := c.changes(from, to, named)
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		tests := testsOf(path.Base(change.Path))
		switch {
		case slices.Contains(out, change):
			continue
		case slices.Contains(named, gateFile+change.Path):
			out = append(out, change)
			continue
		case tests == nil: // it is in a folder that the gate names
			continue
		}
		before, _ := c.git("cat-file", "blob", treeOf(from)+":"+change.Path) // nothing if it is new
		after, _ := c.git("cat-file", "blob", treeOf(to)+":"+change.Path)    // nothing if it was deleted
		if tests(before) != tests(after) {
			out = append(out, change)
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// treeOf returns git's part of the id of a tree.
func treeOf(id string) string {
	id, _, _ = strings.Cut(id, "+")
	id, _, _ = strings.Cut(id, missingMark)
	return strings.TrimSuffix(id, "-raw")
}

// within returns the rest of the id, which tells apart what git's part does not.
func within(id string) string { return strings.TrimPrefix(id, treeOf(id)) }

// changes returns the files that differ between two trees, of those that the pathspecs name; without any, all.
func (c *checkout) changes(from, to string, pathspecs []string) (changes []Change, err error) {
	if from, to = treeOf(from), treeOf(to); from == to {
		return nil, nil
	}
	out, err := c.git(append([]string{"diff-tree", "-r", "-z", "--raw", "--no-renames", from, to, "--"}, pathspecs...)...)
	words := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		about := strings.Fields(words[i]) // two modes, two ids and the kind
		change := Change{words[i+1], about[4][0], about[0] == ":"+moduleMode || about[1] == moduleMode}
		if change.Kind != 'A' && change.Kind != 'D' {
			change.Kind = 'M' // its contents, its mode, or what kind of file it is
		}
		changes = append(changes, change)
	}
	return changes, err
}

// testsOfPackage returns what the manifest of a JavaScript project says of its tests: its scripts, and the settings of test
// runners. Text that is not JSON counts as a whole.
func testsOfPackage(text []byte) string {
	var members map[string]jsontext.Value
	if json.Unmarshal(text, &members) != nil {
		return string(text)
	}
	var out strings.Builder
	for _, name := range []string{"scripts", "jest", "vitest", "mocha", "ava", "nyc", "c8", "tap", "type"} {
		value := members[name]
		_ = value.Compact() // how it is written does not matter
		out.WriteString(name + string(value) + "\n")
	}
	return out.String()
}

// testsOfPyproject returns the tables of a Python project that belong to test runners.
func testsOfPyproject(text []byte) string {
	var out strings.Builder
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			name := strings.ReplaceAll(strings.Trim(line, "[] "), `"`, "")
			inside = slices.ContainsFunc([]string{"tool.pytest", "tool.tox", "tool.coverage", "tool.nox", "tool.hatch.envs", "tool.poe", "tool.pdm.scripts", "tool.taskipy"},
				func(of string) bool { return name == of || strings.HasPrefix(name, of+".") })
		}
		if inside && line != "" && !strings.HasPrefix(line, "#") {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}
