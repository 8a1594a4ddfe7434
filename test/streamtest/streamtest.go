// Package streamtest reads streams of agents in tests, and writes the updates that come out as text.
package streamtest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// root is the project's folder.
func root() string {
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return dir
}

// Recordings are the names of all recorded streams in testdata/streams, which the agents' own programs printed.
var Recordings = func() (names []string) {
	files := os.DirFS(filepath.Join(root(), "testdata", "streams"))
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		panic(err)
	}
	return names
}()

// UpdatesOnly removes the line numbers and the final report from the text that Play returned.
func UpdatesOnly(played string) string {
	var b strings.Builder
	for line := range strings.Lines(played) {
		if _, rest, ok := strings.Cut(line, ": "); ok && line[0] >= '0' && line[0] <= '9' {
			b.WriteString(rest)
		}
	}
	return b.String()
}

// Recording returns the content of a recorded stream.
func Recording(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root(), "testdata", "streams", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Play reads an input to its end, and returns its updates as text, one on a line, and a report.
func Play(t testing.TB, input string, opts ...func(*stream.Options)) string {
	t.Helper()
	var options stream.Options
	for _, opt := range opts {
		opt(&options)
	}
	return PlayReader(t, agents.NewReader(strings.NewReader(input), options))
}

// PlayReader is Play for a reader.
func PlayReader(t testing.TB, r *stream.Reader) string {
	t.Helper()
	var b strings.Builder
	for {
		us, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprint(r.Summary().Lines)
		if r.Ended() {
			at = "0"
		}
		for _, u := range us {
			fmt.Fprintf(&b, "%s: %s\n", at, Text(u))
		}
	}
	for _, w := range r.TakeWarnings() {
		fmt.Fprintf(&b, "warning %s\n", w)
	}
	for _, line := range r.Summary().TextLines() {
		fmt.Fprintf(&b, "report %s\n", line)
	}
	return b.String()
}

// Text returns an update as one line of text.
func Text(u stream.Update) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s/%.8s", u.Event.Type, u.Kind, u.Session)
	if u.SubAgent != "" {
		fmt.Fprintf(&b, "+%s", u.SubAgent)
	}
	if u.Parent != "" {
		fmt.Fprintf(&b, " parent=%s", u.Parent)
	}
	fmt.Fprintf(&b, " turn=%d", u.Turn)
	if u.At != 0 {
		fmt.Fprintf(&b, " at=%s", u.At)
	}
	if u.TodoID != "" {
		fmt.Fprintf(&b, " todo=%s", u.TodoID)
	}
	if len(u.Inferred) > 0 {
		fmt.Fprintf(&b, " inferred=%s", strings.Join(u.Inferred, ","))
	}
	e := u.Event
	switch e.Type {
	case continuation.TurnEnd:
		fmt.Fprintf(&b, " %s tools=%d", e.Status, e.ToolCalls)
		if e.ErrorClass != "" {
			fmt.Fprintf(&b, " class=%s", e.ErrorClass)
			if at := cmp.Or(u.At, Day); !e.Reset.IsZero() {
				fmt.Fprintf(&b, " retry=%v", e.Reset.Instant(at.Time()))
			}
		}
	case continuation.Pause:
		fmt.Fprintf(&b, " %q", e.Reason)
	case continuation.Todos:
		fmt.Fprintf(&b, " source=%s {", e.Source)
		for i, item := range e.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			if item.ID != "" {
				fmt.Fprintf(&b, "#%s ", item.ID)
			}
			fmt.Fprintf(&b, "%s %q", item.Status, item.Content)
			if item.ActiveForm != "" {
				fmt.Fprintf(&b, " (%q)", item.ActiveForm)
			}
			if item.Priority != "" {
				fmt.Fprintf(&b, " !%s", item.Priority)
			}
			if item.NativeStatus != "" {
				fmt.Fprintf(&b, " native=%s", item.NativeStatus)
			}
			if len(item.BlockedBy) > 0 {
				fmt.Fprintf(&b, " after %s", strings.Join(item.BlockedBy, ","))
			}
		}
		b.WriteString("}")
	}
	return b.String()
}

// Day is the time that tests give to a line without one.
var Day = todo.TimeOf(time.Date(2026, 10, 9, 12, 30, 0, 0, time.UTC))

// Trap is a test case: its name, a short stream, and the updates and warnings that must come out, without the report.
type Trap [3]string

// Run plays the stream as a subtest.
func (c Trap) Run(t *testing.T) {
	t.Run(c[0], func(t *testing.T) {
		t.Parallel()
		input := strings.TrimLeft(c[1], "\n")
		var got strings.Builder
		for line := range strings.Lines(Play(t, input)) {
			if !strings.HasPrefix(line, "report ") {
				got.WriteString(line)
			}
		}
		if want := strings.TrimLeft(c[2], "\n"); got.String() != want {
			t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
		}
		Agree(t, []byte(input))
	})
}

// Drain reads an input to its end.
func Drain(t *testing.T, r *stream.Reader) []stream.Update {
	t.Helper()
	var out []stream.Update
	for {
		us, err := r.Next()
		out = append(out, us...)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
