package agent

import (
	"strings"

	"onward/internal/todo"
)

// qwenChat reads the files in which Qwen Code keeps its conversations, ~/.qwen/projects/…/chats/*.jsonl.
//
// The envelope of a line is that of a Claude Code transcript; the messages are in Gemini's form, with parts.
// A call has its result in a line of the type tool_result. No line ends a turn:
// a turn is what follows a user's message, and how it ended is seen from its last message.
type qwenChat struct {
	chat
	line qwenChatLine // the one that is being read
}

// qwenChatLine is what we need of a line.
type qwenChatLine struct {
	typ        word
	session    word
	timestamp  word
	provenance word // who wrote a line of the type user, in newer versions
	agentID    word // of a sub-agent
	side       bool
	parts      []qwenPart
	spoken     bool // the message has parts
	claude     bool // it has a content, so it is Claude Code's
	callID     word
	status     word
}

// qwenPart is a part of a message: a text, a call or its result.
type qwenPart struct {
	text     word
	thought  bool
	callID   word
	name     word
	args     value
	response value
}

func (l *qwenChatLine) members(m *members) {
	m.word("sessionId", &l.session)
	m.word("timestamp", &l.timestamp)
	m.word("type", &l.typ)
	m.word("provenance", &l.provenance)
	m.word("agentId", &l.agentID)
	m.truth("isSidechain", &l.side)
	m.object("message", func(m *members) {
		m.member("parts", func(k *walker) {
			l.spoken = true
			k.objects(maxBlocks, func() {
				var p qwenPart
				k.members(p.members)
				l.parts = append(l.parts, p)
			})
		})
		m.member("content", func(k *walker) { k.skip(); l.claude = true })
	})
	m.object("toolCallResult", func(m *members) {
		m.word("callId", &l.callID)
		m.word("status", &l.status)
	})
}

func (p *qwenPart) members(m *members) {
	m.text("text", &p.text)
	m.truth("thought", &p.thought)
	m.object("functionCall", func(m *members) {
		m.word("id", &p.callID)
		m.word("name", &p.name)
		m.value("args", &p.args)
	})
	m.object("functionResponse", func(m *members) {
		m.word("id", &p.callID)
		m.value("response", &p.response)
	})
}

var qwenChatLines = []lineType{
	{"user", unmarked},
	{"assistant", unmarked},
	{"tool_result", "sessionId toolCallResult"},
	{"system", "sessionId systemPayload"},
}

// detectQwenChat distinguishes messages from those of Claude Code by their parts.
func detectQwenChat(h *head) bool {
	return (string(h.typ) == "user" || string(h.typ) == "assistant") && h.has("sessionId", "uuid") && h.message.member("parts") != nil
}

func (c *qwenChat) read(line []byte) error {
	l := &c.line
	*l = qwenChatLine{parts: l.parts[:0]}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if len(l.session) == 0 || l.claude {
		return errForeign
	}
	if c.s == nil || string(l.session) != c.s.id {
		c.stop()
		c.s = c.r.session(c.a, string(l.session))
	}
	at := instant(l.timestamp)
	switch string(l.typ) {
	case "user":
		if prompt := len(l.provenance) == 0 || string(l.provenance) == "real_user"; l.spoken && prompt && !l.side {
			c.endTurn(0)
			c.s.begin(at)
		}
	case "assistant":
		c.assistant(l, at)
	case "tool_result":
		c.result(l, at)
	}
	return nil
}

func (c *qwenChat) assistant(l *qwenChatLine, at todo.Time) {
	t := c.s.current(at)
	if !l.side {
		c.last = chatUnanswered
		t.text.reset()
	}
	for i := range l.parts {
		p := &l.parts[i]
		switch name := string(p.name); {
		case name == qwenTool:
			c.s.show(todoCall{id: string(p.callID), tool: qwenTool, sub: l.subAgent(), input: p.args})
		case l.side:
			continue
		case name != "" && name != "tool_search": // that only loads tools
			t.tools++
		case len(p.text) > 0 && !p.thought:
			t.text.add(p.text)
			if c.last == chatUnanswered {
				c.last = chatAnswered
			}
		}
		if len(p.name) > 0 && !l.side {
			c.last = chatCalls
		}
	}
}

// subAgent names the sub-agent whose line it is; empty for the main agent.
func (l *qwenChatLine) subAgent() string {
	if !l.side {
		return ""
	}
	return SubAgentName(string(l.agentID))
}

// result applies the calls that have come to an end.
func (c *qwenChat) result(l *qwenChatLine, at todo.Time) {
	if string(l.status) == "cancelled" && !l.side {
		c.last = chatCancelled
	}
	for i := range l.parts {
		p := &l.parts[i]
		id := p.callID
		if len(id) == 0 {
			id = l.callID
		}
		if call, ok := c.s.popCall(id); ok {
			text, failed := string(p.response.member("output").text()), string(p.response.member("error").text())
			c.s.applyQwenResult(call, failed != "" || len(l.status) > 0 && string(l.status) != "success", strings.TrimSpace(text+failed), at)
		}
	}
}
