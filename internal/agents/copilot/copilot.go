package copilot

import (
	"bytes"
	"slices"
	"strings"

	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// The names of Copilot CLI and of what it writes.
const (
	Kind stream.Kind = "copilot"

	Stream stream.Format = "copilot"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`copilot -p --output-format json`; its file `events.jsonl`", List: "the table `todos` of its `sql` tool, or `onward todo`",
		Lines: lines, HasMoreTypes: isEvent, Detect: detect, New: func() stream.Parser { return new(parser) },
	},
}

// program is how it is started.
// It takes the prompt as an argument only.
var program = agent.Program{
	Command: []string{"copilot", "--output-format", "json"},
	Resume:  []string{"--resume"},
	Begins:  []string{"--session-id"}, // its output names the session at its end only
	Prompt:  "--prompt",
	Tokens:  agent.UsageAtEnd,
	Spend:   &spend,
	Install: "npm install -g @github/copilot",
	Rights:  "--allow-tool write",
	Allows:  "--allow-all-tools",
}

// parser reads `copilot -p --output-format json`, and the file in which Copilot CLI keeps the same
// events, events.jsonl.
//
// A turn is what follows a user's message, and ends as its last message shows; a run ends with a
// result, which names the session. The list is a table in the program's own database, which the
// model's calls of the tool sql change.
type parser struct {
	stream.SequentialSessions
	list    []todo.Item // the table's, so far as known
	resumed bool        // the table has rows from before
}

var lines = []stream.LineType{{Name: "result", Marks: "sessionId exitCode usage"}}

// isEvent reports whether an event's type is of one of the groups that the program has.
func isEvent(typ []byte) bool {
	group, _, ok := strings.Cut(string(typ), ".")
	if slices.Contains(ignored, string(typ)) || string(typ) == "abort" {
		return true
	}
	switch group {
	case "session", "user", "system", "assistant", "tool", "model", "hook", "subagent", "skill", "permission":
		return ok
	}
	return false
}

func detect(l *stream.Line) bool {
	return isEvent(l.Type) && l.Has("data", "id", "timestamp", "parentId")
}

func (c *parser) Read(l *stream.Line) error {
	d := l.Member("data")
	if end := l.Is("result"); !end && d.Kind() != '{' || end && (len(l.Word("exitCode")) == 0 || len(l.Word("sessionId")) == 0) {
		return stream.ErrOtherAgent
	}
	if l.Is("session.start") {
		if s := c.Session; s != nil && s.ID == "" && s.Turns() == 0 && s.Counts.Lists.Emitted == 0 {
			s.SetID(string(d.Word("sessionId"))) // what came before it is of the same session
		}
		c.Stop()
		c.Session, c.RunOver, c.list, c.resumed = c.Open(string(d.Word("sessionId"))), false, nil, false
		c.Session.Counts.Version = string(d.Word("copilotVersion"))
		return nil
	}
	if c.BeginRun() {
		c.list, c.resumed = nil, false
	}
	at := stream.ParseInstant(l.Word("timestamp"))
	if len(d.Word("parentToolCallId")) > 0 || len(l.Word("agentId")) > 0 {
		return nil // a sub-agent's
	}
	switch string(l.Type) {
	case "user.message":
		// The model of a session that is resumed is informed how many todos there are.
		c.resumed = c.resumed || bytes.Contains(d.Member("transformedContent").Raw(), []byte("<todo_status>"))
		if string(d.Word("source")) == "system" {
			break // the program's own reminder, within the user's turn
		}
		c.Session.EndPreviousTurns(at)
		c.Session.BeginTurn(at)
	case "assistant.message":
		t := c.Session.CurrentTurn(at)
		c.Session.NoteModel(d.Word("model"))
		t.RecordMessage(d.Text("content"))
		t.Last = stream.LastAnswer
		if asked := d.Member("toolRequests"); asked.Kind() == '[' && len(asked.Raw()) > len("[]") {
			t.Last = stream.LastCalls
		}
	case "tool.execution_start":
		t, id, args := c.Session.CurrentTurn(at), d.Word("toolCallId"), d.Member("arguments").Raw()
		if tool := tools.Find(string(d.Word("toolName"))); tool != nil && asksTodos(args) {
			c.Session.RecordPartialCall(stream.AwaitedTodoCall{ID: string(id), Tool: tool, Input: args})
		} else {
			c.Session.CountCall(t, id, string(d.Word("toolName")), args)
			c.Session.ExpectResult(id)
		}
	case "tool.execution_complete":
		if t := c.Session.NewestTurn(); t != nil && !d.IsTrue("success") && denies(d) {
			t.NoteDenied(d.Word("toolCallId"), string(d.Word("toolName")))
		}
		c.applyResult(d, at)
	case "session.error":
		t := c.Session.CurrentTurn(at)
		t.Failure = stream.FailureOf(string(d.Word("errorType")), string(d.Text("message")), d.Word("statusCode"))
		t.Last = stream.LastFailure
	case "abort":
		if bytes.HasPrefix(d.Word("reason"), []byte("user")) { // else it is the program's own
			c.Session.SetLastStep(stream.LastCancel)
		}
	case "result":
		c.result(l, at)
	case "session.shutdown":
		c.Session.EndPreviousTurns(at)
	default:
		c.Session.CountUnknown(stream.Word(l.Type), ignored)
	}
	return nil
}

// denies reports whether a call failed since the user or a rule does not permit it.
func denies(d stream.Value) bool {
	return string(d.Word("error", "code")) == "denied" || bytes.HasPrefix(d.Text("error", "message"), []byte("Permission denied and could not request"))
}

// applyResult applies the result of a query of the table of todos.
func (c *parser) applyResult(d stream.Value, at todo.Time) {
	// The last line of what a shell prints names a shell, which is another one each time.
	said, _, _ := bytes.Cut(d.Member("result").Text("content"), []byte("<shellId: "))
	c.Session.NoteAnswerText(d.Word("toolCallId"), 0, said, d.Member("shellExecution").Raw(), d.Member("error").Raw())
	if !d.IsTrue("success") {
		c.Session.NoteFailedCall(d.Word("toolCallId"))
	}
	call, ok := c.Session.PopCall(d.Word("toolCallId"))
	if !ok {
		return
	}
	if !d.IsTrue("success") {
		c.Session.Reject(call, string(d.Text("error", "message")), false)
		return
	}
	if c.list == nil && c.resumed {
		saved, _ := c.Session.Saved()
		c.list = saved.Items
	}
	before := native.SavedList{Items: c.list}
	query := native.Call{Input: call.Input, Said: string(d.Text("result", "content"))}
	items, understood := followQuery(before, call.Tool, query)
	switch {
	case understood && !todo.Equal(items, before.Items):
		c.list = items
		c.Session.EmitList(stream.Update{Event: continuation.Event{Deletes: true}, TodoID: call.ID, At: at}, slices.Clone(items))
	case !understood:
		c.Session.Warn("%s changes the table of todos in a way that is not understood; the list is followed again once the model looks at it", stream.Quote(call.ID))
	}
}

// result ends the run. Its exit code reports failures; an earlier error contains their kind.
func (c *parser) result(l *stream.Line, at todo.Time) {
	c.Session.SetID(string(l.Word("sessionId")))
	if t := c.Session.NewestTurn(); string(l.Word("exitCode")) != "0" && t != nil && t.Last != stream.LastCancel {
		c.Session.SetLastStep(stream.LastFailure)
	}
	c.Session.EndPreviousTurns(at)
	c.RunOver = true
}
