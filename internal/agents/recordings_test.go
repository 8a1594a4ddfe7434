package agents_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onward/test/golden"
	"onward/test/streamtest"
)

// TestRecordings reads the output of the agents' own programs.
// A golden file has a line for each update, with the number of the input line that caused it, and then the report.
func TestRecordings(t *testing.T) {
	for _, name := range streamtest.Recordings {
		t.Run(name, func(t *testing.T) {
			golden.Compare(t, filepath.Join("testdata", strings.NewReplacer("/", "-", ".", "-").Replace(name)+".golden"), streamtest.Play(t, streamtest.Recording(t, name)))
		})
	}
}

// TestRecordingsJoined reads all recordings as one input. Every session must be recognised as its own.
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
		joined.WriteString(streamtest.Recording(t, name))
		want.WriteString(streamtest.UpdatesOnly(streamtest.Play(t, streamtest.Recording(t, name))))
	}
	got := streamtest.UpdatesOnly(streamtest.Play(t, joined.String()))
	if got != want.String() {
		t.Errorf("joined streams differ\ngot:\n%s\nwant:\n%s", got, want.String())
	}
}

// TestRecordingsSideBySide reads two agents that write into one file at the same time. No list may be lost or mixed up.
// If a turn is open when a line of the other agent follows, it counts as cut off, and its next line starts another turn.
func TestRecordingsSideBySide(t *testing.T) {
	names := []string{
		"claude/stream-tasks.jsonl", "claude/stream-todowrite.jsonl", "codex/exec-ok.jsonl", "gemini/stream-ok.jsonl",
		"codex/rollout-ok-and-resume.jsonl", "opencode/run.jsonl", "claude/transcript-tasks.jsonl", "kimi/stream.jsonl", "qwen/stream.jsonl", "acp/opencode.jsonl",
	}
	for i, name := range names {
		for _, other := range names[i+1:] {
			t.Run(name+" and "+other, func(t *testing.T) {
				a, b := streamtest.Recording(t, name), streamtest.Recording(t, other)
				wantA, wantB := listsOf(streamtest.Play(t, a)), listsOf(streamtest.Play(t, b))
				var both strings.Builder
				for x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n"); len(x)+len(y) > 0; {
					x, y = take(&both, x), take(&both, y)
				}
				got := listsOf(streamtest.Play(t, both.String()))
				for _, want := range []map[string][]string{wantA, wantB} {
					for agent := range want {
						if wantA[agent] != nil && wantB[agent] != nil {
							continue // both recordings are of the same session
						}
						// A list may be reported twice.
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

// listsOf returns the lists of each agent in their order, without the events of turns.
func listsOf(played string) map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(streamtest.UpdatesOnly(played)) {
		if rest, ok := strings.CutPrefix(line, "todos "); ok {
			agent, rest, _ := strings.Cut(rest, " ")
			_, list, _ := strings.Cut(rest, "source=")
			lists[agent] = append(lists[agent], list)
		}
	}
	return lists
}
