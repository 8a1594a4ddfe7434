package agent

import (
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
)

// kimi reads `kimi -p --output-format stream-json`: bare chat messages, without types and times.
//
// A message of the assistant without calls is a turn's last one. Newer versions begin with a line
// that contains their version, and end a run that went well with one that describes how to resume
// the session, which is the only line that names it. A run that failed reports it on stderr only,
// so its turn is cut off.
type kimi struct{ single }

// kimiTool returns the todo tool that a call is of, or nil.
func kimiTool(call value) *native.Tool {
	return native.ToolOf(native.Kimi, string(call.word("function", "name")))
}

// isKimiLook reports whether a call of the todo tool only looks: its arguments, a string of JSON, hold no list.
func isKimiLook(arguments []byte) bool {
	in, whole := new(indexer).index(arguments)
	return whole && in.kind() == '{' && native.ListIn(arguments) == nil
}

var kimiLines = []lineType{
	{"", unmarked},
	{"session.resume_hint", "role session_id"},
	{"system.version", "role version"},
}

// detectKimi recognises a message by a call of its todo tool, which no other agent prints.
// Chat messages as such are those of any program that speaks OpenAI's protocol.
func detectKimi(l *line) bool {
	if len(l.typ) > 0 || !l.has("role") {
		return false
	}
	if l.seen && (l.has("tool_calls") || l.has("tool_call_id") || l.fresh && l.has("content")) {
		return true
	}
	for call := range l.objects("tool_calls") {
		if kimiTool(call) != nil {
			return true
		}
	}
	return false
}

func (k *kimi) read(l *line) error {
	role := string(l.word("role"))
	switch role {
	case "assistant", "tool", "user", "system", "meta":
	default:
		return errForeign
	}
	if l.is("system.version") {
		k.stop()
	}
	k.anew()
	switch role {
	case "meta":
		switch string(l.typ) {
		case "system.version":
			k.s.begin(0)
		case "session.resume_hint":
			k.s.name(string(l.word("session_id")))
			k.stop()
		}
	case "user":
		k.next()
		k.s.cut(0)
		k.s.begin(0)
	case "assistant":
		k.assistant(l)
	case "tool":
		k.result(l)
	}
	return nil
}

func (k *kimi) assistant(l *line) {
	k.next()
	t := k.s.current(0)
	text := l.member("content").texts()
	t.recordMessage([]byte(text))
	if !isKimiHook(text) {
		t.last = lastAnswer
	}
	for call := range l.objects("tool_calls") {
		t.last = lastCalls
		tool, arguments := kimiTool(call), call.member("function", "arguments").unpacked()
		if tool == nil || !isKimiLook(arguments) {
			k.s.use(t, tool, call.word("id"), arguments)
		}
	}
}

// isKimiHook reports whether a message is the output of a user's hook, which comes in between.
func isKimiHook(text string) bool {
	title, _, _ := strings.Cut(text, "\n")
	return strings.HasSuffix(title, " hook") || strings.HasSuffix(title, " hook blocked")
}

// result applies a call. Only the text shows whether it was accepted, no other member.
func (k *kimi) result(l *line) {
	call, ok := k.s.popCall(l.word("tool_call_id"))
	if !ok {
		return
	}
	text := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(l.member("content").texts()), "<system>"))
	for _, start := range []string{"error", "invalid", "fail", "unknown", "unsupported", "tool ", "the tool call is rejected"} {
		if strings.HasPrefix(text, start) {
			k.s.rejected(call, text, strings.Contains(text, "not found"))
			return
		}
	}
	k.s.accept(call, native.ListIn(call.input), 0)
}

// next ends the turn whose last message was seen.
func (k *kimi) next() {
	if t := k.s.newest(); t != nil && t.last == lastAnswer {
		k.s.close(continuation.Done, 0)
	}
}

// kimiProgram is how Kimi Code is started. It takes the prompt as an argument only.
func kimiProgram() Program {
	return Program{
		Name:    "kimi",
		Command: []string{"kimi", "--output-format", "stream-json"},
		Resume:  []string{"--session"},
		Prompt:  "--prompt",
		Install: "npm install -g @moonshot-ai/kimi-code",
	}
}
