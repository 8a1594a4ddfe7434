package kimi

import (
	"slices"
	"strings"

	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
)

// The names of Kimi CLI and of what it writes.
const (
	Kind stream.Kind = "kimi"

	Stream stream.Format = "kimi"
	Wire   stream.Format = "kimi-wire"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`kimi -p --output-format stream-json`", List: "`TodoList`; `SetTodoList` in the older program",
		Lines: lines, Detect: detect, New: func() stream.Parser { return new(parser) },
	},
	{
		Format: Wire,
		From:   "`~/.kimi-code/sessions/…/agents/…/wire.jsonl`; `~/.kimi/sessions/…/wire.jsonl` of the older program", List: "`TodoList`; `SetTodoList` in the older program",
		Lines: wireLines, HasMoreTypes: isRecord, Detect: isMessage, New: func() stream.Parser { return new(wire) },
	},
}

// program is how it is started.
// It takes the prompt as an argument only.
var program = agent.Program{
	Command: []string{"kimi", "--output-format", "stream-json"},
	Resume:  []string{"--session"},
	Prompt:  "--prompt",
	Tokens:  agent.UsageAtEnd,
	Spend:   &spend,
	Install: "npm install -g @moonshot-ai/kimi-code",
}

// parser reads `kimi -p --output-format stream-json`: bare chat messages, without types and times.
//
// A message of the assistant without calls is a turn's last one. Newer versions begin with a line
// that contains their version, and end a run that went well with one that describes how to resume
// the session, which is the only line that names it. A run that failed reports it on stderr only,
// so its turn is cut off.
type parser struct{ stream.SequentialSessions }

// todoTool returns the todo tool that a call is of, or nil.
func todoTool(call stream.Value) *native.Tool {
	return tools.Find(string(call.Word("function", "name")))
}

// onlyLooks reports whether a call of the todo tool only looks: its arguments, a string of JSON, hold no list.
func onlyLooks(arguments []byte) bool {
	in, whole := stream.Parse(arguments)
	return whole && in.Kind() == '{' && native.ListIn(arguments) == nil
}

var lines = []stream.LineType{
	{Name: ""},
	{Name: "session.resume_hint", Marks: "role session_id"},
	{Name: "system.version", Marks: "role version"},
	{Name: "turn.step.retrying"},
	{Name: "goal.summary"},
}

// detect recognises a message by a call of its todo tool, which no other agent prints.
// Chat messages as such are those of any program that speaks OpenAI's protocol.
func detect(l *stream.Line) bool {
	if len(l.Type) > 0 || !l.Has("role") {
		return false
	}
	if l.Seen && (l.Has("tool_calls") || l.Has("tool_call_id") || l.Fresh && l.Has("content")) {
		return true
	}
	for call := range l.Objects("tool_calls") {
		if todoTool(call) != nil {
			return true
		}
	}
	return false
}

func (k *parser) Read(l *stream.Line) error {
	role := string(l.Word("role"))
	switch role {
	case "assistant", "tool", "user", "system", "meta":
	default:
		if l.Is("goal.summary") {
			return nil
		}
		return stream.ErrOtherAgent
	}
	if l.Is("system.version") {
		k.Stop()
	}
	k.BeginRun()
	switch role {
	case "meta":
		switch string(l.Type) {
		case "system.version":
			k.Session.Counts.Version = string(l.Word("version"))
			k.Session.BeginTurn(0)
		case "session.resume_hint":
			k.Session.SetID(string(l.Word("session_id")))
			k.Stop()
		}
	case "user":
		k.next()
		k.Session.EndOpenTurns(0)
		k.Session.BeginTurn(0)
	case "assistant":
		k.assistant(l)
	case "tool":
		k.result(l)
	}
	return nil
}

func (k *parser) assistant(l *stream.Line) {
	k.next()
	t := k.Session.CurrentTurn(0)
	text := l.Member("content").Texts()
	t.RecordMessage([]byte(text))
	if !isKimiHook(text) {
		t.Last = stream.LastAnswer
	}
	for call := range l.Objects("tool_calls") {
		t.Last = stream.LastCalls
		tool, arguments := todoTool(call), call.Member("function", "arguments").EmbeddedJSON()
		if tool == nil || !onlyLooks(arguments) {
			k.Session.CountOrRecordCall(t, string(call.Word("function", "name")), tool, call.Word("id"), arguments)
		}
	}
}

// isKimiHook reports whether a message is the output of a user's hook, which comes in between.
func isKimiHook(text string) bool {
	title, _, _ := strings.Cut(text, "\n")
	return strings.HasSuffix(title, " hook") || strings.HasSuffix(title, " hook blocked")
}

// result applies a call. Only the text shows whether it was accepted, no other member.
func (k *parser) result(l *stream.Line) {
	id, text := l.Word("tool_call_id"), strings.ToLower(strings.TrimPrefix(strings.TrimSpace(l.Member("content").Texts()), "<system>"))
	failed := slices.ContainsFunc(refusals[:], func(start string) bool { return strings.HasPrefix(text, start) })
	k.Session.NoteAnswer(id, l.Member("content"))
	if failed {
		k.Session.NoteFailedCall(id)
	}
	call, ok := k.Session.PopCall(id)
	switch {
	case !ok:
	case failed:
		k.Session.Reject(call, text, strings.Contains(text, "not found"))
	default:
		k.Session.Accept(call, native.ListIn(call.Input), 0)
	}
}

// refusals begin the text of a call that was not accepted, or failed.
var refusals = [...]string{"error", "invalid", "fail", "unknown", "unsupported", "tool ", "the tool call is rejected"}

// next ends the turn whose last message was seen.
func (k *parser) next() {
	if t := k.Session.NewestTurn(); t != nil && t.Last == stream.LastAnswer {
		k.Session.CloseTurn(continuation.Done, 0)
	}
}
