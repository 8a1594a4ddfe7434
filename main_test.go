package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"onward/internal/agents"
	"onward/test/golden"
)

// The tests with a long form compile the project with changes. Some scripts, and the last part of others, run in the long form alone.
var long = flag.Bool("long", false, "compile the project with changes, as the recipes of docs/development.md make them, and run all scripts to their end")

func TestMain(m *testing.M) {
	if strings.Contains(filepath.Base(os.Args[0]), ".test") { // this is go test, not onward in a script
		// An agent that runs the tests must not change their results.
		for _, marker := range agents.MarkerVariables() {
			os.Unsetenv(marker)
		}
		// The environment of a git hook names its repository. Tests that run in a hook would change that repository.
		for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"} {
			os.Unsetenv(name)
		}
		// Programs inherit ignored signals, for example from nohup, and the scripts test signals.
		for _, sig := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
			if signal.Ignored(sig) {
				signal.Notify(make(chan os.Signal, 1), sig)
			}
		}
	}
	// A program built with the race detector sleeps a second at its exit, and every line of a script starts one.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=10")
	}
	testscript.Main(tests{m}, map[string]func(){"onward": main, "onward-fake": fakeEngine})
}

// tests are the tests of this package, which leave no built programs behind.
type tests struct{ *testing.M }

func (t tests) Run() int {
	defer func() {
		if buildFolder != "" {
			os.RemoveAll(buildFolder)
		}
	}()
	return t.M.Run()
}

// TestScripts runs the scripts in testdata/script, which show what the commands do.
func TestScripts(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	built := builtPrograms(t)
	// The first folder is testscript's own, with onward and the fake engine.
	programs, path, _ := strings.Cut(os.Getenv("PATH"), string(filepath.ListSeparator))
	path = withoutCompanions(t, path)
	own := filepath.Join(programs, "onward") + exe()
	if err := errors.Join(place(filepath.Join(built, "onward")+exe(), own+".new"), os.Rename(own+".new", own)); err != nil {
		t.Fatal(err)
	}
	if err := replaceByCopy(filepath.Join(programs, "onward-fake") + exe()); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *golden.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"edit":   edit,
			"exits":  exits,
			"fill":   fill,
			"valid":  valid(filepath.Join(built, "onward-schema") + exe()),
			"person": person,
			// companion puts onward-schema into a folder: `companion bin/onward-schema`.
			"companion": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: companion file")
				}
				ts.Check(place(filepath.Join(built, "onward-schema")+exe(), ts.MkAbs(args[0])+exe()))
			},
			// copy puts another copy of onward into a folder, which is then found first: `copy bin`.
			"copy": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: copy folder")
				}
				dir := ts.MkAbs(args[0])
				ts.Check(os.MkdirAll(dir, 0o700))
				ts.Check(place(filepath.Join(built, "onward")+exe(), filepath.Join(dir, "onward")+exe()))
				ts.Setenv("PATH", dir+string(filepath.ListSeparator)+ts.Getenv("PATH"))
			},
		},
		Setup: func(env *testscript.Env) error {
			limitScript(env, scriptLimit)
			// A script has a home, settings and a clock of its own, so that the machine does not matter.
			for key, value := range map[string]string{
				"HOME":            env.WorkDir,
				"USERPROFILE":     env.WorkDir, // the home of Windows
				"XDG_STATE_HOME":  filepath.Join(env.WorkDir, ".state"),
				"XDG_CONFIG_HOME": filepath.Join(env.WorkDir, ".config"),
				"STORE":           filepath.Join(env.WorkDir, ".state", "onward"),
				"STREAMS":         filepath.Join(root, "testdata", "streams"),
				"IMPORT":          filepath.Join(root, "testdata", "import"),
				"ROOT":            root,
				"ONWARD_SESSION":  "demo",
				"ONWARD_NOW":      "2026-11-21T09:30:00Z",
				"GOCACHE":         goCache(), // the rest of what go needs is the script's own
				"LC_ALL":          "C.UTF-8",
				"TZ":              "UTC",
			} {
				env.Setenv(key, value)
			}
			own, _, _ := strings.Cut(env.Getenv("PATH"), string(filepath.ListSeparator)) // the folder in which testscript put onward
			env.Setenv("PATH", own+string(filepath.ListSeparator)+path)
			return nil
		},
	})
}

// goCache is the folder in which go keeps what it has compiled: a script that runs go need not compile the library again.
var goCache = sync.OnceValue(func() string {
	out, _ := exec.Command("go", "env", "GOCACHE").Output()
	return strings.TrimSpace(string(out))
})

// withoutCompanions returns PATH without onward's companions, which a machine with an installed onward has. Scripts build the
// companions that they need. A folder with a companion is replaced by a folder of links to everything else in it.
func withoutCompanions(t *testing.T, path string) string {
	t.Helper()
	folders := filepath.SplitList(path)
	for i, dir := range folders {
		if found, err := filepath.Glob(filepath.Join(dir, "onward-*")); err != nil || len(found) == 0 {
			continue
		}
		folders[i] = t.TempDir()
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "onward") {
				continue
			}
			// If links cannot be made, as on Windows, the folder is left out.
			_ = os.Symlink(filepath.Join(dir, e.Name()), filepath.Join(folders[i], e.Name()))
		}
	}
	return strings.Join(folders, string(filepath.ListSeparator))
}

// condition reports whether the system has what a script requires, both of which wine lacks. [long] is the long form of the tests.
func condition(name string) (bool, error) {
	if name == "long" {
		return *long, nil
	}
	probe, ok := map[string]func(*os.Root) error{
		// [deletes] means that a file can be deleted by a handle of its folder.
		"deletes": func(dir *os.Root) error {
			return errors.Join(dir.WriteFile("file", nil, 0o600), dir.Remove("file"))
		},
		// [links] means that a symbolic link can be made, and is recognised as one.
		"links": func(dir *os.Root) error {
			if err := dir.Symlink("nowhere", "link"); err != nil {
				return err
			}
			_, err := dir.Readlink("link")
			return err
		},
	}[name]
	if !ok {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	folder, err := os.MkdirTemp("", "onward-condition-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	dir, err := os.OpenRoot(folder)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	return probe(dir) == nil, nil
}

// buildFolder has the programs that buildPrograms has built.
var buildFolder string

// buildPrograms builds onward and onward-schema as the releases are built, or with the race detector if the tests have it. The test
// itself could be started as onward, but it takes longer to start, by half where it is linked with cgo.
var buildPrograms = sync.OnceValue(func() error {
	dir, err := os.MkdirTemp("", "onward-programs-")
	if err != nil {
		return err
	}
	buildFolder = dir
	build := exec.Command("go", "build", "-ldflags=-w", "-o", dir+string(filepath.Separator), ".", "./companion/onward-schema")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		build.Args = slices.Insert(build.Args, 2, "-race")
		build.Env = nil
	}
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build onward: %w: %s", err, out)
	}
	for _, name := range []string{"onward", "onward-schema"} {
		if err := replaceByCopy(filepath.Join(dir, name) + exe()); err != nil {
			return err
		}
	}
	return nil
})

// builtPrograms returns the folder with onward and onward-schema. Under wine, go cannot build them; see test/wine/run.
func builtPrograms(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("ONWARD_TEST_PROGRAMS"); dir != "" {
		return dir
	}
	if err := buildPrograms(); err != nil {
		t.Fatal(err)
	}
	return buildFolder
}

// exe is the ending of a program's name.
func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// replaceByCopy replaces a program by a copy of itself. Linux starts a copy faster, by a fifth, than the file that the linker has
// written, and the scripts start onward 9,000 times.
func replaceByCopy(program string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(program+".copy", data, 0o700), os.Rename(program+".copy", program))
}

// place links or copies a program to another path. Windows gets a copy, because it does not delete a link to a running program.
func place(from, to string) error {
	if runtime.GOOS != "windows" && os.Link(from, to) == nil {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

// exits runs a program and checks its exit code: `exits 65 onward todo show`.
// The commands stdout, stderr and cmp then see its output.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s: exit code %d, want %d", fmt.Sprint(args[1:]), got, want)
	}
}

// edit replaces the first occurrence of a text in the one file that matches a pattern: `edit
// $STORE/projects/*.json old new`.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit file old new")
	}
	files, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("%s matches %d files", args[0], len(files))
	}
	old, err := os.ReadFile(files[0])
	ts.Check(err)
	edited := strings.Replace(string(old), args[1], args[2], 1)
	if edited == string(old) {
		ts.Fatalf("%s does not contain %q", files[0], args[1])
	}
	ts.Check(os.WriteFile(files[0], []byte(edited), 0o600))
}

// fill writes a text many times into a file: `fill many 10001 'item\n'`.
// The text can have Go's escapes for characters that a script cannot contain, such as \x00.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: fill file count text")
	}
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	text, err := strconv.Unquote(`"` + args[2] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(text, count)), 0o600))
}

// TestScriptsFindNoCompanions checks that withoutCompanions removes companions from PATH, and keeps the other programs of their folder.
func TestScriptsFindNoCompanions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links are not for everybody there")
	}
	installed, other := t.TempDir(), t.TempDir()
	for _, name := range []string{"onward", "onward-mcp", "onward-etcd", "tool"} {
		if err := os.WriteFile(filepath.Join(installed, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", withoutCompanions(t, installed+string(filepath.ListSeparator)+other))
	for name, want := range map[string]bool{"onward": false, "onward-mcp": false, "onward-etcd": false, "tool": true} {
		if _, err := exec.LookPath(name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !strings.HasSuffix(os.Getenv("PATH"), other) {
		t.Errorf("PATH is %s", os.Getenv("PATH"))
	}
}

// person starts a shell beside the script that does what an agent of the script asks for by `asperson COMMAND`. What the agent starts
// itself is the agent's, whatever its environment.
func person(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: person")
	}
	dir := ts.MkAbs(".person")
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(os.WriteFile(filepath.Join(dir, "asperson"), []byte(`#!/bin/sh
# Prints what the command printed, and ends with its exit code.
for word; do printf "'%s' " "$word"; done >'`+dir+`/ask'
echo >'`+dir+`/begin'
read -r code <'`+dir+`/end'
cat '`+dir+`/said'
exit $code
`), 0o700))
	ts.Check(exec.Command("mkfifo", filepath.Join(dir, "begin"), filepath.Join(dir, "end")).Run())
	shell := exec.Command("sh", "-c", `cd "$WORK" && while read -r _ <.person/begin; do sh .person/ask >.person/said 2>&1; echo $? >.person/end; done`)
	shell.Env = []string{}
	for _, name := range []string{"PATH", "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "ONWARD_SESSION", "ONWARD_NOW", "WORK", "STORE", "LC_ALL"} {
		shell.Env = append(shell.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(shell.Start())
	ts.Defer(func() {
		_ = shell.Process.Kill()
		_ = shell.Wait()
	})
	ts.Setenv("PATH", dir+string(filepath.ListSeparator)+ts.Getenv("PATH"))
}
