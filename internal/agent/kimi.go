package agent

import (
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
)

// kimi reads `kimi -p --output-format stream-json`: bare chat messages, without types and times.
//
// A message of the assistant without calls is a turn's last one. Newer versions begin with a line that contains their version,
// and end a run that went well with one that describes how to resume the session, which is the only line that names it.
// A run that failed reports it on stderr only, so its turn is cut off.
type kimi struct {
	single

	line  kimiLine // the one that is being read
	final bool     // the turn's last message was seen
	over  bool     // the session was named, so what follows is another run
}

// kimiLine is what we need of a line.
type kimiLine struct {
	role       word
	typ        word
	content    blocks
	calls      []kimiCall
	toolCallID word
	session    word
}

type kimiCall struct {
	id        word
	name      word
	arguments value
}

func (l *kimiLine) members(m *members) {
	m.word("role", &l.role)
	m.word("type", &l.typ)
	m.member("content", l.content.scan)
	m.member("tool_calls", l.scanCalls)
	m.word("tool_call_id", &l.toolCallID)
	m.word("session_id", &l.session)
}

func (l *kimiLine) scanCalls(k *walker) {
	l.calls = nil
	k.objects(maxBlocks, func() {
		var call kimiCall
		k.members(func(m *members) {
			m.word("id", &call.id)
			m.object("function", func(m *members) {
				m.word("name", &call.name)
				m.value("arguments", &call.arguments)
			})
		})
		l.calls = append(l.calls, call)
	})
}

func isKimiTodoTool(name string) bool { return native.ToolOf(native.Kimi, name) != nil }

// kimiList returns the list that a call writes; it is nil for a call that only looks. Arguments come as a string of JSON.
func kimiList(arguments value) (todos *native.List, ok bool) {
	in := arguments.unpacked()
	k := walker{b: in}
	ok = k.peek() == '{'
	for _, more := k.object(); more; _, more = k.key() {
		k.skip()
	}
	return listIn(in), ok && k.done()
}

var kimiLines = []lineType{
	{"", unmarked},
	{"session.resume_hint", "role session_id"},
	{"system.version", "role version"},
}

// detectKimi recognises a message by a call of its todo tool, which no other agent prints.
// Chat messages as such are those of any program that speaks OpenAI's protocol.
func detectKimi(h *head) bool {
	if len(h.typ) > 0 || !h.has("role") {
		return false
	}
	if h.seen && (h.has("tool_calls") || h.has("tool_call_id") || h.fresh && h.has("content")) {
		return true
	}
	var l kimiLine
	l.scanCalls(&walker{b: h.calls})
	return slices.ContainsFunc(l.calls, func(c kimiCall) bool { return isKimiTodoTool(string(c.name)) })
}

func (k *kimi) read(line []byte) error {
	l := &k.line
	*l = kimiLine{content: l.content[:0]}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	typ := string(l.typ)
	switch string(l.role) {
	case "assistant", "tool", "user", "system", "meta":
	default:
		return errForeign
	}
	if typ == "system.version" {
		k.stop()
	}
	if k.s == nil || k.over {
		k.anew()
		k.over = false
	}
	switch string(l.role) {
	case "meta":
		switch typ {
		case "system.version":
			k.s.begin(0)
		case "session.resume_hint":
			k.s.name(string(l.session))
			k.stop()
		}
	case "user":
		k.end()
		k.s.cut()
		k.s.begin(0)
	case "assistant":
		k.assistant(l)
	case "tool":
		k.result(l)
	}
	return nil
}

func (k *kimi) assistant(l *kimiLine) {
	k.end()
	t := k.s.current(0)
	text := l.content.text()
	t.recordMessage([]byte(text))
	for i := range l.calls {
		call := &l.calls[i]
		if !isKimiTodoTool(string(call.name)) {
			t.tools++
			continue
		}
		todos, ok := kimiList(call.arguments)
		if ok && todos == nil {
			continue // it only looks
		}
		k.s.show(todoCall{id: string(call.id), tool: string(call.name), input: call.arguments})
	}
	k.final = len(l.calls) == 0 && !isKimiHook(text)
}

// isKimiHook reports whether a message is the output of a user's hook, which comes in between.
func isKimiHook(text string) bool {
	title, _, _ := strings.Cut(text, "\n")
	return strings.HasSuffix(title, " hook") || strings.HasSuffix(title, " hook blocked")
}

// result applies a call. Only the text shows whether it was accepted, no other member.
func (k *kimi) result(l *kimiLine) {
	call, ok := k.s.popCall(l.toolCallID)
	if !ok {
		return
	}
	text := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(l.content.text()), "<system>"))
	for _, start := range []string{"error", "invalid", "fail", "unknown", "unsupported", "tool ", "the tool call is rejected"} {
		if strings.HasPrefix(text, start) {
			k.s.rejected(call.named(), text, strings.Contains(text, "not found"))
			return
		}
	}
	todos, _ := kimiList(call.input)
	k.s.accept(call, todos, 0)
}

// end ends the turn whose last message was seen.
func (k *kimi) end() {
	if k.final {
		k.final = false
		k.s.close(continuation.Done, 0)
	}
}

func (k *kimi) stop() {
	if k.s != nil {
		k.end()
		k.s.stop()
		k.over = true
	}
}
