package agent

import (
	"cmp"
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// gemini reads `gemini --output-format stream-json`. One run is one session with one turn.
//
// A result of write_todos shows only whether the call was accepted, so the list is that of the call.
// A call that the user cancelled is reported as a success; nothing in the stream distinguishes it.
type gemini struct {
	single

	tracker native.Tracker
	untold  bool // changes of the tracker are unknown
}

var geminiLines = []lineType{
	{"init", "session_id timestamp"},
	{"message", "role content timestamp"},
	{"tool_use", "tool_name tool_id"},
	{"tool_result", "tool_id status"},
	{"error", "severity timestamp"},
	{"result", "status timestamp"},
}

// geminiResets precede the time in `"retryDelay": "34s"`, "Please retry in 12h4m" and "Your quota will reset after 5h23m",
// of Gemini CLI, Qwen Code and LLxprt Code.
var geminiResets = [...]string{"retrydelay", "retry in", "reset after"}

func (g *gemini) read(l *line) error {
	if l.is("tool_use") && len(l.word("tool_name")) == 0 {
		return errForeign
	}
	at := instant(l.word("timestamp"))
	if l.is("init") {
		g.stop()
		if s := g.r.session(g.a, string(l.word("session_id"))); s != g.s {
			g.s, g.tracker, g.untold = s, native.Tracker{}, false
		}
		g.s.begin(at)
		return nil
	}
	g.known()
	if byLLxprt(l) {
		g.s.becomes(LLxprt)
	}
	g.s.ends(lastOther)
	switch string(l.typ) {
	case "error":
		g.fails(l)
	case "message":
		g.message(l, at)
	case "tool_use":
		g.call(l, at)
	case "tool_result":
		g.result(l, at)
	case "result":
		g.end(l, at)
	}
	return nil
}

// message keeps the end of the assistant's message, which comes in pieces.
func (g *gemini) message(l *line, at todo.Time) {
	if string(l.word("role")) != "assistant" {
		if t := g.s.newest(); t != nil {
			t.speaks = false
		}
		return
	}
	t := g.s.current(at)
	if !t.speaks {
		t.text.reset()
	}
	t.text.add(l.text("content"))
	t.speaks = l.isTrue("delta")
}

func (g *gemini) call(l *line, at todo.Time) {
	t := g.s.current(at)
	t.speaks = false
	tool := geminiTool(string(l.word("tool_name")))
	t.asked = t.asked || tool != nil
	if tool == nil || tool.Does != native.Reads {
		g.s.use(t, tool, l.word("tool_id"), l.member("parameters").raw())
	}
}

// geminiTool returns a todo tool of Gemini CLI or of LLxprt Code.
func geminiTool(name string) *native.Tool {
	return cmp.Or(native.ToolOf(native.Gemini, name), native.ToolOf(native.LLxprt, name))
}

func (g *gemini) result(l *line, at todo.Time) {
	call, ok := g.s.popCall(l.word("tool_id"))
	if !ok {
		return
	}
	if string(l.word("status")) != "success" {
		g.s.rejected(call, string(l.text("error", "message")), string(l.word("error", "type")) == "tool_not_registered")
		return
	}
	g.s.current(at)
	switch {
	case call.tool.Does == native.Pauses:
		g.pause(call.input, at)
	case call.tool.Tracks():
		g.track(call, string(l.text("output")), at)
	default:
		g.s.accept(call, native.ListIn(call.input), at)
	}
}

// track follows the task tracker as far as results describe its changes. Most versions omit the output,
// and without a task's id an update cannot be joined to what it changes.
func (g *gemini) track(call todoCall, output string, at todo.Time) {
	g.s.sum.TodoTool = TodoToolOn
	changed, told := g.tracker.Apply(call.tool, native.Call{Input: call.input, Said: output})
	switch {
	case !told && output != "":
		g.s.warn("%s changed a task that was made before this stream; it is not followed until the tasks are listed", quote(call.id))
	case !told && !g.untold:
		g.untold = true
		g.s.warn("the task tracker is used, and this stream leaves out what it did; the chat recording tells it: ingest ~/.gemini/tmp/…/chats/session-….jsonl")
	case changed && (!g.untold || call.looks()):
		g.untold = false // a list of all tasks replaces what was omitted
		g.s.list(Update{Event: continuation.Event{Partial: call.looks(), Removes: true}, TodoID: call.id, At: at}, slices.Clone(g.tracker.Items))
	}
}

func (g *gemini) end(l *line, at todo.Time) {
	if g.s.again() {
		return
	}
	t := g.s.current(at)
	status := continuation.Done
	kind := string(l.word("error", "type"))
	switch {
	case string(l.word("status")) == "success":
	case kind == "FatalCancellationError":
		status = continuation.Aborted // thrown for the user's interrupt alone
	default:
		status = continuation.Failed
		t.failure = failureOf(kind, l.member("error").message(), nil)
	}
	if t.tools == 0 && !t.asked {
		// The calls are missing from the stream, as in one that begins in the middle.
		t.tools = count(l.word("stats", "tool_calls"))
	}
	t.usage = l.member("stats").usage("output_tokens", "input_tokens")
	t.usage.Cached = count(l.word("stats", "cached"))
	g.s.close(status, at)
}

// fails records an error. LLxprt Code ends a failed run with it; Gemini CLI reports it in the result too.
func (g *gemini) fails(l *line) {
	if t := g.s.newest(); t != nil && string(l.word("severity")) == "error" {
		t.failure = failureOf(string(l.word("category")), string(l.text("message")), l.word("status"))
		t.last = lastFailure
	}
}

// geminiProgram is how Gemini CLI is started. Without -p it reads the prompt from a standard input
// that is not a terminal.
func geminiProgram() Program {
	return Program{
		Name:    "gemini",
		Command: []string{"gemini", "--output-format", "stream-json"},
		Resume:  []string{"--resume"},
		Install: "npm install -g @google/gemini-cli",
		Rights:  "--approval-mode auto_edit",
	}
}
