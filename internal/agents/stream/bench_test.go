package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/test/streamtest"
)

// BenchmarkReader reads transcripts with an ordinary mixture: mostly tool outputs, a few calls, and sometimes a list.
func BenchmarkReader(b *testing.B) {
	source := strings.Repeat(`\tif err := run(ctx, \"name\"); err != nil {\n\t\treturn fmt.Errorf(\"run: %w\", err)\n\t}\n`, 60)
	prose := strings.Repeat(`The quick brown fox jumps over the lazy dog. `, 120)
	var claude, codex, gemini bytes.Buffer
	claude.WriteString(streamtest.ClaudeInit + streamtest.ClaudeFirst)
	codex.WriteString(`{"type":"thread.started","thread_id":"a"}` + "\n" + `{"type":"turn.started"}` + "\n")
	gemini.WriteString(`{"type":"init","timestamp":"","session_id":"g"}` + "\n")
	for i := range 2000 {
		text := source
		if i%2 == 0 {
			text = prose
		}
		claude.WriteString(streamtest.Answer(fmt.Sprint(i), text, `{"stdout":"`+text+`","stderr":"","interrupted":false}`))
		fmt.Fprintf(&codex, `{"type":"item.completed","item":{"id":"item_%d","type":"reasoning","text":"%s"}}`+"\n", i, text)
		fmt.Fprintf(&gemini, `{"type":"tool_result","timestamp":"","tool_id":"t%d","status":"success","output":"%s"}`+"\n", i, text)
	}
	tail := claude.String() + strings.Repeat(streamtest.Use("t", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`)+streamtest.Answer("t", "ok", "null"), 50)
	for _, c := range []struct{ name, input string }{
		{"claude-nothing", claude.String()},
		{"claude-lists", tail},
		{"codex-nothing", codex.String()},
		{"gemini-nothing", gemini.String()},
		{"claude-recording", strings.Repeat(streamtest.Recording(b, "claude/stream-todowrite.jsonl"), 20)},
		{"codex-recording", strings.Repeat(streamtest.Recording(b, "codex/exec-ok.jsonl"), 20)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.input)))
			b.ReportAllocs()
			for b.Loop() {
				r := agents.NewReader(strings.NewReader(c.input), stream.Options{})
				for {
					if _, err := r.Next(); errors.Is(err, io.EOF) {
						break
					}
				}
			}
		})
	}
}
