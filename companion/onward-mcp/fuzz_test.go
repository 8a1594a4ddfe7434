package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzProtocol sends any lines to a server and then asks it for the list. The server must not crash, must answer
// each valid request exactly once, and must print nothing but JSON.
// After that, onward must be able to read the list in the store.
func FuzzProtocol(f *testing.F) {
	for _, lines := range conversations() {
		f.Add(strings.Join(lines, "\n"))
	}
	f.Fuzz(func(t *testing.T, lines string) {
		dir := t.TempDir()
		t.Setenv("ONWARD_STORE", filepath.Join(dir, "store"))
		t.Setenv("ONWARD_SESSION", "main")
		c := converse(t)
		for line := range strings.SplitSeq(lines, "\n") {
			c.send(line)
		}
		c.send(`{"jsonrpc":"2.0","id":"the last","method":"ping"}`)
		answers := c.end()
		seen := map[string]int{}
		for _, a := range answers {
			if a.Method == "" {
				seen[string(a.ID)]++
			}
		}
		if seen[`"the last"`] != 1 {
			t.Errorf("one request has %d answers", seen[`"the last"`])
		}
		out, err := exec.Command("onward", "todo", "show", "--json").CombinedOutput()
		if err != nil {
			t.Errorf("the list: %v\n%s", err, out)
		}
	})
}

// message contains the members of a server's message that the tests check.
type message struct {
	ID     json.RawMessage
	Method string
	Result struct {
		IsError bool
		Content []struct{ Text string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

// wire is a server to which a test sends single lines.
type wire struct {
	t     *testing.T
	in    io.WriteCloser
	out   chan []message
	ended chan int
	errs  *bytes.Buffer
}

// converse starts a server for lines that the SDK's client would not send.
func converse(t *testing.T) *wire {
	t.Helper()
	theirs, in := io.Pipe()
	from, ours := io.Pipe()
	w := &wire{t: t, in: in, out: make(chan []message, 1), ended: make(chan int, 1), errs: &bytes.Buffer{}}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go func() {
		w.ended <- run(ctx, nil, stdio{theirs, ours}, w.errs, w.errs)
		theirs.Close()
		ours.Close()
	}()
	go func() {
		var all []message
		for lines := bufio.NewReader(from); ; {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				var m message
				if json.Unmarshal(line, &m) != nil {
					t.Errorf("the server wrote %.200q", line)
				}
				all = append(all, m)
			}
			if err != nil {
				w.out <- all
				return
			}
		}
	}()
	return w
}

// send sends a line. It does not report an error, since a server that has ended accepts none.
func (w *wire) send(line string) { _, _ = io.WriteString(w.in, line+"\n") }

// end closes the server's input, and returns all messages that it wrote.
func (w *wire) end() []message {
	w.t.Helper()
	w.in.Close()
	select {
	case <-w.ended:
	case <-time.After(30 * time.Second):
		w.t.Fatal("the server does not end with its input")
	}
	return <-w.out
}

// conversations returns the seeds: valid conversations, and lines that once caused a fault or might cause one.
func conversations() [][]string {
	const (
		initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"fuzz","version":"1"}}}`
		ready      = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		meta       = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"fuzz","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}`
	)
	call := func(name, args string) string {
		return `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `}}`
	}
	return [][]string{
		{initialize, ready, call("todo_write", `{"todos":[{"content":"one","status":"pending"}]}`), `{"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///tmp"}]}}`},
		{initialize, ready, call("todo_update", `{"position":1,"status":"completed"}`), call("todo_read", `null`), call("todo_pause", `{"reason":"x"}`)},
		{initialize, ready, `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"todo://session/%2e%2e"}}`},
		{initialize, ready, `{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"add","arguments":{"text":"--help"}}}`, `{"jsonrpc":"2.0","id":6,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"x"},"argument":{"name":"id","value":""}}}`},
		{initialize, ready, `{"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"todo://current"}}`, `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`},
		{`{"jsonrpc":"2.0","id":8,"method":"server/discover","params":{` + meta + `}}`, `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{` + meta + `,"name":"todo_write","arguments":{"todos":[{"content":"one"}]},"requestState":"roots","inputResponses":{"roots":{"roots":[]}}}}`},
		{`{"jsonrpc":"2.0","id":10,"method":"subscriptions/listen","params":{` + meta + `,"notifications":{"toolsListChanged":true,"resourceSubscriptions":["todo://current"]}}}`},
		{call("todo_write", `{"todos":[]}`), initialize, initialize},
		{`{`},
		{`[]`},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`},
		{"\x00"},
		{""},
		{initialize, ready, call("todo_write", `"[]"`), call("todo_write", `[]`), call("todo_write", `{"todos":{"todos":[]}}`), call("", `{}`)},
	}
}

// TestSeedsToTheProgram sends the seeds of the fuzzer to the real program over real pipes.
func TestSeedsToTheProgram(t *testing.T) {
	for _, lines := range conversations() {
		dir := t.TempDir()
		c := exec.Command(filepath.Join(programs, "onward-mcp"), "--session", "main")
		c.Env = append(os.Environ(), "ONWARD_STORE="+filepath.Join(dir, "store"))
		c.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		if code := c.ProcessState.ExitCode(); code != exitOK && code != exitIO || strings.Contains(errs.String(), "goroutine") {
			t.Errorf("%q: %v\n%s", lines, err, errs.String())
		}
		for line := range bytes.Lines(out) {
			var m message
			if json.Unmarshal(line, &m) != nil {
				t.Errorf("%q: the server wrote %q", lines, line)
			}
		}
	}
}

// A call that has started is completed, even if its client cancels it or disconnects: a commit is never interrupted.
func TestCancelledCallIsFinished(t *testing.T) {
	t.Setenv("ONWARD_STORE", filepath.Join(t.TempDir(), "store"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (place{session: "main"}).onward(ctx, nil, "todo", "add", "--", "one"); err != nil {
		t.Error(err)
	}
}

// FuzzRoot searches for a client's root URI for which folder returns anything but "" or the absolute path of a folder.
func FuzzRoot(f *testing.F) {
	for _, seed := range []string{"file:///tmp", "file://localhost/tmp", "file://host/tmp", "file:tmp", "file:///tm%70", "https:///tmp", "file:///%00", "%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		dir := folder(uri)
		if dir == "" {
			return
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || !filepath.IsAbs(dir) || !strings.HasPrefix(strings.ToLower(uri), "file:") {
			t.Fatalf("%q leads to %q, %v", uri, dir, err)
		}
	})
}

// FuzzReported looks for an error of onward that reaches the model as an empty text.
func FuzzReported(f *testing.F) {
	for _, seed := range []string{`{"error":{"class":"usage","message":"m","hint":"h"}}`, `{"error":{"message":""}}`, "onward: m\nhint: h\n", "onward: ", "onward:  \nhint: h", "panic: x", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stderr []byte) {
		if said := reported(stderr, errors.New("exit status 70")); strings.TrimSpace(said.message) == "" {
			t.Fatalf("%q: %+v", stderr, said)
		}
	})
}
