package agent

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// geminiChat reads the files in which Gemini CLI keeps its conversations, ~/.gemini/tmp/…/chats/session-*.
//
// The newer ones (.jsonl) have the session's data on the first line, then a message a line. A message is written again under its id
// as its calls end, so its last line counts. A $set changes the session's data, and $rewindTo removes a message
// and all that follow it. The older ones (.json) are one object with all messages, over many lines.
//
// Calls are here with their results, the task tracker's too. No line ends a turn:
// a turn is what follows a user's message, and how it ended is seen from its last message.
type geminiChat struct {
	chat

	blocks   blocks // of the line that is being read
	messages recent // by id, in order
	calls    recent // todo tools' whose end was seen, others that were counted
	tracker  native.Tracker
	list     []todo.Item
	history
}

var geminiChatLines = []lineType{
	{"user", unmarked},
	{"gemini", "id content"},
	{"info", unmarked},
	{"error", unmarked},
	{"warning", unmarked},
}

// detectGeminiChat knows the lines that are no messages, which have no type.
func detectGeminiChat(h *head) bool {
	return len(h.typ) == 0 && (h.has("sessionId", "projectHash") || h.has("$set") || h.has("$rewindTo"))
}

func (c *geminiChat) read(line []byte) error {
	l := chatLine{chatMessage: chatMessage{content: c.blocks}}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	c.blocks = l.content[:0]
	switch {
	case len(l.rewindTo) > 0:
		c.rewind(l.rewindTo)
	case len(l.set) > 0:
		c.set(l.set)
	case len(l.id) > 0 && len(l.uuid) == 0 && len(l.typ) > 0:
		c.message(&l.chatMessage, true)
	case len(l.session) > 0 && len(l.uuid) == 0 && len(l.typ) == 0:
		c.begin(&l)
		c.messagesIn(l.messages, true)
	default:
		return errForeign
	}
	return nil
}

// messagesIn applies the messages of a list.
func (c *geminiChat) messagesIn(list value, spoken bool) {
	k := walker{b: list}
	k.objects(math.MaxInt, func() {
		var m chatMessage
		k.members(m.members)
		c.message(&m, spoken)
	})
}

// begin goes to a session. A sub-agent's file names the sub-agent, not the session that it works for.
func (c *geminiChat) begin(l *chatLine) {
	id := string(l.session)
	sub := ""
	if string(l.kind) == "subagent" {
		sub = SubAgentName(id)
	}
	s := c.r.subSession(c.a, id, sub)
	if s == c.s {
		return
	}
	c.stop()
	*c = geminiChat{chat: chat{single: single{c.base, s}}, blocks: c.blocks}
}

// set changes the session's data. Messages that come this way replace the history, compressed as they may be:
// no user spoke, and what their calls did is known, unless the conversation begins with them.
func (c *geminiChat) set(v value) {
	first := c.known().sum.turns() == 0
	c.messagesIn(v.member("messages"), first)
}

// message applies a message. If it does not count as spoken, only its calls are used.
func (c *geminiChat) message(m *chatMessage, spoken bool) {
	s, at := c.known(), instant(m.timestamp)
	if string(m.typ) == "warning" {
		return
	}
	known := !c.messages.add(m.id)
	switch string(m.typ) {
	case "user":
		if !known && spoken && !isCallResult(m.content) {
			c.endTurn(0)
			s.begin(at)
		}
	case "gemini":
		if spoken {
			t := s.current(at)
			c.last = chatUnanswered
			t.text.reset()
			for i := range m.content {
				text := m.content[i].text.text()
				t.text.add(text)
				if len(text) > 0 {
					c.last = chatAnswered
				}
			}
		}
		for i := range m.calls {
			if len(m.calls[i].id) == 0 {
				m.calls[i].id = fmt.Appendf(nil, "%s-%d", m.id, i+1)
			}
			c.call(&m.calls[i], at, spoken)
			if string(m.calls[i].status) == "cancelled" {
				c.last = chatCancelled
			} else if c.last != chatCancelled {
				c.last = chatCalls
			}
		}
	case "error":
		if t := s.newest(); t != nil && !known && spoken {
			t.failure = failureOf("", m.content.text(), nil)
			c.last = chatFailed
		}
	case "info":
		if !known && spoken && strings.HasPrefix(m.content.text(), "Request cancelled") {
			c.last = chatCancelled
		}
	}
}

// isCallResult reports whether a message of the role user holds no text of the user: the result of a call has that role too.
func isCallResult(content blocks) bool {
	for i := range content {
		if content[i].speaks() {
			return false
		}
	}
	return len(content) > 0
}

func (c *geminiChat) call(call *chatCall, at todo.Time, spoken bool) {
	name := string(call.name)
	if c.calls.has(call.id) {
		return
	}
	tool := native.ToolOf(native.Gemini, name)
	if tool == nil {
		c.calls.add(call.id)
		if spoken {
			c.s.current(at).tools++
		}
		return
	}
	looks := tool.Does.ReadOnly()
	switch string(call.status) {
	case "success", "error", "cancelled":
	default:
		if c.s.find(call.id) < 0 {
			c.s.wait(todoCall{id: string(call.id), tool: name, looks: looks})
		}
		return
	}
	c.s.popCall(call.id)
	c.calls.add(call.id)
	if string(call.status) != "success" {
		if !looks {
			said := call.said()
			c.s.rejected(Call{Tool: name, ID: string(call.id)}, said, strings.Contains(said, "not found in registry") || strings.Contains(said, "tool_not_registered"))
		}
		return
	}
	c.done(tool, call, at)
}

// done applies a call that was accepted.
func (c *geminiChat) done(tool *native.Tool, call *chatCall, at todo.Time) {
	id := string(call.id)
	before := change{at: c.messages.count(), before: c.list, tasks: slices.Clone(c.tracker.Items)}
	if tool.Tracks() {
		changed, told := c.tracker.Apply(tool, native.Call{Input: object.Value(call.args), Result: object.Value(call.display), Said: call.said()})
		if !told {
			c.s.warn("%s was accepted, and nothing tells what it did", quote(id))
		}
		if changed {
			c.emit(before, id, slices.Clone(c.tracker.Items), at)
		}
		return
	}
	if items, ok := c.s.accepted(id, listIn(call.display, call.args)); ok {
		c.emit(before, id, items, at)
	}
}

func (c *geminiChat) emit(before change, id string, items []todo.Item, at todo.Time) {
	c.add(before)
	c.list = items
	c.s.list(Update{TodoID: id, At: at}, slices.Clone(items))
}

// rewind removes a message and all that follow it; an unknown message removes everything.
// The list returns to its state before them.
func (c *geminiChat) rewind(id word) {
	c.known()
	c.endTurn(0)
	if first, ok := c.back(c.messages.cut(id)); ok {
		c.list, c.tracker.Items = first.before, first.tasks
		c.s.list(Update{}, slices.Clone(c.list))
	}
}
