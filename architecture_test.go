package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ports lists the packages of internal that may reach files, programs or the system through other packages. Those that
// use them directly are in capabilities. All others are pure: their callers pass contents and times in.
var ports = []string{"internal/doctor", "internal/overview"}

// capabilities lists the packages that may use files, programs, the system or unsafe memory; packages that are not
// listed may use none. No package of onward may use the network. A package that needs more gets a line here, where reviewers see it.
var capabilities = map[string][]string{
	"main":                    {"files"}, // its arguments and streams
	"cmd":                     {"files", "programs", "system"},
	"internal/board":          {"files"}, // signals
	"internal/companion":      {"files", "programs"},
	"internal/durable":        {"files", "system"},
	"internal/calls/execute":  {"files", "programs"},
	"internal/find":           {"files", "programs", "system"}, // it looks programs up
	"internal/gate":           {"files", "system"},             // signals
	"internal/night":          {"files"},                       // signals, and an agent's own file with what a turn has used
	"internal/night/system":   {"files"},
	"internal/tree":           {"files", "programs"},                     // it asks git
	"internal/supervise":      {"files", "programs", "system", "memory"}, // it runs commands; a job object on Windows wants unsafe
	"internal/hooks":          {"files"},
	"internal/install":        {"files", "programs"}, // it asks git where its hooks are
	"internal/notify":         {"files", "system"},
	"internal/process":        {"files", "programs", "system"}, // on Windows, a program that another one replaces waits for it
	"internal/screen":         {"files", "system"},
	"internal/wait":           {"files"}, // signals
	"companion/onward-schema": {"files"}, // its streams, as main
}

// capability returns what a package of the standard library or golang.org/x/sys gives access to.
func capability(path string) string {
	switch path {
	case "os", "io/ioutil":
		return "files"
	case "os/exec":
		return "programs"
	case "os/signal", "syscall":
		return "system"
	case "unsafe", "plugin", "C", "runtime/cgo":
		return "memory"
	}
	switch {
	case path == "net" || strings.HasPrefix(path, "net/") && path != "net/url" && path != "net/netip",
		strings.HasPrefix(path, "golang.org/x/net"), strings.HasPrefix(path, "crypto/tls"):
		return "network"
	case strings.HasPrefix(path, "golang.org/x/sys"), strings.HasPrefix(path, "golang.org/x/term"):
		return "system"
	}
	return ""
}

// isPure reports whether a package must reach neither files nor clocks.
func isPure(pkg string) bool {
	return strings.HasPrefix(pkg, "internal/") && capabilities[pkg] == nil && !slices.Contains(ports, pkg)
}

// TestCapabilities fails if a package can do more than is listed, or if the list contains more than a package can do.
func TestCapabilities(t *testing.T) {
	used := map[string][]string{}
	eachFile(t, func(path string) {
		pkg := packageOf(path)
		if isTool(pkg) {
			return
		}
		for _, name := range imports(t, path) {
			if c := capability(name); c != "" && !slices.Contains(used[pkg], c) {
				used[pkg] = append(used[pkg], c)
				if !slices.Contains(capabilities[pkg], c) {
					t.Errorf("%s: package %s imports %s, and may not use: %s", path, pkg, name, c)
				}
			}
		}
	})
	for pkg, list := range capabilities {
		for _, c := range list {
			if !slices.Contains(used[pkg], c) {
				t.Errorf("package %s is listed with %s, and does not use it", pkg, c)
			}
		}
	}
}

// TestNothingLinkedUsesTheNetwork examines all packages that are linked into the programs, including those of libraries.
func TestNothingLinkedUsesTheNetwork(t *testing.T) {
	for _, program := range []string{".", "./companion/onward-schema"} {
		for _, name := range linked(t, program) {
			if c := capability(name); c == "network" || name == "plugin" {
				t.Errorf("%s is linked into %s", name, program)
			}
		}
	}
}

// TestOnlyCompanionLinksSchemaLibrary keeps the library that would slow down every start out of onward.
func TestOnlyCompanionLinksSchemaLibrary(t *testing.T) {
	const library = "github.com/santhosh-tekuri/jsonschema/v6"
	if slices.Contains(linked(t, "."), library) {
		t.Errorf("%s is linked into onward", library)
	}
	if !slices.Contains(linked(t, "./companion/onward-schema"), library) {
		t.Errorf("%s is not linked into the companion", library)
	}
}

// linked lists the packages that are linked into a program.
func linked(t *testing.T, program string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

const module = "onward" // as release/set-home changes it

// TestPurePackagesReachNoSystem follows the imports of pure packages, through all packages of this module.
func TestPurePackagesReachNoSystem(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if name, ours := strings.CutPrefix(words[0], module+"/"); ours {
			imported[name] = words[1:]
		}
	}
	for pkg := range imported {
		if isPure(pkg) {
			reach(t, pkg, pkg, imported, map[string]bool{})
		}
	}
}

// reach reports a path of imports from a package to the system. Those within the standard library do not count.
func reach(t *testing.T, pkg, way string, imported map[string][]string, seen map[string]bool) {
	for _, name := range imported[pkg] {
		if c := capability(name); c != "" {
			t.Errorf("%s -> %s", way, name)
		}
		if ours, ok := strings.CutPrefix(name, module+"/"); ok && !seen[ours] {
			seen[ours] = true
			reach(t, ours, way+" -> "+ours, imported, seen)
		}
	}
}

// TestPurePackagesReadNoClock: the current time is an argument.
func TestPurePackagesReadNoClock(t *testing.T) {
	eachFile(t, func(path string) {
		if !isPure(packageOf(path)) {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Now" {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
					t.Errorf("%s: package %s is pure: let its caller pass the time in", path, packageOf(path))
				}
			}
			return true
		})
	})
}

// TestCommandsAreOnTop: cmd puts the program together, so nothing below it may need it. Programs import it.
func TestCommandsAreOnTop(t *testing.T) {
	eachImport(t, func(path, pkg, imported string) {
		if imported == "cmd" && strings.HasPrefix(pkg, "internal/") {
			t.Errorf("%s: package %s imports cmd, which is above it", path, pkg)
		}
		if pkg != "cmd" && pkg != "internal/board" && !isTool(pkg) && imported == "internal/screen" {
			t.Errorf("%s: only cmd opens the terminal, and only package board draws on it too", path)
		}
	})
}

// isTool reports whether a package serves tests, documentation or a release, and is not a part of a program that users run.
func isTool(pkg string) bool {
	return strings.HasPrefix(pkg, "test/") || strings.HasPrefix(pkg, "docs/") || strings.HasPrefix(pkg, "release")
}

// kernel lists the packages below internal/agents that belong to no agent.
var kernel = []string{"internal/agents/agent", "internal/agents/hook", "internal/agents/settings", "internal/agents/stream"}

// shares lists the agents that write another agent's lines, and use its reader.
var shares = map[string]string{"cursor": "claude", "grok": "claude", "llxprt": "gemini", "qwen": "claude"}

// aboveCalls lists the packages that open the rooms of tool calls.
var aboveCalls = []string{"cmd", "internal/board", "internal/doctor", "internal/find", "internal/output", "internal/transfer"}

// TestRoomsAreApart: what is known of an agent is in its own folder, and only the registry opens it. Lists, hooks,
// decisions and reports ask package calls of tool calls, and know nothing below it.
func TestRoomsAreApart(t *testing.T) {
	eachImport(t, func(file, pkg, imported string) {
		room, own := path.Base(imported), path.Base(pkg)
		switch {
		case isTool(pkg):
		case strings.HasPrefix(imported, "internal/agents/") && !slices.Contains(kernel, imported):
			if pkg != "internal/agents" && own != room && shares[own] != room {
				t.Errorf("%s: package %s imports the room of an agent, %s: let it ask internal/agents", file, pkg, imported)
			}
		case strings.HasPrefix(imported, "internal/calls/") && !strings.HasPrefix(pkg, "internal/calls/"):
			if !slices.Contains(aboveCalls, pkg) {
				t.Errorf("%s: package %s imports %s: let it ask internal/calls", file, pkg, imported)
			}
		}
	})
}

// eachFile calls a function for each Go file of this module, except tests.
func eachFile(t *testing.T, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || isModule(path)) {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "testdata") {
			visit(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachImport calls a function for each package of this module that a file imports, except in tests.
func eachImport(t *testing.T, visit func(path, pkg, imported string)) {
	t.Helper()
	eachFile(t, func(path string) {
		for _, name := range imports(t, path) {
			if ours, ok := strings.CutPrefix(name, module+"/"); ok {
				visit(path, packageOf(path), ours)
			}
		}
	})
}

// isModule reports whether a folder is a module of its own, to which these rules do not apply.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func packageOf(path string) string {
	if pkg := filepath.ToSlash(filepath.Dir(path)); pkg != "." {
		return pkg
	}
	return "main"
}

func imports(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}
