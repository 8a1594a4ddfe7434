package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed says which of our packages each package may import: dependencies point one way.
var allowed = map[string][]string{
	"main":                  {"cmd"},
	"cmd":                   {"internal/agent", "internal/continue", "internal/doctor", "internal/durable", "internal/exchange", "internal/execute", "internal/hook", "internal/hook/install", "internal/live", "internal/near", "internal/notify", "internal/object", "internal/policy", "internal/render", "internal/roff", "internal/schedule", "internal/screen", "internal/session", "internal/slash", "internal/tail", "internal/todo", "internal/tool"},
	"internal/agent":        {"internal/continue", "internal/object", "internal/session", "internal/todo"},
	"internal/exchange":     {"internal/object", "internal/render", "internal/todo"},
	"internal/hook":         {"internal/agent", "internal/continue", "internal/object", "internal/session", "internal/todo"},
	"internal/doctor":       {"internal/durable", "internal/hook/install", "internal/session"},
	"internal/live":         {"internal/continue", "internal/session", "internal/todo"},
	"internal/render":       {"internal/continue", "internal/doctor", "internal/hook/install", "internal/object", "internal/policy", "internal/schedule", "internal/session", "internal/slash", "internal/todo", "internal/tool"},
	"internal/slash":        {"internal/todo"},
	"internal/near":         {},
	"internal/roff":         {},
	"internal/notify":       {},
	"internal/screen":       {},
	"internal/tail":         {"internal/notify"},
	"release/man":           {"cmd"},
	"internal/continue":     {"internal/session", "internal/todo"},
	"internal/session":      {"internal/durable", "internal/object", "internal/todo"},
	"internal/durable":      {},
	"internal/todo":         {"internal/object"},
	"internal/object":       {},
	"bench/ingest":          {},
	"bench/paired":          {},
	"bench/scale":           {"bench/paired"},
	"bench/startup":         {"bench/paired"},
	"internal/hook/install": {},
	"realagents":            {},
	"internal/execute":      {"internal/durable", "internal/object", "internal/schedule", "internal/session", "internal/todo", "internal/tool"},
	"internal/schedule":     {"internal/durable", "internal/object", "internal/policy", "internal/session", "internal/todo", "internal/tool"},
	"internal/tool":         {"internal/durable", "internal/near", "internal/object", "internal/policy", "internal/schema"},
	"internal/policy":       {"internal/object", "internal/shell"},
	"internal/shell":        {},
	"internal/schema":       {},
	"bench/schedule":        {},
}

// pure lists the packages that know neither files nor clocks: the caller passes both in.
var pure = []string{"internal/agent", "internal/continue", "internal/exchange", "internal/hook", "internal/live", "internal/near", "internal/object", "internal/policy", "internal/render", "internal/roff", "internal/schema", "internal/shell", "internal/slash", "internal/todo"}

func TestDependenciesPointOneWay(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return nil
		}
		checkFile(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkFile(t *testing.T, path string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg := filepath.ToSlash(filepath.Dir(path))
	if pkg == "." {
		pkg = "main"
	}
	rule, known := allowed[pkg]
	if !known {
		t.Errorf("%s: package %s has no rule in this test", path, pkg)
	}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if ours, ok := strings.CutPrefix(name, "onward/"); ok && !slices.Contains(rule, ours) {
			t.Errorf("%s: package %s must not import %s", path, pkg, name)
		}
		if slices.Contains(pure, pkg) && (name == "os" || name == "net" || strings.HasPrefix(name, "os/") || strings.HasPrefix(name, "net/")) {
			t.Errorf("%s: package %s is pure and must not import %s", path, pkg, name)
		}
	}
	if !slices.Contains(pure, pkg) {
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
