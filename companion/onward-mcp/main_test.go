package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// programs is the folder of onward and onward-mcp, which are built for the tests.
var programs string

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "onward-mcp-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs = filepath.Join(dir, "bin")
	if err := os.Mkdir(programs, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, module := range []string{"../..", "."} {
		c := exec.Command("go", "build", "-o", programs+string(filepath.Separator), ".")
		c.Dir = module
		if out, err := c.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build in %s: %v\n%s", module, err, out)
			return 1
		}
	}
	// The server under test is this test binary, so it has to find onward on PATH.
	os.Setenv("PATH", programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "ONWARD_") || strings.HasPrefix(name, "CLAUDE") || strings.HasPrefix(name, "QWEN_") || name == "AI_AGENT" {
			os.Unsetenv(name)
		}
	}
	return m.Run()
}

// protocols are the oldest and the newest version of the protocol that the tests use. They differ in how a client starts,
// how it is asked for its roots, and how it learns of changes.
var protocols = []string{"2025-06-18", "2026-07-28"}

// bench is a project with a client and a server.
type bench struct {
	t       *testing.T
	dir     string // the project
	client  *mcp.ClientSession
	roots   *mcp.Client   // the client, whose roots a test can change
	tools   chan struct{} // receives a value when the tools have changed
	updated chan string   // receives the URI of each resource that has changed
}

// setting is the initial state of a bench.
type setting struct {
	protocol string
	session  string
	roots    []string // file URIs; if nil, the client does not support roots
	name     string   // the name of the client
}

// open starts a server in an empty project with an empty store.
func open(t *testing.T, with setting) *bench {
	t.Helper()
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ONWARD_STORE", filepath.Join(dir, "store"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Chdir(project)
	return connect(t, project, with)
}

// connect starts another server with its own client.
func connect(t *testing.T, project string, with setting) *bench {
	t.Helper()
	b := &bench{t: t, dir: project, tools: make(chan struct{}, 100), updated: make(chan string, 100)}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	ours, theirs := mcp.NewInMemoryTransports()
	ended := make(chan struct{})
	var errs bytes.Buffer
	go func() {
		defer close(ended)
		args := []string{}
		if with.session != "" {
			args = append(args, "--session", with.session)
		}
		if code := run(ctx, args, ours, &errs, &errs); code != exitOK {
			t.Errorf("exit %d: %s", code, errs.String())
		}
	}()
	name := with.name
	if name == "" {
		name = "test"
	}
	capabilities := &mcp.ClientCapabilities{}
	if with.roots != nil {
		capabilities.RootsV2 = &mcp.RootCapabilities{ListChanged: true}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ClientOptions{
		Capabilities:           capabilities,
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { b.tools <- struct{}{} },
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { b.updated <- r.Params.URI },
	})
	b.roots = client
	for _, uri := range with.roots {
		client.AddRoots(&mcp.Root{URI: uri})
	}
	var err error
	b.client, err = client.Connect(ctx, theirs, &mcp.ClientSessionOptions{ProtocolVersion: with.protocol})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.client.Close()
		cancel()
		<-ended
	})
	return b
}

// call calls a tool, and returns its text and whether it failed.
func (b *bench) call(tool string, args any) (string, bool) {
	b.t.Helper()
	return b.callAs(nil, tool, args)
}

func (b *bench) callAs(meta mcp.Meta, tool string, args any) (string, bool) {
	b.t.Helper()
	r, err := b.client.CallTool(b.t.Context(), &mcp.CallToolParams{Meta: meta, Name: tool, Arguments: args})
	if err != nil {
		b.t.Fatalf("%s: %v", tool, err)
	}
	if len(r.Content) != 1 {
		b.t.Fatalf("%s: %d pieces of content", tool, len(r.Content))
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// does calls a tool that has to succeed, and returns its text.
func (b *bench) does(tool string, args any) string {
	b.t.Helper()
	text, failed := b.call(tool, args)
	if failed {
		b.t.Fatalf("%s: %s", tool, text)
	}
	return text
}

// onward runs onward in the project, as the user does.
func (b *bench) onward(args ...string) string {
	b.t.Helper()
	c := exec.Command("onward", args...)
	c.Dir = b.dir
	out, err := c.CombinedOutput()
	if err != nil {
		b.t.Fatalf("onward %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// reroot replaces the client's only root.
func (b *bench) reroot(from, to string) {
	b.roots.RemoveRoots(from)
	b.roots.AddRoots(&mcp.Root{URI: to})
}

// offered returns the names of the tools that the server offers.
func (b *bench) offered() string {
	b.t.Helper()
	r, err := b.client.ListTools(b.t.Context(), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	var names []string
	for _, tool := range r.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

// todos returns a list of one item for each text.
func todos(texts ...string) map[string]any {
	items := []map[string]any{}
	for _, text := range texts {
		items = append(items, map[string]any{"content": text, "status": "pending"})
	}
	return map[string]any{"todos": items}
}

// eachProtocol runs a test with each of the protocols.
func eachProtocol(t *testing.T, test func(t *testing.T, protocol string)) {
	for _, p := range protocols {
		t.Run(p, func(t *testing.T) { test(t, p) })
	}
}

// soon waits for a value that another process causes, and fails the test if it does not come.
func soon[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(30 * time.Second):
		t.Fatalf("there was no %s", what)
		panic("unreachable")
	}
}

func fileURI(dir string) string {
	if runtime.GOOS == "windows" {
		return "file:///" + filepath.ToSlash(dir)
	}
	return "file://" + dir
}
