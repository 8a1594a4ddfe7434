package agent

import (
	"fmt"
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// geminiChat reads the files in which Gemini CLI keeps its conversations, ~/.gemini/tmp/…/chats/session-*.
//
// The newer ones (.jsonl) have the session's data on the first line, then a message a line. A
// message is written again under its id as its calls end, so its last line counts. A $set changes
// the session's data, and $rewindTo removes a message and all that follow it. The older ones
// (.json) are one object with all messages, over many lines.
//
// Calls are here with their results, the task tracker's too. No line ends a turn:
// a turn is what follows a user's message, and how it ended is seen from its last message.
type geminiChat struct {
	single

	seen    recent // messages by their ids, in order
	calls   recent // todo tools' whose end was seen, others that were counted
	tracker native.Tracker
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
func detectGeminiChat(l *line) bool {
	return len(l.typ) == 0 && (l.has("sessionId", "projectHash") || l.has("$set") || l.has("$rewindTo"))
}

func (c *geminiChat) read(l *line) error {
	theirs := len(l.word("uuid")) > 0
	switch to := l.word("$rewindTo"); {
	case len(to) > 0:
		c.rewind(to)
	case l.has("$set"):
		// Messages that come this way replace the history, compressed as they may be:
		// no user spoke, and what their calls did is known, unless the conversation begins with them.
		c.messages(l.member("$set", "messages"), c.known().sum.turns() == 0)
	case len(l.word("id")) > 0 && !theirs && len(l.typ) > 0:
		c.message(l.value, true)
	case len(l.word("sessionId")) > 0 && !theirs && len(l.typ) == 0:
		c.begin(l)
		c.messages(l.member("messages"), true)
	default:
		return errForeign
	}
	return nil
}

// messages applies the messages of a list.
func (c *geminiChat) messages(list value, spoken bool) {
	for m := range list.objects() {
		c.message(m, spoken)
	}
}

// begin goes to a session. A sub-agent's file names the sub-agent, not the session that it works for.
func (c *geminiChat) begin(l *line) {
	id := string(l.word("sessionId"))
	sub := ""
	if string(l.word("kind")) == "subagent" {
		sub = SubAgentName(id)
	}
	s := c.r.subSession(c.a, id, sub)
	if s == c.s {
		return
	}
	c.stop()
	*c = geminiChat{single: single{base: c.base, s: s}}
}

// message applies a message. If it does not count as spoken, only its calls are used.
func (c *geminiChat) message(m value, spoken bool) {
	s, at, typ, id := c.known(), instant(m.word("timestamp")), string(m.word("type")), m.word("id")
	if typ == "warning" {
		return
	}
	known := !c.seen.add(id)
	content := m.member("content")
	switch typ {
	case "user":
		if !known && spoken && !isCallResult(content) {
			s.stop()
			s.begin(at)
		}
	case "gemini":
		if spoken {
			t := s.current(at)
			t.last = lastOther
			t.text.reset()
			for b := range content.blocks() {
				t.text.add(b.text("text"))
				if b.speaks() {
					t.last = lastAnswer
				}
			}
		}
		n := 0
		for call := range m.objects("toolCalls") {
			n++
			of := call.word("id")
			if len(of) == 0 {
				of = fmt.Appendf(nil, "%s-%d", id, n)
			}
			c.call(of, call, at, spoken)
			if t := s.newest(); t == nil {
				continue
			} else if string(call.word("status")) == "cancelled" {
				t.last = lastCancel
			} else if t.last != lastCancel {
				t.last = lastCalls
			}
		}
	case "error":
		if t := s.newest(); t != nil && !known && spoken {
			t.failure = failureOf("", content.texts(), nil)
			t.last = lastFailure
		}
	case "info":
		if !known && spoken && strings.HasPrefix(content.texts(), "Request cancelled") {
			s.ends(lastCancel)
		}
	}
}

// isCallResult reports whether a message of the role user holds no text of the user: the result of
// a call has that role too.
func isCallResult(content value) bool {
	n := 0
	for b := range content.blocks() {
		if n++; b.speaks() {
			return false
		}
	}
	return n > 0
}

func (c *geminiChat) call(id word, call value, at todo.Time, spoken bool) {
	if c.calls.has(id) {
		return
	}
	tool := native.ToolOf(native.Gemini, string(call.word("name")))
	if tool == nil {
		c.calls.add(id)
		if spoken {
			c.s.current(at).tools++
		}
		return
	}
	asked, status := todoCall{id: string(id), tool: tool}, string(call.word("status"))
	switch status {
	case "success", "error", "cancelled":
	default:
		if c.s.find(id) < 0 {
			c.s.wait(asked)
		}
		return
	}
	c.s.popCall(id)
	c.calls.add(id)
	if status != "success" {
		said := chatSaid(call)
		c.s.rejected(asked, said, strings.Contains(said, "not found in registry") || strings.Contains(said, "tool_not_registered"))
		return
	}
	c.done(tool, string(id), call, at)
}

// chatSaid returns the text of a result: [{"functionResponse":{"response":{"output" or "error": …}}}].
func chatSaid(call value) string {
	for one := range call.objects("result") {
		response := one.member("functionResponse", "response")
		if said := string(response.text("output")) + string(response.text("error")); said != "" {
			return said
		}
	}
	return ""
}

// done applies a call that was accepted.
func (c *geminiChat) done(tool *native.Tool, id string, call value, at todo.Time) {
	args, display := call.member("args").raw(), call.member("resultDisplay").raw()
	before := change{at: c.seen.n, tasks: slices.Clone(c.tracker.Items)}
	if tool.Tracks() {
		changed, told := c.tracker.Apply(tool, native.Call{Input: args, Result: display, Said: chatSaid(call)})
		if !told {
			c.s.warn("%s was accepted, but the stream does not show its effect", quote(id))
		}
		if changed {
			c.emit(before, id, slices.Clone(c.tracker.Items), true, at)
		}
		return
	}
	if items, ok := c.s.accepted(id, native.ListIn(display, args)); ok {
		c.emit(before, id, items, false, at)
	}
}

func (c *geminiChat) emit(before change, id string, items []todo.Item, removes bool, at todo.Time) {
	c.set(items, before)
	c.s.list(Update{Event: continuation.Event{Removes: removes}, TodoID: id, At: at}, slices.Clone(items))
}

// rewind removes a message and all that follow it; an unknown message removes everything.
// The list returns to its state before them.
func (c *geminiChat) rewind(id word) {
	c.known().stop()
	if first, ok := c.back(c.seen.cut(id)); ok {
		c.tracker.Items = first.tasks
		c.s.list(Update{Event: continuation.Event{Removes: true}}, slices.Clone(c.list))
	}
}
