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

// allowed lists the packages of this module that each package may import. Dependencies have one direction.
var allowed = map[string][]string{
	"main":                    {"cmd"},
	"cmd":                     {"internal/agents", "internal/agents/agent", "internal/agents/settings", "internal/agents/stream", "internal/ask", "internal/buildid", "internal/cli", "internal/companion", "internal/continue", "internal/doctor", "internal/durable", "internal/exchange", "internal/calls/execute", "internal/agents/hook", "internal/install", "internal/live", "internal/native", "internal/suggest", "internal/notify", "internal/object", "internal/calls/policy", "internal/process", "internal/render", "internal/repair", "internal/report", "internal/run", "internal/calls/schedule", "internal/schema", "internal/screen", "internal/session", "internal/slash", "internal/store", "internal/supervise", "internal/todo", "internal/calls/tool", "internal/transfer", "internal/truth"},
	"internal/ask":            {"internal/agents", "internal/agents/stream", "internal/continue", "internal/agents/hook", "internal/calls", "internal/session", "internal/store", "internal/todo"},
	"internal/exchange":       {"internal/agents/files", "internal/native", "internal/object", "internal/render", "internal/todo", "internal/unicodesafe"},
	"internal/agents/hook":    {"internal/agents/stream", "internal/continue", "internal/native", "internal/object", "internal/session", "internal/todo"},
	"internal/doctor":         {"internal/durable", "internal/install", "internal/session", "internal/store", "internal/todo"},
	"internal/live":           {"internal/continue", "internal/session", "internal/todo"},
	"internal/render":         {"internal/todo", "internal/unicodesafe"},
	"internal/repair":         {"internal/session", "internal/store", "internal/todo"},
	"internal/report":         {"internal/calls", "internal/continue", "internal/render", "internal/session", "internal/todo"},
	"internal/run":            {"internal/continue", "internal/todo"},
	"internal/slash":          {"internal/todo"},
	"internal/suggest":        {},
	"internal/cli":            {"internal/suggest", "internal/render", "internal/truth"},
	"internal/notify":         {"internal/store"},
	"internal/screen":         {},
	"release":                 {},
	"release/man":             {"cmd"},
	"release/packages":        {"internal/agents", "internal/install"},
	"docs/picture":            {},
	"internal/continue":       {"internal/native", "internal/session", "internal/todo", "internal/truth", "internal/unicodesafe"},
	"internal/truth":          {},
	"internal/unicodesafe":    {},
	"internal/session":        {"internal/object", "internal/store", "internal/todo"},
	"internal/durable":        {"internal/notify", "internal/store"},
	"internal/store":          {"internal/object"},
	"internal/transfer":       {"internal/calls/schedule", "internal/session", "internal/store", "internal/todo"},
	"test/storetest":          {"internal/object", "internal/store"},
	"test/workers":            {},
	"internal/todo":           {"internal/object"},
	"internal/native":         {"internal/object", "internal/todo"},
	"internal/object":         {},
	"test/bench/hello":        {},
	"test/bench/ingest":       {},
	"test/bench/paired":       {},
	"test/bench/saves":        {},
	"test/bench/scale":        {"test/bench/paired"},
	"test/bench/startup":      {"test/bench/paired"},
	"internal/install":        {"internal/agents/settings", "internal/durable", "internal/object", "internal/store"},
	"test/realagents":         {},
	"test/browser":            {},
	"test/golden":             {},
	"test/npm":                {},
	"internal/process":        {"internal/session"},
	"internal/calls/execute":  {"internal/durable", "internal/object", "internal/process", "internal/calls/schedule", "internal/session", "internal/store", "internal/supervise", "internal/todo", "internal/calls/tool"},
	"internal/supervise":      {"internal/object", "internal/process", "internal/session", "internal/todo"},
	"internal/calls":          {"internal/session", "internal/todo"}, // the interface for other packages; the folders below it serve tool calls only
	"internal/calls/schedule": {"internal/calls", "internal/object", "internal/calls/policy", "internal/session", "internal/store", "internal/todo", "internal/calls/tool"},
	"internal/calls/tool":     {"internal/native", "internal/suggest", "internal/object", "internal/calls/policy", "internal/schema", "internal/store", "internal/todo"},
	"internal/calls/policy":   {"internal/object", "internal/calls/shell", "internal/store"},
	"internal/calls/shell":    {},
	"internal/schema":         {"internal/object"},
	"internal/buildid":        {},
	"internal/companion":      {"internal/buildid", "internal/schema"},
	"test/bench/schedule":     {},

	"companion/onward-schema": {"internal/buildid", "internal/schema"},

	"internal/agents":          {"internal/agents/", "internal/native"},
	"internal/agents/":         {"internal/agents/agent", "internal/agents/files", "internal/agents/hook", "internal/agents/settings", "internal/agents/stream", "internal/continue", "internal/native", "internal/object", "internal/todo"}, // the room of an agent
	"internal/agents/files":    {},
	"internal/agents/agent":    {"internal/agents/files", "internal/agents/hook", "internal/agents/settings", "internal/agents/stream", "internal/native"},
	"internal/agents/stream":   {"internal/continue", "internal/native", "internal/object", "internal/todo"}, // it knows no agent
	"test/streamtest":          {"internal/agents", "internal/agents/stream", "internal/continue", "internal/todo"},
	"internal/agents/settings": {},
}

// pure lists the packages that use neither files nor clocks. Their callers pass contents and times in.
var pure = []string{"internal/ask", "internal/cli", "internal/continue", "internal/exchange", "internal/live", "internal/native", "internal/suggest", "internal/object", "internal/calls", "internal/calls/policy", "internal/render", "internal/repair", "internal/report", "internal/run", "internal/calls/schedule", "internal/schema", "internal/session", "internal/calls/shell", "internal/slash", "internal/store", "internal/todo", "internal/calls/tool", "internal/transfer", "internal/truth", "internal/unicodesafe"}

// capabilities lists the packages that may use files, programs, the system or unsafe memory; packages that are not
// listed may use none. No package of onward may use the network. A package that needs more gets a line here, where reviewers see it.
var capabilities = map[string][]string{
	"main":                   {"files"}, // its arguments and streams
	"cmd":                    {"files", "programs", "system"},
	"internal/companion":     {"files", "programs"},
	"internal/durable":       {"files", "system"},
	"internal/calls/execute": {"files", "programs"},
	"internal/supervise":     {"files", "programs", "system", "memory"}, // it runs commands; a job object on Windows wants unsafe
	"internal/install":       {"files", "programs"},                     // it asks git where its hooks are
	"internal/notify":        {"files", "system"},
	"internal/process":       {"files", "system"},
	"internal/screen":        {"files", "system"},
	"release/man":            {"files"},
	"release/packages":       {"files"},
	"docs/picture":           {"files"},
	"test/bench/ingest":      {"files", "programs"},
	"test/golden":            {"files"},
	"test/bench/paired":      {"files", "programs"},
	"test/bench/saves":       {"files"},
	"test/bench/scale":       {"files"},
	"test/bench/schedule":    {"files", "programs"},
	"test/realagents":        {},
	"test/browser":           {"files", "programs"},
	"test/npm":               {"files", "programs", "network"}, // it stands in for a registry
	"test/streamtest":        {"files"},
	"test/workers":           {"programs"},

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

// shares lists the agents that write another agent's lines, whose rooms use that agent's reader.
var shares = map[string]string{"cursor": "claude", "grok": "claude", "llxprt": "gemini", "qwen": "claude"}

// ruleOf returns the packages that a package may import. The folders directly below internal/agents are the rooms of agents, which have one rule for all.
func ruleOf(pkg string) (rule []string, known bool) {
	rule, known = allowed[pkg]
	if !known && path.Dir(pkg) == "internal/agents" {
		rule, known = allowed["internal/agents/"], true
		if other := shares[path.Base(pkg)]; other != "" {
			rule = append(slices.Clone(rule), "internal/agents/"+other)
		}
	}
	return rule, known
}

// permits reports whether a rule allows a package, by its name or by a folder above it.
func permits(rule []string, name string) bool {
	return slices.ContainsFunc(rule, func(r string) bool {
		return r == name || strings.HasSuffix(r, "/") && strings.HasPrefix(name, r)
	})
}

// isPure reports whether a package must not use files and clocks. Everything about agents is pure.
func isPure(pkg string) bool {
	return slices.Contains(pure, pkg) || strings.HasPrefix(pkg+"/", "internal/agents/")
}

// TestCapabilities fails if a package can do more than is listed, or if the list contains more than a package can do.
func TestCapabilities(t *testing.T) {
	used := map[string][]string{}
	eachFile(t, func(path string) {
		pkg := packageOf(path)
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
	for _, pkg := range pure {
		if imported[pkg] == nil {
			t.Errorf("package %s is listed as pure, and does not exist", pkg)
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

func TestDependenciesPointOneWay(t *testing.T) {
	eachFile(t, func(path string) { checkFile(t, path) })
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

func checkFile(t *testing.T, path string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg := packageOf(path)
	rule, known := ruleOf(pkg)
	if !known {
		t.Errorf("%s: package %s has no rule in this test", path, pkg)
	}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if ours, ok := strings.CutPrefix(name, module+"/"); ok && !permits(rule, ours) {
			t.Errorf("%s: package %s must not import %s", path, pkg, name)
		}
	}
	if !isPure(pkg) {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Now" {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
				t.Errorf("%s: package %s is pure and must not ask the clock", path, pkg)
			}
		}
		return true
	})
}

// The layout in CONTRIBUTING.md lists every package, by itself or by a folder above it.
func TestLayoutNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range allowed {
		if name == "main" {
			continue
		}
		found := false
		for folder := name; folder != "." && folder != "internal"; folder = filepath.ToSlash(filepath.Dir(folder)) {
			found = found || strings.Contains(string(text), "\n| `"+path.Clean(folder)+"/` |")
		}
		if !found {
			t.Errorf("CONTRIBUTING.md does not say what %s is for", name)
		}
	}
}

// TestToolCallsAreSkipped keeps everything about tool calls in one folder. The packages of lists, hooks, decisions and
// reports know package calls and nothing below it, so that a reader who cares about lists can skip the rest.
func TestToolCallsAreSkipped(t *testing.T) {
	const inside = "internal/calls/"
	// The packages that may know the folder, with the reason.
	knows := map[string]string{
		"cmd":               "it puts the program together; knowsCalls lists its files",
		"internal/transfer": "it copies whole documents from store to store",
	}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./internal/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg, ours := strings.CutPrefix(words[0], module+"/")
		if !ours || strings.HasPrefix(pkg, inside) || knows[pkg] != "" {
			continue
		}
		for _, dep := range words[1:] {
			if strings.HasPrefix(dep, module+"/"+inside) {
				t.Errorf("%s depends on %s: let it ask package calls", pkg, dep)
			}
		}
	}
	used := map[string]bool{}
	eachFile(t, func(file string) {
		if packageOf(file) != "cmd" {
			return
		}
		for _, name := range imports(t, file) {
			if !strings.HasPrefix(name, module+"/"+inside) {
				continue
			}
			found := false
			for pattern := range knowsCalls {
				if ok, _ := path.Match(pattern, path.Base(filepath.ToSlash(file))); ok {
					used[pattern], found = true, true
				}
			}
			if !found {
				t.Errorf("%s imports %s, and is not a command about tool calls", file, name)
			}
		}
	})
	for pattern := range knowsCalls {
		if !used[pattern] {
			t.Errorf("no file of cmd that imports %s… is called %s", inside, pattern)
		}
	}
}

// knowsCalls lists the files of cmd that may import packages below calls, with the reason.
var knowsCalls = map[string]string{
	"schedule*.go":         "the commands about tool calls",
	"doctor.go":            "it reads the calls of every session, to report damaged ones",
	"message.go":           "the queue of messages is kept with the calls",
	"tools.go":             "declarations of tools",
	"slash_*.go":           "slash commands that submit calls",
	"progress.go":          "what `schedule run` shows",
	"complete_schedule.go": "completes the names of calls, tools and rules",
	"watch_board.go":       "the view of all sessions approves calls",
	"companion.go":         "asks onward-schema whether arguments fit a tool",
	"storage.go":           "opens the stores",
	"dispatch.go":          "loads what a command declares that it needs",
	"failure.go":           "maps errors to exit codes",
	"gate_trust.go":        "the user's trust in gates and in tools is kept in one file",
}
