package main

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK links packages that can open connections, for transports that onward does not use. No
// package of onward may import them.
func TestNoPackageImportsTheNetwork(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if path == "net" || strings.HasPrefix(path, "net/") && path != "net/url" || strings.Contains("/"+path, "/onward/") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// In a conversation with every kind of call, neither the server nor the programs that it starts may open a socket.
func TestNoSocketIsOpened(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("there is no strace")
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "strace.log")
	c := exec.Command("strace", "-f", "-qq", "-e", "trace=%network", "-o", log, filepath.Join(programs, "onward-mcp"), "--session", "main")
	c.Env = append(os.Environ(), "ONWARD_STORE="+filepath.Join(dir, "store"))
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: c}, nil)
	if err != nil {
		t.Skipf("strace traces nothing here: %v", err)
	}
	for tool, args := range map[string]any{writeTool: todos("one"), updateTool: map[string]any{"position": "1"}, readTool: nil, pauseTool: nil} {
		if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args}); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
	}
	if _, err := client.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(calls)) {
		if strings.Contains(line, "socket(") || strings.Contains(line, "connect(") {
			t.Error(line)
		}
	}
}
