package agent

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"onward/internal/native"
	"onward/internal/todo"
)

const codexRun = `{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"ü ✅","completed":false}]}}
{"type":"turn.completed"}`

// drain reads an input to its end.
func drain(t *testing.T, r *Reader) []Update {
	t.Helper()
	var out []Update
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

// TestLineEndingsAndEncodings writes the same stream in every way that lines come in.
func TestLineEndingsAndEncodings(t *testing.T) {
	want := drain(t, NewReader(strings.NewReader(codexRun), Options{}))
	if len(want) != 3 {
		t.Fatalf("%d updates, want 3", len(want))
	}
	crlf := strings.ReplaceAll(codexRun, "\n", "\r\n")
	for name, input := range map[string]string{
		"newline at the end":   codexRun + "\n",
		"CRLF":                 crlf,
		"byte order mark":      "\ufeff" + codexRun,
		"marks inside":         strings.ReplaceAll(codexRun, "\n", "\n\ufeff"),
		"blank lines":          "\n\n \t\r\n" + strings.ReplaceAll(codexRun, "\n", "\n\n") + "\n\n",
		"space around a line":  "  " + strings.ReplaceAll(codexRun, "\n", "\t \n  ") + " ",
		"everything":           "\ufeff" + crlf + "\r\n\r\n",
		"other lines before":   "Reading from stdin...\n\x00\xff\n[1,2]\n\"text\"\n7\nnull\n{}\n{\"type\":5}\n" + codexRun,
		"a mark and nothing":   codexRun + "\n\ufeff",
		"a line that was cut":  codexRun + "\n" + `{"type":"turn.star`,
		"a rune that was cut":  codexRun + "\n" + `{"type":"turn.started","x":"` + "\xe2\x9c",
		"invalid UTF-8":        codexRun + "\n{\"type\":\"turn.started\",\"x\":\"\xff\"}",
		"a member twice":       strings.ReplaceAll(codexRun, `{"type"`, `{"x":1,"x":2,"type"`),
		"two objects":          codexRun + "\n" + `{"type":"turn.started"}{"type":"turn.started"}`,
		"deeper than a reader": codexRun + "\n" + `{"type":"turn.started","x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			for how, in := range map[string]io.Reader{
				"at once":       strings.NewReader(input),
				"byte by byte":  iotest.OneByteReader(strings.NewReader(input)),
				"with the end":  iotest.DataErrReader(strings.NewReader(input)),
				"half by half":  iotest.HalfReader(strings.NewReader(input)),
				"with timeouts": &stutter{strings.NewReader(input), 0},
			} {
				if got := drain(t, NewReader(in, Options{})); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %+v\nwant %+v", how, got, want)
				}
			}
			agree(t, []byte(input))
		})
	}
}

// stutter sometimes returns nothing, which a reader may.
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
	input := "warning: x\n" + `{"type":"item.started","item":{"id":"i","type":"plan"}}` + "\n" + codexRun + "\n" +
		long + "\n" + `{"type":"item.plan.delta"}` + "\n" + `{"type":"turn.started"` + "\n" + `{"type":"item.completed","item":7}` + "\n" + long
	r := NewReader(strings.NewReader(input), Options{})
	r.lines.limit = 90_000
	if got := len(drain(t, r)); got != 3 {
		t.Errorf("%d updates, want 3", got)
	}
	sum := r.Summary()
	if want := (Skipped{NotJSON: 2, TooLong: 2, UnknownType: 3}); sum.Skipped != want {
		t.Errorf("skipped %+v, want %+v", sum.Skipped, want)
	}
	if want := (Skipped{NotJSON: 1, TooLong: 2, UnknownType: 2}); sum.Streams[0].Skipped != want {
		t.Errorf("skipped in the session %+v, want %+v", sum.Streams[0].Skipped, want)
	}
	if sum.Lines != 11 || sum.Streams[0].Lines != 9 || sum.Bytes != int64(len(input)) {
		t.Errorf("%d lines, %d in the session, %d bytes of %d", sum.Lines, sum.Streams[0].Lines, sum.Bytes, len(input))
	}
	if n := r.lines.buf.Size() + cap(r.lines.line); n > 200_000 {
		t.Errorf("%d bytes are held for a line that is skipped", n)
	}
}

// TestLongLine has a line of several buffers that matters.
// TestLinesBeforeSessionAreNotCounted skips every line that an agent prints before it names itself,
// or in the middle of a message.
func TestLinesBeforeSessionAreNotCounted(t *testing.T) {
	for name, input := range map[string]string{
		"hooks": `{"type":"system","subtype":"hook_started","hook_event":"SessionStart","session_id":"s"}` + "\n" + claudeInit + claudeFirst,
		"notes": `{"type":"bridge-session","sessionId":"s","bridgeSessionId":"b"}` + "\n" + `{"type":"repl-mode","sessionId":"s","mode":"x"}` + "\n" +
			prompted("u1", "null", "one") + `{"type":"file-history-delta","messageId":"u1","timestamp":"x"}` + "\n",
		"work": `{"type":"system","subtype":"task_started","task_id":"x","is_backgrounded":true,"session_id":"s"}` + "\n" +
			`{"type":"system","subtype":"background_tasks_changed","tasks":[],"session_id":"s"}` + "\n" + claudeFirst + claudeInit + claudeFirst + claudeDone + claudeDone,
		"partial": `{"type":"stream_event","event":{},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}` + "\n" + claudeFirst,
	} {
		r := NewReader(strings.NewReader(input), Options{})
		drain(t, r)
		if sum := r.Summary(); sum.Skipped.Total() != 0 || len(sum.Streams) != 1 || sum.Streams[0].Lines != sum.Lines {
			t.Errorf("%s: %q", name, sum.Report())
		}
		agree(t, []byte(input))
	}
}

func TestLongLine(t *testing.T) {
	pad := `,"pad":"` + strings.Repeat("\\\"\\\\x", 100_000) + `"`
	input := strings.ReplaceAll(codexRun, `,"item":`, pad+`,"item":`)
	if got := len(drain(t, NewReader(strings.NewReader(input), Options{}))); got != 3 {
		t.Errorf("%d updates, want 3", got)
	}
	agree(t, []byte(input))
}

// TestUpdatesPrecedeNextRead passes the reader one line at a time: a line's updates come before the next line is read.
func TestUpdatesPrecedeNextRead(t *testing.T) {
	in, out := io.Pipe()
	r := NewReader(in, Options{})
	lines := strings.Split(codexRun, "\n")
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
		r := NewReader(strings.NewReader(input), Options{})
		if got := drain(t, r); len(got) > 0 || r.Summary().Recognised() {
			t.Errorf("%q: recognised, %d updates", input, len(got))
		}
	}
}

func TestForcedFormat(t *testing.T) {
	input := codexRun + "\n" + `{"type":"init","timestamp":"","session_id":"g"}`
	for format, want := range map[Format]int{Codex: 3, Gemini: 2, Claude: 0, Auto: 5, "": 5} {
		r := NewReader(strings.NewReader(input), Options{Format: format})
		if got := len(drain(t, r)); got != want {
			t.Errorf("%s: %d updates, want %d", format, got, want)
		}
	}
	// A format that is given needs no line by which the agent is known.
	r := NewReader(strings.NewReader(`{"type":"result","is_error":false}`), Options{Format: Claude})
	if got := len(drain(t, r)); got != 2 {
		t.Errorf("%d updates, want 2", got)
	}
}

// TestFormatLeavesOutOthers reads every recording as every format, and two together as the first one's:
// what another agent wrote is left out, though agents have types of lines in common.
func TestFormatLeavesOutOthers(t *testing.T) {
	alone := map[Format]string{}
	for _, name := range streamRecordings {
		input := recording(t, name)
		r := NewReader(strings.NewReader(input), Options{})
		drain(t, r)
		own, want := r.Summary().Streams[0].Format, play(t, input)
		for _, other := range Formats()[1:] {
			format := Format(other)
			got := play(t, input, func(r *Reader) { r.opt.Format = format })
			switch {
			case format == LLxprt && own == LLxprt && got == strings.ReplaceAll(want, "google-gemini", "llxprt-code"):
				// Without a format, it is read as Gemini CLI's until it calls a tool.
			case format == own:
				if got != want {
					t.Errorf("%s as %s:\n%s\nwant:\n%s", name, format, got, want)
				}
			case own == Gemini && format == LLxprt, own == LLxprt && format == Gemini: // the same stream
			case updatesOnly(got) != "":
				t.Errorf("%s as %s:\n%s", name, format, got)
			}
		}
		if alone[own] == "" {
			alone[own] = input
		}
	}
	for own, input := range alone {
		want := updatesOnly(play(t, input+"\n", func(r *Reader) { r.opt.Format = own }))
		for other, more := range alone {
			if own == Gemini && other == LLxprt || own == LLxprt && other == Gemini {
				continue
			}
			got := updatesOnly(play(t, input+"\n"+more, func(r *Reader) { r.opt.Format = own }))
			if got != want && other != own {
				t.Errorf("%s, then %s:\n%s\nwant:\n%s", own, other, got, want)
			}
		}
	}
}

func TestFormats(t *testing.T) {
	for _, name := range Formats() {
		if f, err := ParseFormat(name); err != nil || string(f) != name {
			t.Errorf("%s: %q, %v", name, f, err)
		}
	}
	if f, err := ParseFormat(""); f != Auto || err != nil {
		t.Errorf("empty: %q, %v", f, err)
	}
	if _, err := ParseFormat("vim"); err == nil {
		t.Error("no error for an unknown format")
	}
}

func TestInputError(t *testing.T) {
	boom := errors.New("boom")
	r := NewReader(io.MultiReader(strings.NewReader(codexRun[:strings.LastIndex(codexRun, "\n")]), iotest.ErrReader(boom)), Options{})
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
	got := play(t, strings.TrimSuffix(codexRun, "\n"+`{"type":"turn.completed"}`), (*Reader).Interrupt)
	if !strings.Contains(got, "0: turn-end openai-codex/a turn=1 aborted tools=0\n") {
		t.Error(got)
	}
}

// TestResumedSessionKeepsTasks resumes a session whose tasks are known from before.
func TestResumedSessionKeepsTasks(t *testing.T) {
	input := claudeInit + use("t1", "TaskUpdate", `{"taskId":"2","status":"completed"}`) + answer("t1", "Updated task #2 status", "null") +
		use("t2", "TaskCreate", `{"subject":"C"}`) + answer("t2", "Task #3 created successfully: C", "null")
	asked := 0
	got := play(t, input, func(r *Reader) {
		r.opt.Saved = func(kind Kind, session string) native.Saved {
			asked++
			if kind != ClaudeCode || session != "s" {
				t.Errorf("asked for %s %s", kind, session)
			}
			return native.Saved{Items: []todo.Item{{ID: "1", Content: "A", Status: todo.Completed}, {ID: "2", Content: "B", Status: todo.Pending, BlockedBy: []string{"1"}}, {Content: "no id"}}}
		}
	})
	want := `5: todos claude-code/s turn=1 todo=t2 source=claude {#1 completed "A", #2 completed "B" after 1,  "no id", #3 pending "C"}`
	if !strings.Contains(got, want) || asked != 1 {
		t.Errorf("asked %d times\ngot:\n%s\nwant:\n%s", asked, got, want)
	}
}

func TestHints(t *testing.T) {
	off := strings.ReplaceAll(strings.ReplaceAll(claudeInit, `,"TodoWrite"`, ""), `,"TaskCreate"`, "")
	for _, c := range []struct {
		name, input, hint string
	}{
		{"Claude's tools are listed without it", off + claudeFirst + claudeDone, "CLAUDE_CODE_ENABLE_TODO_TOOLS=1"},
		{"Claude's tools are listed with it", claudeInit + claudeFirst + claudeDone, ""},
		{"Claude calls it all the same", off + use("t", "TodoWrite", "{}") + strings.Replace(answer("t", "<tool_use_error>Error: No such tool available: TodoWrite", "null"), `"}]`, `","is_error":true}]`, 1) + claudeDone, "CLAUDE_CODE_ENABLE_TODO_TOOLS=1"},
		{"Codex says nothing", strings.Replace(codexRun, "item.updated", "x", 1), "tools.update_plan.enabled=true"},
		{"Codex has a list", codexRun, ""},
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
		{"Codex fails at once", `{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"401 Unauthorized"}}`, ""},
		{"Codex has a list that cannot be read", `{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"i","type":"todo_list"}}`, ""},
		{"Gemini refuses a list", `{"type":"init","timestamp":"","session_id":"g"}
{"type":"tool_use","tool_name":"write_todos","tool_id":"w","parameters":{}}
{"type":"tool_result","tool_id":"w","status":"error","error":{"type":"invalid_tool_params"}}`, ""},
	} {
		r := NewReader(strings.NewReader(c.input), Options{})
		drain(t, r)
		got := r.Summary().Streams[0].Hint
		if (got == "") != (c.hint == "") || !strings.Contains(got, c.hint) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestWarningsAreBounded(t *testing.T) {
	line := `{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":""},{"text":"a"}]}}` + "\n"
	r := NewReader(strings.NewReader(strings.Repeat(line, 300)), Options{})
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	first := len(r.Warnings())
	drain(t, r)
	if rest := len(r.Warnings()); first != 1 || first+rest != maxWarnings || r.Summary().Warned != 300 {
		t.Errorf("%d then %d warnings, %d in all", first, rest, r.Summary().Warned)
	}
	if !slices.Contains(r.Summary().Report(), "200 more warnings") {
		t.Errorf("%q", r.Summary().Report())
	}
}

func TestWaitingCallsAreBounded(t *testing.T) {
	var input strings.Builder
	input.WriteString(claudeInit)
	for i := range maxWaiting + 10 {
		input.WriteString(use("t"+strconv.Itoa(i), "TodoWrite", `{"todos":[]}`))
	}
	r := NewReader(strings.NewReader(input.String()), Options{})
	drain(t, r)
	if lost := r.Summary().Streams[0]; lost.Lists.Unconfirmed != maxWaiting+10 || len(lost.Unconfirmed) != maxNamed {
		t.Errorf("%d unconfirmed, %d of them named", lost.Lists.Unconfirmed, len(lost.Unconfirmed))
	}
	agree(t, []byte(input.String()))
}

// TestPackageImportsNoSystem keeps files and clocks out of the package.
func TestPackageImportsNoSystem(t *testing.T) {
	for name, b := range sources(t) {
		for _, banned := range []string{`"os"`, `"regexp"`, `"math/rand`, `"crypto/`, "time.Now", "bufio.NewScanner"} {
			if bytes.Contains(b, []byte(banned)) {
				t.Errorf("%s has %s", name, banned)
			}
		}
	}
}

// TestLineLengths reads lines of all lengths around the sizes of the buffers, in blocks of any size.
func TestLineLengths(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var input []byte
		for range rapid.IntRange(0, 12).Draw(rt, "lines") {
			n := rapid.SampledFrom([]int{0, 1, 100, usualBuffer, 3 * usualBuffer}).Draw(rt, "length")
			n += rapid.IntRange(-min(n, 2), 2).Draw(rt, "more")
			input = append(append(input, bytes.Repeat([]byte{byte('a' + len(input)%26)}, n)...), '\n')
		}
		input = input[:len(input)-min(len(input), rapid.IntRange(0, 1).Draw(rt, "no end"))]
		most := rapid.SampledFrom([]int{7_919, 1 << 18, 1 << 30}).Draw(rt, "most at once")
		limit := rapid.SampledFrom([]int{1000, 2 * usualBuffer, MaxLine}).Draw(rt, "limit")
		var got []string
		l := lineReader{in: source{Reader: &pieces{input, most}}, limit: limit}
		for {
			line, tooLong, err := l.next()
			if err != nil {
				break
			}
			got = append(got, fmt.Sprint(tooLong, len(line), hash(line)))
		}
		var want []string
		for line := range bytes.Lines(input) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if long := len(line) > limit; long {
				want = append(want, fmt.Sprint(long, 0, hash(nil)))
			} else {
				want = append(want, fmt.Sprint(long, len(line), hash(line)))
			}
		}
		// A limit counts the line's end in some places, so lines at the limit itself are not looked at here.
		if limit == MaxLine && !slices.Equal(got, want) {
			rt.Errorf("got %s\nwant %s", got, want)
		}
	})
}

// TestLongLineIsLinear counts what reading a long line allocates, which is also what it copies: each byte a few times.
func TestLongLineIsLinear(t *testing.T) {
	const size = 96 << 20
	l := lineReader{in: source{Reader: io.LimitReader(endlessly("x"), size)}, limit: MaxLine}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	line, tooLong, err := l.next()
	runtime.ReadMemStats(&after)
	if len(line) != size || tooLong || err != nil {
		t.Fatal(len(line), tooLong, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 3*size {
		t.Errorf("%d MiB were allocated for a line of %d MiB", used>>20, size>>20)
	}
}

// TestLongLines reads lines of lengths around that of a part, one after the other, up to the limit and over it.
func TestLongLines(t *testing.T) {
	const limit = 2*largeBuffer + 10
	lengths := []int{1, largeBuffer / 2, largeBuffer - 1, largeBuffer, 3, largeBuffer + 1, 2 * largeBuffer, 5, 2*largeBuffer + 9, 4 * largeBuffer, 7}
	var input bytes.Buffer
	for i, n := range lengths {
		input.Write(append(bytes.Repeat([]byte{byte('a' + i)}, n), '\n'))
	}
	for _, most := range []int{100_003, 1 << 30} {
		l := lineReader{in: source{Reader: &pieces{input.Bytes(), most}}, limit: limit}
		for i, n := range lengths {
			line, tooLong, err := l.next()
			switch {
			case err != nil || tooLong != (n > limit):
				t.Errorf("line %d of %d bytes: too long %v, %v", i, n, tooLong, err)
			case !tooLong && !bytes.Equal(line, bytes.Repeat([]byte{byte('a' + i)}, n)):
				t.Errorf("line %d of %d bytes is another: %d bytes, %.20q", i, n, len(line), line)
			}
		}
		if _, _, err := l.next(); !errors.Is(err, io.EOF) {
			t.Errorf("then %v", err)
		}
	}
}

// endlessly is an input of one letter.
type endlessly string

func (e endlessly) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e[0]
	}
	return len(b), nil
}

// TestJoinedLines joins lines of all lengths, around the sizes of the parts.
func TestJoinedLines(t *testing.T) {
	for _, n := range []int{1, 1000, usualBuffer, largeBuffer / 2, largeBuffer - 1, largeBuffer, 3 * largeBuffer} {
		lines := max(2, min(1000, 3*largeBuffer/n))
		pad := strings.Repeat(`"x": "`+strings.Repeat("x", n)+"\",\n", lines)
		input := "{\n\"type\": \"thread.started\",\n\"thread_id\": \"a\",\n" + strings.TrimSuffix(pad, ",\n") + "\n}\n" + codexRun
		r := NewReader(strings.NewReader(input), Options{Lenient: true})
		if got := len(drain(t, r)); got != 3 {
			t.Errorf("%d lines of %d bytes: %d updates, want 3", lines, n, got)
		}
		if sum := r.Summary(); sum.Skipped.Total() != 0 || sum.Lines != lines+8 || sum.Streams[0].Lines != 5 {
			t.Errorf("%d lines of %d bytes: %q", lines, n, sum.Report())
		}
	}
}

// pieces returns at most so much at once.
type pieces struct {
	rest []byte
	most int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.most)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func hash(b []byte) uint32 { return crc32.ChecksumIEEE(b) }
