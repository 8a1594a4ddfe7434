// Package browser drives a headless Chromium, for tests of pages and pictures.
// It speaks the DevTools protocol over two pipes, so it needs neither a port nor a library.
package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Browser is a running Chromium with one open page.
type Browser struct {
	t    testing.TB
	in   *os.File
	out  *bufio.Reader
	last int
	page string // the session of the page that is open

	// Complaints are the browser's messages about the page in its console: errors, and refusals by
	// the page's own policy.
	Complaints []string
}

// Start starts the browser that ONWARD_BROWSER names, and ends it with the test. Without one, the test is skipped.
func Start(t testing.TB) *Browser {
	t.Helper()
	program := os.Getenv("ONWARD_BROWSER")
	if program == "" {
		t.Skip("skipped: ONWARD_BROWSER names no browser; .ci/nightly looks for one")
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // the browser reads from descriptor 3 and writes to 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &Browser{t: t, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		b.page = ""
		b.call("Browser.close", nil, nil)
		in.Close()
		_ = cmd.Wait() // a browser that was told to close may end with any code
		out.Close()
	})
	return b
}

// message is a message of the DevTools protocol: a command, its result, or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// call runs a command of the protocol, and decodes its result into out unless that is nil.
func (b *Browser) call(method string, params map[string]any, out any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(message{ID: b.last, Method: method, Session: b.page, Params: params})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	answer := b.wait(func(m message) bool { return m.ID == b.last })
	if answer.Error != nil {
		b.t.Fatalf("%s: %s", method, answer.Error)
	}
	if out != nil {
		if err := json.Unmarshal(answer.Result, out); err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
	}
}

// wait reads messages until one satisfies is, and collects the complaints that come before it.
func (b *Browser) wait(is func(message) bool) message {
	b.t.Helper()
	for {
		text, err := b.out.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("read from the browser: %v", err)
		}
		var m message
		if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m); err != nil {
			b.t.Fatalf("%v in %s", err, text)
		}
		if m.Method == "Log.entryAdded" || m.Method == "Runtime.exceptionThrown" || m.Method == "Runtime.consoleAPICalled" {
			b.Complaints = append(b.Complaints, string(text))
		}
		if is(m) {
			return m
		}
	}
}

// Open loads a file into a window that is width pixels wide, and returns when it is loaded.
func (b *Browser) Open(path string, width int, dark bool) {
	b.t.Helper()
	if b.page == "" {
		var target struct{ TargetID string }
		b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
		var session struct{ SessionID string }
		b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
		b.page = session.SessionID
		for _, domain := range []string{"Page", "Runtime", "Log"} {
			b.call(domain+".enable", nil, nil)
		}
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	var went struct{ ErrorText string }
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, &went)
	if went.ErrorText != "" {
		b.t.Fatalf("open %s: %s", path, went.ErrorText)
	}
	b.wait(func(m message) bool { return m.Method == "Page.loadEventFired" })
}

// Eval evaluates an expression in the page, and decodes its value into out. It works also where the page forbids scripts.
func (b *Browser) Eval(expression string, out any) {
	b.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, got.ExceptionDetails)
	}
	if err := json.Unmarshal(got.Result.Value, out); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
}

// Picture returns the whole page as a PNG file.
func (b *Browser) Picture() []byte {
	b.t.Helper()
	var got struct{ Data []byte }
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true, "clip": b.size()}, &got)
	return got.Data
}

// size returns the rectangle of the whole page, as the parameter clip of a screenshot.
func (b *Browser) size() map[string]any {
	var size struct{ W, H float64 }
	b.Eval("({W: document.documentElement.scrollWidth, H: document.documentElement.scrollHeight})", &size)
	return map[string]any{"x": 0, "y": 0, "width": size.W, "height": size.H, "scale": 1}
}

// Quiet fails the test if the browser has complained about the page.
func (b *Browser) Quiet() {
	b.t.Helper()
	if len(b.Complaints) > 0 {
		b.t.Error(fmt.Sprint("the browser's console:\n", strings.Join(b.Complaints, "\n")))
		b.Complaints = nil
	}
}
