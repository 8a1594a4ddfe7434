package stream_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"onward/internal/agents"
	"onward/internal/agents/acp"
	"onward/internal/agents/claude"
	"onward/internal/agents/codex"
	"onward/internal/agents/copilot"
	"onward/internal/agents/gemini"
	"onward/internal/agents/kimi"
	"onward/internal/agents/qwen"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/test/streamtest"
)

// lineByLine is an input that returns one line at a time, and calls before ahead of each line.
type lineByLine struct {
	rest   string
	before func()
}

func (l *lineByLine) Read(b []byte) (int, error) {
	l.before()
	if l.rest == "" {
		return 0, io.EOF
	}
	end := len(l.rest)
	if at := strings.IndexByte(l.rest, '\n'); at >= 0 {
		end = at + 1
	}
	n := copy(b, l.rest[:end])
	l.rest = l.rest[n:]
	return n, nil
}

// TestCallsInRecordings checks the recordings of all agents that report the start of a call: some call must be seen running,
// and each call must have its result when its turn is done.
func TestCallsInRecordings(t *testing.T) {
	ran := map[stream.Format]bool{}
	for _, name := range streamtest.Recordings {
		var r *stream.Reader
		r = agents.NewReader(&lineByLine{rest: streamtest.Recording(t, name), before: func() {
			for s := range r.Sessions() {
				ran[s.Adapter().Format] = ran[s.Adapter().Format] || s.NewestTurn() != nil && len(s.Running()) > 0
			}
		}}, stream.Options{})
		for {
			updates, err := r.Next()
			if err != nil {
				break
			}
			for _, u := range updates {
				for s := range r.Sessions() {
					if u.Event.Type == continuation.TurnEnd && u.Event.Status == continuation.Done && s.NewestTurn() == nil && len(s.Running()) > 0 {
						t.Errorf("%s: %v run after turn %d", name, s.Running(), u.Turn)
					}
				}
			}
		}
	}
	for _, f := range []stream.Format{claude.Stream, codex.Stream, gemini.Stream, qwen.Stream, kimi.Stream, copilot.Stream, acp.Stream} {
		if !ran[f] {
			t.Errorf("%s: no call was seen to run", f)
		}
	}
}

// TestCallsSideBySide checks that calls count as running until the last of them has its result.
func TestCallsSideBySide(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		runs  []bool // whether a call is running after each line
	}{
		{"claude", []string{
			`{"type":"system","subtype":"init","session_id":"s","tools":["Bash"],"claude_code_version":"2.1.0"}`,
			`{"type":"assistant","session_id":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"a","name":"Bash","input":{}},{"type":"tool_use","id":"b","name":"Bash","input":{}}]}}`,
			`{"type":"user","session_id":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}}`,
			`{"type":"user","session_id":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"x"}]}}`,
		}, []bool{false, true, true, false}},
		{"codex", []string{
			`{"type":"thread.started","thread_id":"t"}`,
			`{"type":"turn.started"}`,
			`{"type":"item.started","item":{"id":"a","type":"command_execution","command":"x"}}`,
			`{"type":"item.started","item":{"id":"b","type":"command_execution","command":"x"}}`,
			`{"type":"item.completed","item":{"id":"b","type":"command_execution","command":"x"}}`,
			`{"type":"item.completed","item":{"id":"a","type":"command_execution","command":"x"}}`,
		}, []bool{false, false, true, true, true, false}},
	} {
		for i, want := range c.runs {
			text := strings.Join(c.lines[:i+1], "\n") + "\n"
			r := agents.NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(stream.ErrInputContinues)), stream.Options{})
			for err := error(nil); !errors.Is(err, stream.ErrInputContinues); {
				_, err = r.Next()
			}
			if _, call := r.Working(); call != want {
				t.Errorf("%s, after line %d: a call runs: %v", c.name, i+1, call)
			}
		}
	}
}
