package stream_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/test/streamtest"
)

// sampled is an input that measures the heap each time it is read.
type sampled struct {
	io.Reader
	most uint64
}

func (s *sampled) Read(b []byte) (int, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.most = max(s.most, m.HeapAlloc)
	return s.Reader.Read(b)
}

// long makes the tests of memory and time read longer lines. Then the constant 16 MiB that are allowed hide less.
var long = flag.Bool("long", false, "read longer lines when memory or time is measured")

// TestMemoryIsBounded reads long lines of all kinds. The heap may grow by twice the length of the line and 16 MiB.
func TestMemoryIsBounded(t *testing.T) {
	size := 3 << 20
	if *long {
		size = 24 << 20
	}
	plain, escaped := strings.Repeat("x", size), strings.Repeat(`\n\u00e9\"`, size/10)
	// Each line is made when it is needed, so that a large heap does not put off the collection of garbage.
	for name, text := range map[string]func() string{
		"passed over": func() string { return streamtest.ClaudeInit + streamtest.Answer("b", plain, "null") },
		"read": func() string {
			return streamtest.ClaudeInit + `{"type":"assistant","message":{"content":[{"type":"text","text":"` + plain + `"}]},"session_id":"s","error":"x"}`
		},
		"with escapes": func() string {
			return streamtest.ClaudeInit + `{"type":"assistant","message":{"content":[{"type":"text","text":"` + escaped + `"}]},"session_id":"s","error":"x"}`
		},
		"waited for": func() string {
			return streamtest.ClaudeInit + streamtest.Use("t", "TodoWrite", `{"todos":[]}`) + streamtest.Answer("t", plain, "null")
		},
		"no JSON":           func() string { return plain },
		"an object, broken": func() string { return `{"type":"turn.started","x":"` + plain + `}` },
		"of a rollout": func() string {
			return `{"type":"session_meta","payload":{"id":"a"}}` + "\n" + `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"text":"` + plain + `"}]}}`
		},
		"of Gemini's stream": func() string {
			return `{"type":"init","timestamp":"","session_id":"g"}` + "\n" + `{"type":"message","role":"assistant","timestamp":"","content":"` + plain + `"}`
		},
		"without an end":       func() string { return "{" + plain },
		"many objects, joined": func() string { return "{\n\"sessionId\":\"g\",\n" + strings.Repeat("\"x\":[\n],\n", size/9) },
		"a long id":            func() string { return `{"type":"thread.started","thread_id":"` + plain + `"}` },
		"a long id of a call": func() string {
			return streamtest.ClaudeInit + streamtest.Use(plain, "TodoWrite", `{"todos":[]}`) + streamtest.Answer("t", "ok", "null")
		},
		"a long time": func() string { return `{"type":"init","session_id":"g","timestamp":"` + plain + `"}` },
		"a list of nothing": func() string {
			return streamtest.CodexRun + "\n" + `{"type":"item.updated","item":{"id":"i","type":"todo_list","items":[` + strings.Repeat("{},", size/3) + "{}]}}"
		},
		"a list as a result": func() string {
			return streamtest.ClaudeInit + streamtest.Use("t", "TodoWrite", "{}") + streamtest.Answer("t", "ok", `{"newTodos":[`+strings.Repeat(`{"content":"a","status":"pending"},`, size/34)+`{}]}`)
		},
		"a message of blocks": func() string {
			return streamtest.ClaudeInit + `{"type":"assistant","session_id":"s","message":{"content":[` + strings.Repeat("{},", size/3) + `{}]}}`
		},
		"a task's blockers": func() string {
			return streamtest.ClaudeInit + streamtest.Use("t", "TaskUpdate", `{"taskId":"1","addBlockedBy":[`+strings.Repeat(`"1",`, size/4)+`"1"]}`) + streamtest.Answer("t", "Updated task #1", "null")
		},
		"many members": func() string { return `{"type":"user"` + strings.Repeat(`,"x":0`, size/6) + "}" },
		"empty lines":  func() string { return strings.Repeat("\n", size) },
		"many short lines": func() string {
			return strings.Repeat(streamtest.ClaudeInit+streamtest.Use("t", "Bash", "{}")+streamtest.Answer("t", "ok", "{}")+streamtest.ClaudeDone, size/800)
		},
	} {
		t.Run(name, func(t *testing.T) {
			line := text()
			debug.FreeOSMemory()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			in := &sampled{Reader: io.MultiReader(strings.NewReader(line), strings.NewReader("\n{}\n"))}
			r := agents.NewReader(in, stream.Options{})
			for {
				if _, err := r.Next(); errors.Is(err, io.EOF) {
					break
				}
			}
			in.Read(nil)
			longest := size // the length of the longest line; more for a line with the long text twice
			for one := range strings.SplitSeq(line, "\n") {
				longest = max(longest, len(one))
			}
			if used := in.most - min(in.most, before.HeapAlloc); used > uint64(2*longest+16<<20) {
				t.Errorf("%d MiB for a line of %d MiB", used>>20, longest>>20)
			}
		})
	}
}

// TestMemoryOfManySessions reads endless inputs of short lines. The heap must not grow with their length.
func TestMemoryOfManySessions(t *testing.T) {
	n := 3_000
	if *long {
		n = 10_000
	}
	list := `{"todos":[` + strings.Repeat(`{"content":"some work that is to be done","status":"pending"},`, 20) + `{}]}`
	run := streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.Use("t", "TodoWrite", list) + streamtest.Answer("t", "ok", "null")
	task := streamtest.ClaudeInit + streamtest.Use("t", "TaskCreate", `{"subject":"A"}`) + streamtest.Answer("t", "Task #1 created successfully: A", "null")
	for name, line := range map[string]func(i int) string{
		"sessions": func(i int) string {
			return strings.ReplaceAll(run+streamtest.ClaudeDone, `"s"`, fmt.Sprintf(`"s%d"`, i))
		},
		"sessions cut off":  func(i int) string { return strings.ReplaceAll(run, `"s"`, fmt.Sprintf(`"s%d"`, i)) },
		"sessions of tasks": func(i int) string { return strings.ReplaceAll(task, `"s"`, fmt.Sprintf(`"s%d"`, i)) },
		"tasks of a session": func(i int) string {
			return streamtest.Use(fmt.Sprint(i), "TaskCreate", `{"subject":"A"}`) + streamtest.Answer(fmt.Sprint(i), fmt.Sprintf("Task #%d created successfully: A", i+1), "null")
		},
		"threads": func(i int) string {
			return strings.ReplaceAll(streamtest.CodexRun, `"a"`, fmt.Sprintf(`"a%d"`, i)) + "\n"
		},
		"turns": func(int) string { return streamtest.CodexRun + "\n" },
		"calls of a turn": func(i int) string {
			return fmt.Sprintf(`{"type":"item.started","item":{"id":"i%d","type":"web_search"}}`+"\n", i)
		},
		"plans": func(i int) string {
			plan := fmt.Sprintf(`{"step":"some work that is to be done %d","status":"pending"},`, i)
			return `{"type":"event_msg","payload":{"type":"task_started"}}` + "\n" + `{"type":"event_msg","payload":{"type":"plan_update","plan":[` + strings.Repeat(plan, 20) + "{}]}}\n"
		},
		"lists of a chat": func(i int) string {
			return fmt.Sprintf(`{"id":"m%d","type":"gemini","content":"","toolCalls":[{"id":"c%d","name":"write_todos","status":"success","args":{"todos":[`, i, i) +
				strings.Repeat(`{"description":"some work that is to be done","status":"pending"},`, 20) + "{}]}}]}\n"
		},
		"calls unanswered": func(i int) string { return streamtest.ClaudeInit + streamtest.Use(fmt.Sprint(i), "TodoWrite", list) },
		"lists of sub-agents": func(i int) string {
			return strings.ReplaceAll(streamtest.Use("t", "TodoWrite", list), `"parent_tool_use_id":null`, fmt.Sprintf(`"parent_tool_use_id":"p%d"`, i)) + streamtest.Answer("t", "ok", "null")
		},
	} {
		t.Run(name, func(t *testing.T) {
			debug.FreeOSMemory()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			in := &endless{line: line, rest: n}
			r := agents.NewReader(in, stream.Options{})
			for {
				if _, err := r.Next(); errors.Is(err, io.EOF) {
					break
				}
			}
			runtime.GC()
			var after runtime.MemStats
			runtime.ReadMemStats(&after)
			if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > int64(800*n) {
				t.Errorf("%d MiB are kept", used>>20)
			}
			if !r.Summary().Recognised() {
				t.Error("nothing was recognised")
			}
		})
	}
}

// endless is an input whose lines are created as they are read.
type endless struct {
	line func(i int) string
	rest int
	text string
}

func (e *endless) Read(b []byte) (int, error) {
	for e.text == "" {
		if e.rest == 0 {
			return 0, io.EOF
		}
		e.rest--
		e.text = e.line(e.rest)
	}
	n := copy(b, e.text)
	e.text = e.text[n:]
	return n, nil
}

// TestHostileInputIsLinear reads inputs that would take quadratic time if a part of them were searched again and
// again. With -long, such a reading would not end in time; the short form finds only worse growth, and readings that
// end too early.
func TestHostileInputIsLinear(t *testing.T) {
	n := 5_000
	if *long {
		n = 200_000
	}
	for name, input := range map[string]string{
		"backslashes":         streamtest.CodexRun + "\n" + `{"type":"item.completed","item":{"x":"` + strings.Repeat(`\`, n) + `"}}`,
		"escaped quotes":      streamtest.ClaudeInit + streamtest.Answer("b", strings.Repeat(`\"`, n), "null"),
		"braces":              strings.Repeat("{\n", n),
		"braces, a chat":      strings.Repeat("{\n\"sessionId\":1,\n", n),
		"braces on a line":    strings.Repeat("{", n) + strings.Repeat("}", n),
		"braces and text":     strings.Repeat("{ x ", n) + "}",
		"brackets":            streamtest.ClaudeInit + `{"type":"user","session_id":"s","message":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}",
		"members":             `{"type":"turn.started"` + strings.Repeat(`,"x":1`, n) + "}",
		"calls unanswered":    streamtest.ClaudeInit + strings.Repeat(streamtest.Use("t", "TodoWrite", `{"todos":[]}`), n/20),
		"plans unanswered":    `{"type":"session_meta","payload":{"id":"a"}}` + "\n" + strings.Repeat(`{"type":"response_item","payload":{"type":"function_call","name":"update_plan","call_id":"c","arguments":"{}"}}`+"\n", n/20),
		"turns":               strings.Repeat(`{"type":"thread.started","thread_id":"a"}`+"\n"+`{"type":"turn.started"}`+"\n", n/20),
		"blank lines":         strings.Repeat("\n", n) + strings.Repeat(" ", n),
		"a chat, rewound":     streamtest.ChatHead + strings.Repeat(`{"id":"m","type":"user","content":"x"}`+"\n"+`{"$rewindTo":"m"}`+"\n", n/20),
		"lists of no objects": streamtest.CodexRun + "\n" + `{"type":"item.updated","item":{"id":"i","type":"todo_list","items":[` + strings.Repeat("7,", n) + "7]}}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, lenient := range []bool{false, true} {
				r := agents.NewReader(strings.NewReader(input), stream.Options{Lenient: lenient})
				for {
					if _, err := r.Next(); errors.Is(err, io.EOF) {
						break
					}
				}
				if r.Summary().Bytes != int64(len(input)) {
					t.Errorf("%d of %d bytes", r.Summary().Bytes, len(input))
				}
			}
		})
	}
}

// TestManySessions reads 10,000 sessions one after the other. The reader must keep at most MaxStreams of them, and only count the others.
func TestManySessions(t *testing.T) {
	var b strings.Builder
	for i := range 5_000 {
		id := `"s` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + `"`
		b.WriteString(strings.ReplaceAll(streamtest.ClaudeInit+streamtest.ClaudeFirst+streamtest.Use("t", "TodoWrite", `{"todos":[]}`), `"s"`, id))
		b.WriteString(`{"type":"thread.started","thread_id":` + id + "}\n")
	}
	r := agents.NewReader(strings.NewReader(b.String()), stream.Options{})
	streamtest.Drain(t, r)
	sum := r.Summary()
	if len(sum.Streams) > stream.MaxStreams || sum.Earlier.Streams+len(sum.Streams) != 10_000 || sum.Earlier.Lists+sum.Earlier.Turns == 0 {
		t.Errorf("%d sessions after %+v", len(sum.Streams), sum.Earlier)
	}
}

// TestLenient reads streams in the forms in which loggers and printers write them.
func TestLenient(t *testing.T) {
	want := streamtest.UpdatesOnly(streamtest.Play(t, streamtest.CodexRun))
	lines := strings.Split(streamtest.CodexRun, "\n")
	var logged, pretty, both, coloured, list, stray, unfinished strings.Builder
	list.WriteString("[\n")
	stray.WriteString("2026-01-30T12:00:00Z [INFO] config {\n")
	for i, line := range lines {
		if i > 0 {
			list.WriteString(",\n")
		}
		list.WriteString(indented(t, line))
		coloured.WriteString("\x1b[32m" + indented(t, line) + "\x1b[0m\r\n")
		stray.WriteString("12:00:00 " + line + "\n12:00:01 {\n")
		unfinished.WriteString("func f() {\n\treturn\n{\n  \"a\": [\n    1,\n[INFO] " + indented(t, line) + "\n")
		logged.WriteString("[2026-01-30 12:00:00] [INFO] {x} codex: " + line + "\x1b[0m\n")
		pretty.WriteString(indented(t, line) + "\n")
		both.WriteString("[12:00:00] [DEBUG] " + indented(t, line) + "\n12:00 nothing {here}\n")
	}
	list.WriteString("\n]\n")
	for name, input := range map[string]string{
		"logged": logged.String(), "printed": pretty.String(), "both": both.String(), "neither": streamtest.CodexRun,
		"coloured": coloured.String(), "a list": list.String(), "braces between": stray.String(), "objects without an end": unfinished.String(),
	} {
		got := streamtest.UpdatesOnly(streamtest.Play(t, input, func(o *stream.Options) { o.Lenient = true }))
		if got != want {
			t.Errorf("%s: got:\n%s\nwant:\n%s", name, got, want)
		}
		if got := streamtest.UpdatesOnly(streamtest.Play(t, input)); (got != "") != (name == "neither") {
			t.Errorf("%s is read without being asked for:\n%s", name, got)
		}
	}
	// An object that never ends loses its own lines, but not the lines after it.
	got := streamtest.UpdatesOnly(streamtest.Play(t, "{\n  \"a\": [\n"+streamtest.CodexRun, func(o *stream.Options) { o.Lenient = true }))
	if got != want {
		t.Errorf("after an object without an end:\n%s\nwant:\n%s", got, want)
	}
}

// TestPrefixedMultilineObjects reads objects over several lines, before each of which a logger has put
// its prefix.
func TestPrefixedMultilineObjects(t *testing.T) {
	want := streamtest.UpdatesOnly(streamtest.Play(t, streamtest.CodexRun))
	var input strings.Builder
	at := 0
	for line := range strings.SplitSeq(streamtest.CodexRun, "\n") {
		for piece := range strings.Lines(indented(t, line) + "\n") {
			at++
			fmt.Fprintf(&input, "[2026-01-30T14:51:%02d.%dZ] [INFO] %s", at%60, 7*at, piece)
		}
		input.WriteString("[2026-01-30T14:51:59.1Z] [INFO] 2 files {changed}\n")
	}
	r := func(o *stream.Options) { o.Lenient = true }
	if got := streamtest.UpdatesOnly(streamtest.Play(t, input.String(), r)); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestSplitLinesAreJoined cuts a line at every place, as a logger does that treats each piece of its
// input as a line. The prefix of the logger is before each piece, or only before the first one.
func TestSplitLinesAreJoined(t *testing.T) {
	const prefix = "[2026-01-30 12:00:00] [INFO] "
	want := streamtest.UpdatesOnly(streamtest.Play(t, streamtest.CodexRun))
	lines := strings.Split(streamtest.CodexRun, "\n")
	for cut := 1; cut < len(lines[2]); cut++ {
		for name, first := range map[string]string{"each": prefix, "the second": ""} {
			pieces := []string{prefix + lines[0], lines[1], first + lines[2][:cut], prefix + lines[2][cut:], lines[3]}
			r := agents.NewReader(strings.NewReader(strings.Join(pieces, "\n")), stream.Options{Lenient: true})
			var got strings.Builder
			for _, u := range streamtest.Drain(t, r) {
				got.WriteString(streamtest.Text(u) + "\n")
			}
			if got.String() != want || r.Summary().Cut != 0 {
				t.Errorf("cut after %q, prefix before %s:\n%s\nwant:\n%s\n%q", lines[2][:cut], name, got.String(), want, r.Summary().TextLines())
			}
		}
	}
}

// TestCutLinesAreReported checks that a line of the agent whose rest never comes is counted, and that a line of another program is not.
func TestCutLinesAreReported(t *testing.T) {
	lines := strings.Split(streamtest.CodexRun, "\n")
	for input, want := range map[string]int{
		lines[0] + "\n" + lines[1] + "\n" + lines[2][:60] + "\n" + lines[3]:                                           1,
		lines[0] + "\n" + lines[1] + "\n" + lines[2][:60]:                                                             1,
		lines[0] + "\n" + lines[1] + "\n" + lines[2][:60] + "\nnpm warn deprecated\n" + strings.Join(lines[2:], "\n"): 1,
		streamtest.CodexRun + "\n" + `{"level": "info", "type": "log`:                                                 0,
		streamtest.CodexRun + "\nconst config = {\"a\": [\n":                                                          0,
	} {
		r := agents.NewReader(strings.NewReader(input), stream.Options{Lenient: true})
		streamtest.Drain(t, r)
		if got := r.Summary().Cut; got != want || len(r.Summary().Warnings) < want {
			t.Errorf("%q: %d lines are cut, want %d: %q", input, got, want, r.Summary().Warnings)
		}
	}
}

// indented returns an object over several lines.
func indented(t *testing.T, line string) string {
	t.Helper()
	v := jsontext.Value(line)
	if err := v.Indent(); err != nil {
		t.Fatal(err)
	}
	return v.String()
}

// TestListThatIsTooLongIsNamed reads a call whose list is longer than what is kept until its result.
func TestListThatIsTooLongIsNamed(t *testing.T) {
	list := `{"todos":[{"content":"` + strings.Repeat("x", 1<<20) + `","status":"pending"}]}`
	in := streamtest.ClaudeInit + streamtest.Use("t1", "TodoWrite", list) + streamtest.Answer("t1", "ok", "null")
	played := streamtest.Play(t, in)
	if want := `"t1" was accepted, but its list was not read: it has more than 1048576 bytes`; !strings.Contains(played, want) {
		t.Errorf("got %q, want %q", played, want)
	}
}
