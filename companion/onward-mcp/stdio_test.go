package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	initializeLine = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	readyLine      = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// TestBadLinesAreAnswered sends lines that are not messages. Each must be answered with an error, and the conversation continues.
func TestBadLinesAreAnswered(t *testing.T) {
	for _, c := range []struct{ name, line, id, code string }{
		{"not JSON", `{oops`, "null", "-32700"},
		{"bytes", "\x00\xff", "null", "-32700"},
		{"two values", `{} {}`, "null", "-32700"},
		{"null", `null`, "null", "-32600"},
		{"a text", `"ping"`, "null", "-32600"},
		{"an empty array", `[]`, "null", "-32600"},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", "-32600"},
		{"an empty object", `{}`, "null", "-32600"},
		{"version 1.0", `{"jsonrpc":"1.0","id":5,"method":"ping"}`, "5", "-32600"},
		{"no version", `{"id":5,"method":"ping"}`, "5", "-32600"},
		{"an id that is a list", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "null", "-32600"},
		{"an id that is a boolean", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", "-32600"},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", "-32600"},
		{"a method that is a number", `{"jsonrpc":"2.0","id":5,"method":7}`, "5", "-32600"},
		{"no method", `{"jsonrpc":"2.0","id":1.5}`, "1.5", "-32600"},
		{"a bad response", `{"jsonrpc":"2.0","id":5,"error":7}`, "5", "-32600"},
		{"a message over 16 MiB", `{"jsonrpc":"2.0","id":5,"method":"` + strings.Repeat("x", maxMessage) + `"}`, "null", "-32600"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := converse(t)
			w.send(initializeLine)
			w.send(readyLine)
			w.send(c.line)
			w.send(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
			var refused, pinged int
			for _, m := range w.end() {
				if m.Error != nil && string(m.ID) == c.id && fmt.Sprint(m.Error.Code) == c.code {
					refused++
				}
				if string(m.ID) == `"after"` && m.Error == nil {
					pinged++
				}
			}
			if refused != 1 || pinged != 1 {
				t.Errorf("%d errors %s for id %s, and %d answers to what followed", refused, c.code, c.id, pinged)
			}
		})
	}
}

// TestIdsComeBackAsTheyCame sends requests with every kind of id. The answers must have the same ids.
func TestIdsComeBackAsTheyCame(t *testing.T) {
	w := converse(t)
	w.send(initializeLine)
	w.send(readyLine)
	ids := []string{`0`, `-7`, `9007199254740991`, `9007199254740993`, `1.5`, `1.0`, `1e300`, `-0`, `""`, `"a"`, `"\u0000b"`, `"1.5"`}
	for _, id := range ids {
		w.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
	}
	w.send(`{"jsonrpc":"2.0","id":2.5,"method":"nope"}`)
	var got []string
	for _, m := range w.end() {
		if string(m.ID) != `"i"` {
			got = append(got, string(m.ID))
		}
	}
	// Requests are handled concurrently, so the answers may come in any order.
	want := slices.Sorted(slices.Values(append(ids, "2.5")))
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}

// TestCallsInFlightAreAnswered sends calls and an invalid line, and closes the input immediately, as a script does.
func TestCallsInFlightAreAnswered(t *testing.T) {
	t.Setenv("ONWARD_STORE", filepath.Join(t.TempDir(), "store"))
	t.Setenv("ONWARD_SESSION", "main")
	w := converse(t)
	w.send(initializeLine)
	w.send(readyLine)
	for i := range 5 {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d.5,"method":"tools/call","params":{"name":"todo_write","arguments":{"todos":[{"content":"item %d"}]}}}`, i, i))
	}
	w.send(`{oops`)
	answers := map[string]bool{}
	for _, m := range w.end() {
		answers[string(m.ID)] = m.Error == nil && !m.Result.IsError
	}
	for i := range 5 {
		if !answers[fmt.Sprintf("%d.5", i)] {
			t.Errorf("call %d was not answered, or failed", i)
		}
	}
	if out, err := exec.Command("onward", "todo", "show").CombinedOutput(); err != nil || !strings.Contains(string(out), "item ") {
		t.Errorf("the list is not saved: %v\n%s", err, out)
	}
}
