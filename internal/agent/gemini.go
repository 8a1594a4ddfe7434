package agent

import (
	"cmp"
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// gemini reads `gemini --output-format stream-json`. One run is one session with one turn.
//
// A result of write_todos shows only whether the call was accepted, so the list is that of the call.
// A call that the user cancelled is reported as a success; nothing in the stream distinguishes it.
type gemini struct {
	run // LLxprt Code ends a failed run with an error; Gemini CLI reports it in the result too

	line    geminiLine // the one that is being read
	tracker native.Tracker
	untold  bool // changes of the tracker are unknown
	speaks  bool // the last thing was a piece of the assistant's message, and more can follow
	asked   bool // the turn has a call of a todo tool
}

// geminiLine is what we need of a line.
type geminiLine struct {
	typ        word
	sessionID  word
	timestamp  word
	role       word
	content    word
	delta      bool
	toolName   word
	toolID     word
	parameters value
	status     word
	severity   word
	category   word
	message    word
	output     word
	failed     value // why a call or the turn failed
	stats      value
}

func (l *geminiLine) members(m *members) {
	m.word("type", &l.typ)
	m.word("session_id", &l.sessionID)
	m.word("timestamp", &l.timestamp)
	m.word("role", &l.role)
	m.text("content", &l.content)
	m.truth("delta", &l.delta)
	m.word("tool_name", &l.toolName)
	m.word("tool_id", &l.toolID)
	m.value("parameters", &l.parameters)
	m.word("status", &l.status)
	m.word("severity", &l.severity)
	m.word("category", &l.category)
	m.text("message", &l.message)
	m.text("output", &l.output)
	m.value("error", &l.failed)
	m.value("stats", &l.stats)
}

var geminiLines = []lineType{
	{"init", "session_id timestamp"},
	{"message", "role content timestamp"},
	{"tool_use", "tool_name tool_id"},
	{"tool_result", "tool_id status"},
	{"error", "severity timestamp"},
	{"result", "status timestamp"},
}

func (g *gemini) read(line []byte) error {
	l := &g.line
	*l = geminiLine{}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if string(l.typ) == "tool_use" && len(l.toolName) == 0 {
		return errForeign
	}
	at := instant(l.timestamp)
	if string(l.typ) == "init" {
		g.stop()
		if s := g.r.session(g.a, string(l.sessionID)); s != g.s {
			g.s, g.tracker, g.untold = s, native.Tracker{}, false
		}
		g.s.begin(at)
		return nil
	}
	g.known()
	if l.byLLxprt() {
		g.llxprt()
	}
	g.failed = false
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
func (g *gemini) message(l *geminiLine, at todo.Time) {
	if string(l.role) != "assistant" {
		g.speaks = false
		return
	}
	t := g.s.current(at)
	if !g.speaks {
		t.text.reset()
	}
	t.text.add(l.content)
	g.speaks = l.delta
}

func (g *gemini) call(l *geminiLine, at todo.Time) {
	t := g.s.current(at)
	g.speaks = false
	tool := geminiTool(string(l.toolName))
	if tool == nil {
		t.tools++
		return
	}
	g.asked = true
	if tool.Does != native.Reads {
		g.s.show(todoCall{id: string(l.toolID), tool: tool.Name, input: l.parameters, looks: tool.Does.ReadOnly()})
	}
}

// geminiTool returns a todo tool of Gemini CLI or of LLxprt Code.
func geminiTool(name string) *native.Tool {
	return cmp.Or(native.ToolOf(native.Gemini, name), native.ToolOf(native.LLxprt, name))
}

func (g *gemini) result(l *geminiLine, at todo.Time) {
	call, ok := g.s.popCall(l.toolID)
	if !ok {
		return
	}
	if string(l.status) != "success" {
		if !call.looks {
			g.s.rejected(call.named(), string(l.failed.member("message").text()), string(l.failed.member("type").word()) == "tool_not_registered")
		}
		return
	}
	g.s.current(at)
	switch tool := geminiTool(call.tool); {
	case tool.Does == native.Pauses:
		g.pause(call.input, at)
	case tool.Tracks():
		g.track(tool, call, string(l.output), at)
	default:
		g.s.accept(call, listIn(call.input), at)
	}
}

// track follows the task tracker as far as results describe its changes. Most versions omit the output,
// and without a task's id an update cannot be joined to what it changes.
func (g *gemini) track(tool *native.Tool, call todoCall, output string, at todo.Time) {
	g.s.sum.TodoTool = TodoToolOn
	changed, told := g.tracker.Apply(tool, native.Call{Input: object.Value(call.input), Said: output})
	switch {
	case !told && output != "":
		g.s.warn("%s changed a task that was made before this stream; it is not followed until the tasks are listed", quote(call.id))
	case !told && !g.untold:
		g.untold = true
		g.s.warn("the task tracker is used, and this stream leaves out what it did; the chat recording tells it: ingest ~/.gemini/tmp/…/chats/session-….jsonl")
	case changed && (!g.untold || call.looks):
		g.untold = false // a list of all tasks replaces what was omitted
		g.s.list(Update{Event: continuation.Event{Partial: call.looks}, TodoID: call.id, At: at}, slices.Clone(g.tracker.Items))
	}
}

func (g *gemini) end(l *geminiLine, at todo.Time) {
	if g.s.again() {
		return
	}
	t := g.s.current(at)
	status := continuation.Done
	kind := string(l.failed.member("type").word())
	switch {
	case string(l.status) == "success":
	case kind == "FatalCancellationError":
		status = continuation.Aborted // thrown for the user's interrupt alone
	default:
		status = continuation.Failed
		t.failure = failureOf(kind, l.failed.message(), nil)
	}
	if t.tools == 0 && !g.asked {
		// The calls are missing from the stream, as in one that begins in the middle.
		t.tools = count(l.stats.member("tool_calls").word())
	}
	t.usage = l.stats.usage("output_tokens", "input_tokens")
	g.s.drop()
	g.speaks, g.asked = false, false
	g.s.end(status, at)
}

// fails records an error, which a result may follow.
func (g *gemini) fails(l *geminiLine) {
	if t := g.s.newest(); t != nil && string(l.severity) == "error" {
		t.failure = failureOf(string(l.category), string(l.message), l.status)
		g.failed = true
	}
}

func (g *gemini) stop() {
	g.speaks, g.asked = false, false
	g.run.stop()
}
