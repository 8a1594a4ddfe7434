package stream_test

import (
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"onward/internal/agents"
	"onward/internal/agents/claude"
	"onward/internal/agents/codex"
	"onward/internal/agents/gemini"
	"onward/internal/agents/llxprt"
	"onward/internal/agents/stream"
	"onward/internal/native"
	"onward/internal/todo"
	"onward/test/streamtest"
)

// TestLineEndingsAndEncodings reads the same stream with all line endings and encodings.
func TestLineEndingsAndEncodings(t *testing.T) {
	want := streamtest.Drain(t, agents.NewReader(strings.NewReader(streamtest.CodexRun), stream.Options{}))
	if len(want) != 3 {
		t.Fatalf("%d updates, want 3", len(want))
	}
	crlf := strings.ReplaceAll(streamtest.CodexRun, "\n", "\r\n")
	for name, input := range map[string]string{
		"newline at the end":   streamtest.CodexRun + "\n",
		"CRLF":                 crlf,
		"byte order mark":      "\ufeff" + streamtest.CodexRun,
		"marks inside":         strings.ReplaceAll(streamtest.CodexRun, "\n", "\n\ufeff"),
		"blank lines":          "\n\n \t\r\n" + strings.ReplaceAll(streamtest.CodexRun, "\n", "\n\n") + "\n\n",
		"space around a line":  "  " + strings.ReplaceAll(streamtest.CodexRun, "\n", "\t \n  ") + " ",
		"everything":           "\ufeff" + crlf + "\r\n\r\n",
		"other lines before":   "Reading from stdin...\n\x00\xff\n[1,2]\n\"text\"\n7\nnull\n{}\n{\"type\":5}\n" + streamtest.CodexRun,
		"a mark and nothing":   streamtest.CodexRun + "\n\ufeff",
		"a line that was cut":  streamtest.CodexRun + "\n" + `{"type":"turn.star`,
		"a rune that was cut":  streamtest.CodexRun + "\n" + `{"type":"turn.started","x":"` + "\xe2\x9c",
		"invalid UTF-8":        streamtest.CodexRun + "\n{\"type\":\"turn.started\",\"x\":\"\xff\"}",
		"a member twice":       strings.ReplaceAll(streamtest.CodexRun, `{"type"`, `{"x":1,"x":2,"type"`),
		"two objects":          streamtest.CodexRun + "\n" + `{"type":"turn.started"}{"type":"turn.started"}`,
		"deeper than a reader": streamtest.CodexRun + "\n" + `{"type":"turn.started","x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			for how, in := range map[string]io.Reader{
				"in one read":   strings.NewReader(input),
				"byte by byte":  iotest.OneByteReader(strings.NewReader(input)),
				"with the end":  iotest.DataErrReader(strings.NewReader(input)),
				"half by half":  iotest.HalfReader(strings.NewReader(input)),
				"with timeouts": &stutter{strings.NewReader(input), 0},
			} {
				if got := streamtest.Drain(t, agents.NewReader(in, stream.Options{})); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %+v\nwant %+v", how, got, want)
				}
			}
			streamtest.Agree(t, []byte(input))
		})
	}
}

// stutter is a reader that sometimes returns no bytes and no error, which io.Reader allows.
type stutter struct {
	r io.Reader
	n int
}

func (s *stutter) Read(b []byte) (int, error) {
	if s.n++; s.n%3 == 0 {
		return 0, nil
	}
	return s.r.Read(b[:min(len(b), 7)])
}

func TestSkippedLinesAreCounted(t *testing.T) {
	long := `{"type":"item.completed","item":{"id":"x","type":"reasoning","text":"` + strings.Repeat("x", 100_000) + `"}}`
	input := "warning: x\n" + `{"type":"item.started","item":{"id":"i","type":"plan"}}` + "\n" + streamtest.CodexRun + "\n" +
		long + "\n" + `{"type":"item.plan.delta"}` + "\n" + `{"type":"turn.started"` + "\n" + `{"type":"item.completed","item":7}` + "\n" + long
	r := agents.NewReader(strings.NewReader(input), stream.Options{})
	r.SetLimit(90_000)
	if got := len(streamtest.Drain(t, r)); got != 3 {
		t.Errorf("%d updates, want 3", got)
	}
	sum := r.Summary()
	if want := (stream.Skipped{NotJSON: 2, TooLong: 2, UnknownType: 3}); sum.Skipped != want {
		t.Errorf("skipped %+v, want %+v", sum.Skipped, want)
	}
	if want := (stream.Skipped{NotJSON: 1, TooLong: 2, UnknownType: 2}); sum.Streams[0].Skipped != want {
		t.Errorf("skipped in the session %+v, want %+v", sum.Streams[0].Skipped, want)
	}
	if sum.Lines != 11 || sum.Streams[0].Lines != 9 || sum.Bytes != int64(len(input)) {
		t.Errorf("%d lines, %d in the session, %d bytes of %d", sum.Lines, sum.Streams[0].Lines, sum.Bytes, len(input))
	}
	if n := r.LineMemory(); n > 200_000 {
		t.Errorf("%d bytes are held for a line that is skipped", n)
	}
}

// TestLinesBeforeSessionAreNotCounted checks that the lines that an agent prints before the line that identifies it,
// or in the middle of a message, do not count as skipped.
func TestLinesBeforeSessionAreNotCounted(t *testing.T) {
	for name, input := range map[string]string{
		"hooks": `{"type":"system","subtype":"hook_started","hook_event":"SessionStart","session_id":"s"}` + "\n" + streamtest.ClaudeInit + streamtest.ClaudeFirst,
		"notes": `{"type":"bridge-session","sessionId":"s","bridgeSessionId":"b"}` + "\n" + `{"type":"repl-mode","sessionId":"s","mode":"x"}` + "\n" +
			streamtest.Prompted("u1", "null", "one") + `{"type":"file-history-delta","messageId":"u1","timestamp":"x"}` + "\n",
		"work": `{"type":"system","subtype":"task_started","task_id":"x","is_backgrounded":true,"session_id":"s"}` + "\n" +
			`{"type":"system","subtype":"background_tasks_changed","tasks":[],"session_id":"s"}` + "\n" + streamtest.ClaudeFirst + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone + streamtest.ClaudeDone,
		"partial": `{"type":"stream_event","event":{},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}` + "\n" + streamtest.ClaudeFirst,
	} {
		r := agents.NewReader(strings.NewReader(input), stream.Options{})
		streamtest.Drain(t, r)
		if sum := r.Summary(); sum.Skipped.Total() != 0 || len(sum.Streams) != 1 || sum.Streams[0].Lines != sum.Lines {
			t.Errorf("%s: %q", name, sum.TextLines())
		}
		streamtest.Agree(t, []byte(input))
	}
}

// TestLongLine checks that an event is found in a line that is longer than several buffers.
func TestLongLine(t *testing.T) {
	pad := `,"pad":"` + strings.Repeat("\\\"\\\\x", 100_000) + `"`
	input := strings.ReplaceAll(streamtest.CodexRun, `,"item":`, pad+`,"item":`)
	if got := len(streamtest.Drain(t, agents.NewReader(strings.NewReader(input), stream.Options{}))); got != 3 {
		t.Errorf("%d updates, want 3", got)
	}
	streamtest.Agree(t, []byte(input))
}

// TestUpdatesPrecedeNextRead checks that the updates of a line are returned before the next line is read.
func TestUpdatesPrecedeNextRead(t *testing.T) {
	in, out := io.Pipe()
	r := agents.NewReader(in, stream.Options{})
	lines := strings.Split(streamtest.CodexRun, "\n")
	feed := make(chan string, len(lines))
	go func() {
		for line := range feed {
			out.Write([]byte(line + "\n"))
		}
	}()
	defer close(feed)
	for i, want := range []int{0, 1, 1, 1} {
		feed <- lines[i]
		if want == 0 {
			continue
		}
		if us, err := r.Next(); err != nil || len(us) != want {
			t.Fatalf("line %d: %d updates, %v", i+1, len(us), err)
		}
	}
}

func TestUnrecognisedInput(t *testing.T) {
	for _, input := range []string{
		"", "\n\n", "make: *** Error 1\n", `{"level":"info","msg":"x"}` + "\n", `{"type":"error","message":"x"}`, `{"type":"result"}`,
		`{"type":"system","subtype":"init","session_id":"c","model":"x","permissionMode":"default"}`,
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":1,"capabilities":{}}}` + "\n" + `{"jsonrpc":"2.0","method":"initialized"}`,
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\n" + `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}`,
	} {
		r := agents.NewReader(strings.NewReader(input), stream.Options{})
		if got := streamtest.Drain(t, r); len(got) > 0 || r.Summary().Recognised() {
			t.Errorf("%q: recognised, %d updates", input, len(got))
		}
	}
}

func TestForcedFormat(t *testing.T) {
	input := streamtest.CodexRun + "\n" + `{"type":"init","timestamp":"","session_id":"g"}`
	for format, want := range map[stream.Format]int{codex.Stream: 3, gemini.Stream: 2, claude.Stream: 0, stream.Auto: 5, "": 5} {
		r := agents.NewReader(strings.NewReader(input), stream.Options{Format: format})
		if got := len(streamtest.Drain(t, r)); got != want {
			t.Errorf("%s: %d updates, want %d", format, got, want)
		}
	}
	// If the caller names the format, the first line need not identify the agent.
	r := agents.NewReader(strings.NewReader(`{"type":"result","is_error":false}`), stream.Options{Format: claude.Stream})
	if got := len(streamtest.Drain(t, r)); got != 2 {
		t.Errorf("%d updates, want 2", got)
	}
}

// TestFormatLeavesOutOthers reads every recording as every format, and two recordings in one input as the format of the first:
// the lines of the other agent must be ignored, although agents share types of lines.
func TestFormatLeavesOutOthers(t *testing.T) {
	alone := map[stream.Format]string{}
	for _, name := range streamtest.Recordings {
		input := streamtest.Recording(t, name)
		r := agents.NewReader(strings.NewReader(input), stream.Options{})
		streamtest.Drain(t, r)
		own, want := r.Summary().Streams[0].Format, streamtest.Play(t, input)
		for _, other := range agents.Formats()[1:] {
			format := stream.Format(other)
			got := streamtest.Play(t, input, func(o *stream.Options) { o.Format = format })
			switch {
			case format == llxprt.Stream && own == llxprt.Stream && got == strings.ReplaceAll(want, "google-gemini", "llxprt-code"):
				// Without a format, it is read as a stream of Gemini CLI until it calls a tool.
			case format == own:
				if got != want {
					t.Errorf("%s as %s:\n%s\nwant:\n%s", name, format, got, want)
				}
			case own == gemini.Stream && format == llxprt.Stream, own == llxprt.Stream && format == gemini.Stream: // both agents print the same stream
			case streamtest.UpdatesOnly(got) != "":
				t.Errorf("%s as %s:\n%s", name, format, got)
			}
		}
		if alone[own] == "" {
			alone[own] = input
		}
	}
	for own, input := range alone {
		want := streamtest.UpdatesOnly(streamtest.Play(t, input+"\n", func(o *stream.Options) { o.Format = own }))
		for other, more := range alone {
			if own == gemini.Stream && other == llxprt.Stream || own == llxprt.Stream && other == gemini.Stream {
				continue
			}
			got := streamtest.UpdatesOnly(streamtest.Play(t, input+"\n"+more, func(o *stream.Options) { o.Format = own }))
			if got != want && other != own {
				t.Errorf("%s, then %s:\n%s\nwant:\n%s", own, other, got, want)
			}
		}
	}
}

func TestFormats(t *testing.T) {
	for _, name := range agents.Formats() {
		if f, err := agents.ParseFormat(name); err != nil || string(f) != name {
			t.Errorf("%s: %q, %v", name, f, err)
		}
	}
	if f, err := agents.ParseFormat(""); f != stream.Auto || err != nil {
		t.Errorf("empty: %q, %v", f, err)
	}
	if _, err := agents.ParseFormat("vim"); err == nil {
		t.Error("no error for an unknown format")
	}
}

func TestInputError(t *testing.T) {
	boom := errors.New("boom")
	r := agents.NewReader(io.MultiReader(strings.NewReader(streamtest.CodexRun[:strings.LastIndex(streamtest.CodexRun, "\n")]), iotest.ErrReader(boom)), stream.Options{})
	var n int
	for {
		us, err := r.Next()
		n += len(us)
		if err != nil {
			if !errors.Is(err, boom) {
				t.Fatal(err)
			}
			break
		}
	}
	if n != 3 {
		t.Errorf("%d updates, want 3: a turn that is cut off ends it", n)
	}
	if _, err := r.Next(); !errors.Is(err, boom) {
		t.Errorf("after the error: %v", err)
	}
}

func TestInterruptAbortsTurn(t *testing.T) {
	r := agents.NewReader(strings.NewReader(strings.TrimSuffix(streamtest.CodexRun, "\n"+`{"type":"turn.completed"}`)), stream.Options{})
	r.Interrupt()
	got := streamtest.PlayReader(t, r)
	if !strings.Contains(got, "0: turn-end openai-codex/a turn=1 aborted tools=0\n") {
		t.Error(got)
	}
}

// TestResumedSessionKeepsTasks resumes a session whose tasks were saved before.
func TestResumedSessionKeepsTasks(t *testing.T) {
	input := streamtest.ClaudeInit + streamtest.Use("t1", "TaskUpdate", `{"taskId":"2","status":"completed"}`) + streamtest.Answer("t1", "Updated task #2 status", "null") +
		streamtest.Use("t2", "TaskCreate", `{"subject":"C"}`) + streamtest.Answer("t2", "Task #3 created successfully: C", "null")
	asked := 0
	got := streamtest.Play(t, input, func(o *stream.Options) {
		o.Saved = func(kind stream.Kind, session string) native.SavedList {
			asked++
			if kind != claude.Kind || session != "s" {
				t.Errorf("asked for %s %s", kind, session)
			}
			return native.SavedList{Items: []todo.Item{{ID: "1", Content: "A", Status: todo.Completed}, {ID: "2", Content: "B", Status: todo.Pending, BlockedBy: []string{"1"}}, {Content: "no id"}}}
		}
	})
	want := `5: todos claude-code/s turn=1 todo=t2 source=claude {#1 completed "A", #2 completed "B" after 1,  "no id", #3 pending "C"}`
	if !strings.Contains(got, want) || asked != 1 {
		t.Errorf("asked %d times\ngot:\n%s\nwant:\n%s", asked, got, want)
	}
}

func TestHints(t *testing.T) {
	off := strings.ReplaceAll(strings.ReplaceAll(streamtest.ClaudeInit, `,"TodoWrite"`, ""), `,"TaskCreate"`, "")
	for _, c := range []struct {
		name, input, hint string
	}{
		{"Claude's tools are listed without it", off + streamtest.ClaudeFirst + streamtest.ClaudeDone, "CLAUDE_CODE_ENABLE_TODO_TOOLS=1"},
		{"Claude's tools are listed with it", streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone, ""},
		{"Claude calls it all the same", off + streamtest.Use("t", "TodoWrite", "{}") + strings.Replace(streamtest.Answer("t", "<tool_use_error>Error: No such tool available: TodoWrite", "null"), `"}]`, `","is_error":true}]`, 1) + streamtest.ClaudeDone, "CLAUDE_CODE_ENABLE_TODO_TOOLS=1"},
		{"Codex says nothing", strings.Replace(streamtest.CodexRun, "item.updated", "x", 1), "tools.update_plan.enabled=true"},
		{"Codex has a list", streamtest.CodexRun, ""},
		{"Codex began no turn", `{"type":"thread.started","thread_id":"a"}`, ""},
		{"Codex's plan is written from code", `{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"exec","input":"await tools.update_plan({plan:[]})","call_id":"c"}}`, ""},
		{"Codex says it", `{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"update_plan","input":"{}","call_id":"c"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c","output":"unsupported custom tool call: update_plan"}}`, "tools.update_plan.enabled=true"},
		{"Gemini says it", `{"type":"init","timestamp":"","session_id":"g"}
{"type":"tool_use","tool_name":"write_todos","tool_id":"w","parameters":{}}
{"type":"tool_result","tool_id":"w","status":"error","error":{"type":"tool_not_registered"}}`, "gemini-2.5-pro"},
		{"Gemini is cut off after the call", `{"type":"init","timestamp":"","session_id":"g","model":"gemini-2.5-pro"}
{"type":"tool_use","tool_name":"write_todos","tool_id":"w","parameters":{"todos":[{"description":"A","status":"pending"}]}}`, ""},
		{"Codex fails immediately", `{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"401 Unauthorized"}}`, ""},
		{"Codex has a list that cannot be read", `{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"i","type":"todo_list"}}`, ""},
		{"Gemini refuses a list", `{"type":"init","timestamp":"","session_id":"g"}
{"type":"tool_use","tool_name":"write_todos","tool_id":"w","parameters":{}}
{"type":"tool_result","tool_id":"w","status":"error","error":{"type":"invalid_tool_params"}}`, ""},
	} {
		r := agents.NewReader(strings.NewReader(c.input), stream.Options{})
		streamtest.Drain(t, r)
		got := r.Summary().Streams[0].Hint
		if (got == "") != (c.hint == "") || !strings.Contains(got, c.hint) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestWarningsAreBounded(t *testing.T) {
	line := `{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":""},{"text":"a"}]}}` + "\n"
	r := agents.NewReader(strings.NewReader(strings.Repeat(line, 300)), stream.Options{})
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	first := len(r.TakeWarnings())
	streamtest.Drain(t, r)
	if rest := len(r.TakeWarnings()); first != 1 || first+rest != stream.MaxWarnings || r.Summary().Warned != 300 {
		t.Errorf("%d then %d warnings, %d in all", first, rest, r.Summary().Warned)
	}
	if !slices.Contains(r.Summary().TextLines(), "200 more warnings") {
		t.Errorf("%q", r.Summary().TextLines())
	}
}

func TestWaitingCallsAreBounded(t *testing.T) {
	var input strings.Builder
	input.WriteString(streamtest.ClaudeInit)
	for i := range stream.MaxWaiting + 10 {
		input.WriteString(streamtest.Use("t"+strconv.Itoa(i), "TodoWrite", `{"todos":[]}`))
	}
	r := agents.NewReader(strings.NewReader(input.String()), stream.Options{})
	streamtest.Drain(t, r)
	if lost := r.Summary().Streams[0]; lost.Lists.Unconfirmed != stream.MaxWaiting+10 || len(lost.Unconfirmed) != stream.MaxNamed {
		t.Errorf("%d unconfirmed, %d of them named", lost.Lists.Unconfirmed, len(lost.Unconfirmed))
	}
	streamtest.Agree(t, []byte(input.String()))
}

// TestJoinedLines joins lines with lengths around the size of the buffers.
func TestJoinedLines(t *testing.T) {
	for _, n := range []int{1, 1000, stream.UsualBuffer, stream.LargeBuffer / 2, stream.LargeBuffer - 1, stream.LargeBuffer, 3 * stream.LargeBuffer} {
		lines := max(2, min(1000, 3*stream.LargeBuffer/n))
		pad := strings.Repeat(`"x": "`+strings.Repeat("x", n)+"\",\n", lines)
		input := "{\n\"type\": \"thread.started\",\n\"thread_id\": \"a\",\n" + strings.TrimSuffix(pad, ",\n") + "\n}\n" + streamtest.CodexRun
		r := agents.NewReader(strings.NewReader(input), stream.Options{Lenient: true})
		if got := len(streamtest.Drain(t, r)); got != 3 {
			t.Errorf("%d lines of %d bytes: %d updates, want 3", lines, n, got)
		}
		if sum := r.Summary(); sum.Skipped.Total() != 0 || sum.Lines != lines+8 || sum.Streams[0].Lines != 5 {
			t.Errorf("%d lines of %d bytes: %q", lines, n, sum.TextLines())
		}
	}
}
