package ask

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onward/internal/agents/hook"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestStreamAndHooksAgree compares the states of the list in the stream and in the hooks of the same run of an agent's own program.
// They must be the same, in the same order.
func TestStreamAndHooksAgree(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../../testdata/streams/*/loop-*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		agent := filepath.Base(filepath.Dir(file))
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(agent+"-"+name, func(t *testing.T) {
			stream, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			hooks, err := os.ReadFile(filepath.FromSlash("../../testdata/hooks/" + agent + "/" + name + ".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			streamed, hooked := statesInStream(t, stream), statesInHooks(t, agent, hooks)
			switch agent {
			case "codex": // its stream has only two statuses, open and done
				for i := range hooked {
					hooked[i] = strings.ReplaceAll(hooked[i], string(todo.InProgress), string(todo.Pending))
				}
				hooked = slices.Compact(hooked)
			case "opencode": // the stream was recorded from `opencode run`, which ends after one turn, and the hooks from `opencode serve`
				hooked = hooked[:1]
			}
			if len(streamed) == 0 || !slices.Equal(streamed, hooked) {
				t.Errorf("the stream says\n%s\nand the hooks say\n%s", strings.Join(streamed, "\n"), strings.Join(hooked, "\n"))
			}
		})
	}
}

// statesInStream returns the states of the main list in a stream.
func statesInStream(t *testing.T, input []byte) []string {
	var states []string
	add := func(doc *session.Document) {
		if doc.Current() != nil {
			states = append(states, stateOf(doc))
		}
	}
	docs := saved(t, input, true, func(s *session.Store, _ int) {
		doc, err := s.Load(session.Name{Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		add(doc)
	})
	add(docs["s"])
	return slices.Compact(states)
}

// statesInHooks returns the states of the main list in the events of hooks.
func statesInHooks(t *testing.T, agent string, recording []byte) []string {
	var states []string
	play(t, agent, string(recording), func(_ hook.Call, _ session.Change, doc *session.Document) {
		if doc.Current() != nil {
			states = append(states, stateOf(doc))
		}
	})
	return slices.Compact(states)
}

func stateOf(doc *session.Document) string {
	var b strings.Builder
	for _, it := range doc.Current() {
		fmt.Fprintf(&b, "[%s %q]", it.Status, it.Content)
	}
	return b.String()
}
