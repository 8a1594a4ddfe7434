package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"onward/test/npm"
)

// TestMain is also the program that the packages contain: PROBE says what it does.
func TestMain(m *testing.M) {
	switch what := os.Getenv("PROBE"); what {
	case "":
		os.Exit(m.Run())
	case "echo":
		fmt.Printf("%q\n", os.Args[1:])
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "signals":
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		fmt.Println("ready")
		fmt.Println(<-signals)
		select {
		case again := <-signals:
			fmt.Println("again:", again)
		case <-time.After(200 * time.Millisecond):
		}
		os.Exit(23)
	case "killed":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	default:
		code, _ := strconv.Atoi(what)
		os.Exit(code)
	}
}

const version = "1.2.3-rc.1"

var long = flag.Bool("long", false, "install the packages with npm")

// built makes the packages of a release that has this test's program for this system, and a file for another one.
func built(t *testing.T) (dist string, r release) {
	t.Helper()
	t.Chdir(filepath.Join("..", ".."))
	dist = t.TempDir()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	other := map[string]string{"linux": "windows", "darwin": "windows", "windows": "linux"}[runtime.GOOS]
	var artifacts []map[string]any
	for goos, content := range map[string][]byte{runtime.GOOS: program, other: []byte("another system")} {
		for _, name := range []string{"onward", "onward-mcp"} {
			if name != "onward" {
				content = []byte("a program that is not started") // to pack the large one twice takes a second
			}
			path := filepath.Join(goos, name)
			if err := writeFile(filepath.Join(dist, path), content, 0o755); err != nil {
				t.Fatal(err)
			}
			artifacts = append(artifacts, map[string]any{"type": "Binary", "path": filepath.Join("dist", path), "goos": goos, "goarch": runtime.GOARCH, "extra": map[string]string{"Binary": name}})
		}
	}
	artifacts = append(artifacts, map[string]any{"type": "Archive", "path": "dist/onward.tar.gz"})
	for name, v := range map[string]any{"artifacts.json": artifacts, "metadata.json": map[string]string{"version": version}} {
		if err := writeJSON(filepath.Join(dist, name), v); err != nil {
			t.Fatal(err)
		}
	}
	r, err = readRelease(dist, "example.com/team/onward")
	if err != nil {
		t.Fatal(err)
	}
	return dist, r
}

// run runs a program that must end well, and returns what it prints.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		text := ""
		if exit, ok := err.(*exec.ExitError); ok {
			text = string(exit.Stderr)
		}
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, text)
	}
	return string(out)
}

// TestNPM installs the packages with npm from a registry on the loopback, without scripts, and again without a network.
func TestNPM(t *testing.T) {
	if !*long {
		t.Skip("skipped: npm takes seconds; run it with -long")
	}
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("there is no " + name)
		}
	}
	dist, r := built(t)
	if err := r.npm(filepath.Join(dist, "npm")); err != nil {
		t.Fatal(err)
	}
	server := npm.Registry(t, filepath.Join(dist, "npm"))
	env := []string{"npm_config_cache=" + t.TempDir(), "npm_config_update_notifier=false", "npm_config_audit=false", "npm_config_fund=false"}
	install := func(name string, flags ...string) string {
		dir := t.TempDir()
		run(t, dir, env, "npm", slices.Concat([]string{"install", "--ignore-scripts", "--registry", server.URL, name}, flags)...)
		return dir
	}
	dir := install("@team/onward")
	here := "onward-" + npmSystem(runtime.GOOS) + "-" + npmArch(runtime.GOARCH)
	if got := entries(t, filepath.Join(dir, "node_modules", "@team")); !slices.Equal(got, []string{"onward", here}) {
		t.Errorf("npm installed %q, want onward and %s", got, here)
	}
	program := func(dir string) string {
		path := filepath.Join(dir, "node_modules", ".bin", "onward")
		if runtime.GOOS == "windows" {
			path += ".cmd"
		}
		return path
	}
	testStarts(t, program(dir))
	server.Close()
	if out := run(t, dist, []string{"PROBE=echo"}, program(install("@team/onward", "--offline")), "a b"); out != `["a b"]`+"\n" {
		t.Errorf("what was installed without a network printed %q", out)
	}
	missing := filepath.Join(dir, "node_modules", "@team", here)
	if err := os.RemoveAll(missing); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join(dir, "node_modules", "@team", "onward", "bin", "onward.js"))
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 66 || !strings.Contains(string(out), "@team/"+here+" is not installed") {
		t.Errorf("without the package of this system: exit %d\n%s", cmd.ProcessState.ExitCode(), out)
	}
}

// testStarts holds a command to what its program does: arguments, input, exit code and signals pass through.
func testStarts(t *testing.T, path string) {
	t.Helper()
	start := func(probe string, args ...string) *exec.Cmd {
		cmd := exec.Command(path, args...)
		cmd.Env = append(os.Environ(), "PROBE="+probe)
		apart(cmd)
		return cmd
	}
	cmd := start("echo", "a b", "", "--c=$d")
	cmd.Stdin = strings.NewReader("one line\n")
	if out, err := cmd.Output(); err != nil || string(out) != `["a b" "" "--c=$d"]`+"\none line\n" {
		t.Errorf("%q, %v", out, err)
	}
	for _, code := range []int{0, 1, 2, 10, 143} {
		cmd := start(strconv.Itoa(code))
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Errorf("exit %d became %d", code, got)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	cmd = start("killed")
	_ = cmd.Run()
	if got := cmd.ProcessState.String(); got != "signal: killed" {
		t.Errorf("a program that was killed became %q", got)
	}
	for _, sent := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		cmd := start("signals")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ready := make([]byte, len("ready\n"))
		if _, err := io.ReadFull(out, ready); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(out)
		_ = cmd.Wait()
		if string(got) != sent.String()+"\n" || cmd.ProcessState.ExitCode() != 23 {
			t.Errorf("after %v it printed %q and ended with %v", sent, got, cmd.ProcessState)
		}
	}
	testKey(t, start("signals"))
}

// TestWheel installs the wheel of this system with pip, which puts the programs next to Python's own.
func TestWheel(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-m", "pip", "--version").Run() != nil {
		t.Skip("there is no Python with pip")
	}
	dist, r := built(t)
	wheels := filepath.Join(dist, "wheels")
	if err := r.wheels(wheels); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, wheels); len(got) != 2 || !strings.HasPrefix(got[0], "team_onward-1.2.3rc1-py3-none-") {
		t.Fatalf("the wheels are %q", got)
	}
	dir := t.TempDir()
	run(t, dist, nil, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--find-links", wheels, "--pre", "--target", dir, "team-onward")
	program := filepath.Join(dir, "bin", "onward")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	testStarts(t, program)
}

// TestServer names the package that npx starts, under a name that the package has as well.
func TestServer(t *testing.T) {
	t.Parallel()
	for home, want := range map[string]string{
		"example.com/team/onward":     "com.example/team-onward",
		"github.com/Team/onward":      "io.github.Team/onward",
		"code.example.org/a/b/onward": "org.example.code/a-b-onward",
		"onward":                      "",
	} {
		if got := (release{home: home}).serverName(); got != want {
			t.Errorf("%s is %q, want %q", home, got, want)
		}
	}
	path := filepath.Join(t.TempDir(), "server.json")
	if err := (release{home: "onward", version: version}).server(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a project without an address has an entry")
	}
	if err := (release{home: "example.com/team/onward", version: version}).server(path); err != nil {
		t.Fatal(err)
	}
	var entry struct {
		Packages []struct{ Identifier, Version string }
	}
	if err := readJSON(path, &entry); err != nil || len(entry.Packages) != 1 || entry.Packages[0].Identifier != "@team/onward-mcp" || entry.Packages[0].Version != version {
		t.Errorf("%+v, %v", entry, err)
	}
}

func TestPythonVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"1.2.3":                  "1.2.3",
		"1.2.3-rc.1":             "1.2.3rc1",
		"1.2.3-alpha2":           "1.2.3a2",
		"1.2.3+build":            "1.2.3",
		"0.0.1-SNAPSHOT-0a1b2c3": "0.0.1.dev0+snapshot.0a1b2c3",
	} {
		if got := pythonVersion(version); got != want {
			t.Errorf("%s is %s, want %s", version, got, want)
		}
	}
}

// entries returns the names of what is in a folder, in order.
func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range found {
		names = append(names, entry.Name())
	}
	return names
}
