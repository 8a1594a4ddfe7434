package agent

import (
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// qwenChat reads the files in which Qwen Code keeps its conversations, ~/.qwen/projects/…/chats/*.jsonl.
//
// The envelope of a line is that of a Claude Code transcript; the messages are in Gemini's form, with parts.
// A call has its result in a line of the type tool_result. No line ends a turn:
// a turn is what follows a user's message, and how it ended is seen from its last message.
type qwenChat struct{ single }

var qwenChatLines = []lineType{
	{"user", unmarked},
	{"assistant", unmarked},
	{"tool_result", "sessionId toolCallResult"},
	{"system", "sessionId systemPayload"},
}

// detectQwenChat distinguishes messages from those of Claude Code by their parts.
func detectQwenChat(l *line) bool {
	return (l.is("user") || l.is("assistant")) && l.has("sessionId", "uuid") && l.member("message", "parts") != nil
}

func (c *qwenChat) read(l *line) error {
	id, side := string(l.word("sessionId")), l.isTrue("isSidechain")
	if id == "" || l.member("message", "content") != nil { // which Claude Code has in place of parts
		return errForeign
	}
	if c.s == nil || id != c.s.id {
		c.stop()
		c.s = c.r.session(c.a, id)
	}
	at := instant(l.word("timestamp"))
	switch string(l.typ) {
	case "user":
		by := string(l.word("provenance")) // in newer versions
		if l.member("message", "parts") != nil && (by == "" || by == "real_user") && !side {
			c.s.stop()
			c.s.begin(at)
		}
	case "assistant":
		c.assistant(l, side, at)
	case "tool_result":
		c.result(l, side, at)
	}
	return nil
}

func (c *qwenChat) assistant(l *line, side bool, at todo.Time) {
	t, sub := c.s.current(at), ""
	if side {
		sub = SubAgentName(string(l.word("agentId")))
	} else {
		t.last = lastOther
		t.text.reset()
	}
	for p := range l.objects("message", "parts") {
		name, text := string(p.word("functionCall", "name")), p.text("text")
		switch {
		case name == qwenTool:
			c.s.show(todoCall{id: string(p.word("functionCall", "id")), tool: native.ToolOf(native.Qwen, name), sub: sub, input: p.member("functionCall", "args").raw()})
		case side:
			continue
		case name != "" && name != "tool_search": // that only loads tools
			t.tools++
			c.s.runs(p.word("functionCall", "id"))
		case len(text) > 0 && !p.isTrue("thought"):
			t.text.add(text)
			if t.last == lastOther {
				t.last = lastAnswer
			}
		}
		if name != "" && !side {
			t.last = lastCalls
		}
	}
}

// result applies the calls that have come to an end.
func (c *qwenChat) result(l *line, side bool, at todo.Time) {
	status := string(l.word("toolCallResult", "status"))
	if status == "cancelled" && !side {
		c.s.ends(lastCancel)
	}
	for p := range l.objects("message", "parts") {
		id := p.word("functionResponse", "id")
		if len(id) == 0 {
			id = l.word("toolCallResult", "callId")
		}
		if call, ok := c.s.popCall(id); ok {
			response := p.member("functionResponse", "response")
			text, failed := string(response.text("output")), string(response.text("error"))
			c.s.applyQwenResult(call, failed != "" || status != "" && status != "success", strings.TrimSpace(text+failed), at)
		}
	}
}
