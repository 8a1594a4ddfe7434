package gemini

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// The names of Gemini CLI and of what it writes.
const (
	Kind stream.Kind = "google-gemini"

	Stream stream.Format = "gemini"
	Chat   stream.Format = "gemini-chat"
)

// hint tells how the todo tool is switched on.
const hint = "Gemini CLI offers write_todos to Gemini 2 models only; choose one, such as gemini-2.5-pro, and leave experimental.taskTracker off"

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`gemini -p --output-format stream-json`", List: "`write_todos`; the task tracker if the stream contains its results",
		Lines: Lines, New: func() stream.Parser { return new(Parser) },
		Hint:           hint,
		NeverTellsTool: true,
	},
	{
		Format: Chat,
		From:   "`~/.gemini/tmp/…/chats/session-*.jsonl`, and the older `.json`", List: "`write_todos` and the task tracker",
		Lines: chatLines, Detect: detectChat, New: func() stream.Parser { return new(chat) },
		Unrecorded:     "none was kept; the chats in chat_test.go are written by hand",
		Hint:           hint,
		NeverTellsTool: true,
	},
}

// program is how it is started.
// Without -p it reads the prompt from a standard input
// that is not a terminal.
var program = agent.Program{
	Command: []string{"gemini", "--output-format", "stream-json", "--allowed-tools", "write_todos"},
	Resume:  []string{"--resume"},
	Spend:   &spend,
	Install: "npm install -g @google/gemini-cli",
	Rights:  "--approval-mode auto_edit",
	Allows:  "--allowed-tools " + agent.ToolsPlaceholder,
}

// Parser reads `gemini --output-format stream-json`. One run is one session with one turn.
//
// A result of write_todos shows only whether the call was accepted, so the list is that of the call.
// A call that the user cancelled is reported as a success; nothing in the stream distinguishes it.
type Parser struct {
	stream.SequentialSessions

	tracker tracker
	last    struct{ id, tool string } // of the newest call
	omitted bool                      // changes of the tracker are unknown
}

// Lines are the types of lines of the stream.
var Lines = []stream.LineType{
	{Name: "init", Marks: "session_id timestamp"},
	{Name: "message", Marks: "role content timestamp"},
	{Name: "tool_use", Marks: "tool_name tool_id"},
	{Name: "tool_result", Marks: "tool_id status"},
	{Name: "error", Marks: "severity timestamp"},
	{Name: "result", Marks: "status timestamp"},
}

func (g *Parser) Read(l *stream.Line) error {
	if l.Is("tool_use") && len(l.Word("tool_name")) == 0 {
		return stream.ErrOtherAgent
	}
	at := stream.ParseInstant(l.Word("timestamp"))
	if l.Is("init") {
		g.Stop()
		if s := g.Open(string(l.Word("session_id"))); s != g.Session {
			g.Session, g.tracker, g.omitted = s, tracker{}, false
		}
		g.Session.NoteModel(l.Word("model"))
		g.Session.BeginTurn(at)
		return nil
	}
	g.KnownSession()
	for _, a := range g.Variants {
		if a.Variant.(*Variant).Wrote(l) {
			g.Session.SetAdapter(a)
		}
	}
	g.Session.SetLastStep(stream.LastOther)
	switch string(l.Type) {
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
func (g *Parser) message(l *stream.Line, at todo.Time) {
	if string(l.Word("role")) != "assistant" {
		if t := g.Session.NewestTurn(); t != nil {
			t.Speaks = false
		}
		return
	}
	t := g.Session.CurrentTurn(at)
	if !t.Speaks {
		t.Text.Reset()
	}
	t.Text.Add(l.Text("content"))
	t.Speaks = l.IsTrue("delta")
}

func (g *Parser) call(l *stream.Line, at todo.Time) {
	t := g.Session.CurrentTurn(at)
	t.Speaks = false
	g.last.id, g.last.tool = string(l.Word("tool_id")), string(l.Word("tool_name"))
	tool := g.todoTool(string(l.Word("tool_name")))
	t.Asked = t.Asked || tool != nil
	if tool == nil || tool.Does != native.Reads {
		g.Session.CountOrRecordCall(t, string(l.Word("tool_name")), tool, l.Word("tool_id"), l.Member("parameters").Raw())
	}
}

// Variant is an agent that writes Gemini CLI's stream, and has todo tools of its own.
type Variant struct {
	// Wrote reports whether only this agent writes such a line.
	Wrote func(*stream.Line) bool

	// Tool returns a todo tool of the agent by its name, or nil.
	Tool func(name string) *native.Tool
}

// todoTool returns a todo tool of Gemini CLI, or of another agent that writes such a stream.
func (g *Parser) todoTool(name string) *native.Tool {
	tool := tools.Find(name)
	for _, a := range g.Variants {
		tool = cmp.Or(tool, a.Variant.(*Variant).Tool(name))
	}
	return tool
}

// pause applies a tool by which the model pauses itself.
func (g *Parser) pause(input object.Value, at todo.Time) {
	reason := stream.ToolPause(input.Object().Text("reason"))
	g.Session.Emit(stream.Update{Event: continuation.Event{Type: continuation.Pause, Reason: reason}, At: at})
}

func (g *Parser) result(l *stream.Line, at todo.Time) {
	if t := g.Session.NewestTurn(); t != nil && string(l.Word("status")) == "error" && denies(l.Member("error")) {
		tool, _, named := bytes.Cut(l.Word("tool_id"), []byte("__")) // the message has the name that users see
		if !named {                                                  // an id of other versions
			tool = nil
			if string(l.Word("tool_id")) == g.last.id {
				tool = []byte(g.last.tool)
			}
		}
		t.NoteDenied(l.Word("tool_id"), string(tool))
	}
	if string(l.Word("status")) == "error" {
		g.Session.NoteFailedCall(l.Word("tool_id"))
	}
	if l.Member("output").Kind() != 0 || l.Member("error").Kind() != 0 { // most results are left out
		g.Session.NoteAnswer(l.Word("tool_id"), l.Member("output"), l.Member("error"))
	}
	call, ok := g.Session.PopCall(l.Word("tool_id"))
	if !ok {
		return
	}
	if string(l.Word("status")) != "success" {
		g.Session.Reject(call, string(l.Text("error", "message")), string(l.Word("error", "type")) == "tool_not_registered")
		return
	}
	g.Session.CurrentTurn(at)
	switch {
	case call.Tool.Does == native.Pauses:
		g.pause(call.Input, at)
	case tracks(call.Tool):
		g.track(call, string(l.Text("output")), at)
	default:
		g.Session.Accept(call, native.ListIn(call.Input), at)
	}
}

// askedFor are the tools that are there only if nobody has to be asked for them, or can be.
var askedFor = []string{"run_shell_command", "write_file", "replace", "web_fetch", "activate_skill"}

// denies reports whether a call failed since a policy does not allow it, or since nobody could be asked.
func denies(why stream.Value) bool {
	text := why.Text("message")
	switch string(why.Word("type")) {
	case "policy_violation", "execution_denied":
		return true
	case "tool_not_registered":
		name, _, _ := strings.Cut(strings.TrimPrefix(string(text), `Tool "`), `"`)
		return slices.Contains(askedFor, name)
	}
	return bytes.Contains(text, []byte("denied by policy")) || bytes.Contains(text, []byte("requires user confirmation, which is not supported"))
}

// track follows the task tracker by the results that describe its changes. Most versions omit the output,
// and without a task's id an update cannot be joined to what it changes.
func (g *Parser) track(call stream.AwaitedTodoCall, output string, at todo.Time) {
	g.Session.Counts.TodoTool = stream.TodoToolOn
	changed, told := g.tracker.apply(call.Tool, native.Call{Input: call.Input, Said: output})
	switch {
	case !told && output != "":
		g.Session.Warn("%s changed a task that was made before this stream; it is not followed until the tasks are listed", stream.Quote(call.ID))
	case !told && !g.omitted:
		g.omitted = true
		g.Session.Warn("the task tracker is used, and this stream leaves out what it did; the chat recording tells it: ingest ~/.gemini/tmp/…/chats/session-….jsonl")
	case changed && (!g.omitted || call.ReadsOnly()):
		g.omitted = false // a list of all tasks replaces what was omitted
		g.Session.EmitList(stream.Update{Event: continuation.Event{Partial: call.ReadsOnly(), Deletes: true}, TodoID: call.ID, At: at}, slices.Clone(g.tracker.Items))
	}
}

func (g *Parser) end(l *stream.Line, at todo.Time) {
	if g.Session.IsDuplicateEnd() {
		return
	}
	t := g.Session.CurrentTurn(at)
	status := continuation.Done
	kind := string(l.Word("error", "type"))
	switch {
	case string(l.Word("status")) == "success", kind == "FatalTurnLimitedError": // the user's limit, after which a new turn can begin
	case kind == "FatalCancellationError":
		status = continuation.Aborted // thrown for the user's interrupt alone
	default:
		status = continuation.Failed
		t.Failure = stream.FailureOf(kind, l.Member("error").Message(), nil)
	}
	if t.Tools == 0 && !t.Asked {
		// The calls are missing from the stream, as in one that begins in the middle.
		t.Tools = stream.ParseCount(l.Word("stats", "tool_calls"))
	}
	t.Usage = l.Member("stats").Usage("output_tokens", "input_tokens")
	t.Usage.Cached = stream.ParseCount(l.Word("stats", "cached"))
	g.Session.CloseTurn(status, at)
}

// fails records an error. Gemini CLI reports it in the result too; others that write this stream end a failed run with it.
func (g *Parser) fails(l *stream.Line) {
	if t := g.Session.NewestTurn(); t != nil && string(l.Word("severity")) == "error" {
		t.Failure = stream.FailureOf(string(l.Word("category")), string(l.Text("message")), l.Word("status"))
		t.Last = stream.LastFailure
	}
}
