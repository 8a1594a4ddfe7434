package agent

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	continuation "onward/internal/continue"

	"onward/test/golden"
)

// streamRecordings are all that the agents' own programs wrote.
var streamRecordings = func() (names []string) {
	root := os.DirFS(filepath.Join("..", "..", "testdata", "streams"))
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
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

// TestRecordings reads what the agents' own programs wrote.
// A golden file has one line an update, with the number of the input line that caused it, and the report after them.
func TestRecordings(t *testing.T) {
	for _, name := range streamRecordings {
		t.Run(name, func(t *testing.T) {
			golden.Compare(t, filepath.Join("testdata", strings.NewReplacer("/", "-", ".", "-").Replace(name)+".golden"), play(t, recording(t, name)))
		})
	}
}

// TestRecordingsJoined reads all recordings as one input: every session is recognised by itself.
func TestRecordingsJoined(t *testing.T) {
	var joined, want strings.Builder
	for _, name := range []string{
		"codex/exec-ok.jsonl",
		"claude/stream-todowrite.jsonl",
		"gemini/stream-ok.jsonl",
		"codex/exec-turn-failed.jsonl",
		"gemini/stream-tracker.jsonl",
		"claude/stream-tasks.jsonl",
		"opencode/run-interrupted.jsonl",
		"opencode/run-refused.jsonl",
		"qwen/stream-max-turns.jsonl",
		"opencode/run-messy.jsonl",
		"acp/opencode.jsonl",
		"claude/stream-api-error.jsonl",
		"kimi/stream.jsonl",
		"qwen/stream-messy.jsonl",
		"acp/qwen.jsonl",
	} {
		joined.WriteString(recording(t, name))
		want.WriteString(updatesOnly(play(t, recording(t, name))))
	}
	got := updatesOnly(play(t, joined.String()))
	if got != want.String() {
		t.Errorf("joined streams differ\ngot:\n%s\nwant:\n%s", got, want.String())
	}
}

// updatesOnly drops line numbers and the report.
// TestRecordingsSideBySide reads agents that write into one file at the same time. No list is lost or mixed up.
// A turn that is open where the other agent begins counts as cut off there, and continues as another one.
func TestRecordingsSideBySide(t *testing.T) {
	names := []string{
		"claude/stream-tasks.jsonl", "claude/stream-todowrite.jsonl", "codex/exec-ok.jsonl", "gemini/stream-ok.jsonl",
		"codex/rollout-ok-and-resume.jsonl", "opencode/run.jsonl", "claude/transcript-tasks.jsonl", "kimi/stream.jsonl", "qwen/stream.jsonl", "acp/opencode.jsonl",
	}
	for i, name := range names {
		for _, other := range names[i+1:] {
			t.Run(name+" and "+other, func(t *testing.T) {
				a, b := recording(t, name), recording(t, other)
				wantA, wantB := listsOf(play(t, a)), listsOf(play(t, b))
				var both strings.Builder
				for x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n"); len(x)+len(y) > 0; {
					x, y = take(&both, x), take(&both, y)
				}
				got := listsOf(play(t, both.String()))
				for _, want := range []map[string][]string{wantA, wantB} {
					for agent := range want {
						if wantA[agent] != nil && wantB[agent] != nil {
							continue // two recordings of one session
						}
						// A list may be reported again.
						if !slices.Equal(slices.Compact(got[agent]), slices.Compact(want[agent])) {
							t.Errorf("%s:\n%s\nwant:\n%s", agent, strings.Join(got[agent], "\n"), strings.Join(want[agent], "\n"))
						}
					}
				}
			})
		}
	}
}

func take(b *strings.Builder, lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	b.WriteString(lines[0])
	return lines[1:]
}

// listsOf returns the lists of each agent in their order, without events of turns.
func listsOf(played string) map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(updatesOnly(played)) {
		if rest, ok := strings.CutPrefix(line, "todos "); ok {
			agent, rest, _ := strings.Cut(rest, " ")
			_, list, _ := strings.Cut(rest, "source=")
			lists[agent] = append(lists[agent], list)
		}
	}
	return lists
}

func updatesOnly(played string) string {
	var b strings.Builder
	for line := range strings.Lines(played) {
		if _, rest, ok := strings.Cut(line, ": "); ok && line[0] >= '0' && line[0] <= '9' {
			b.WriteString(rest)
		}
	}
	return b.String()
}

func recording(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "streams", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// play reads an input to its end and records its updates.
func play(t testing.TB, input string, opts ...func(*Reader)) string {
	t.Helper()
	r := NewReader(strings.NewReader(input), Options{})
	for _, opt := range opts {
		opt(r)
	}
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
		if r.ended {
			at = "0"
		}
		for _, u := range us {
			fmt.Fprintf(&b, "%s: %s\n", at, u.text())
		}
	}
	for _, w := range r.Warnings() {
		fmt.Fprintf(&b, "warning %s\n", w)
	}
	for _, line := range r.Summary().Report() {
		fmt.Fprintf(&b, "report %s\n", line)
	}
	return b.String()
}

// text writes an update on one line.
func (u Update) text() string {
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
			if at := cmp.Or(u.At, testReport); !e.Reset.IsZero() {
				fmt.Fprintf(&b, " retry=%v", e.Reset.After(at.Time()))
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
