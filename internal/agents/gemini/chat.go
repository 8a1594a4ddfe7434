package gemini

import (
	"fmt"
	"slices"
	"strings"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// chat reads the files in which Gemini CLI keeps its conversations, ~/.gemini/tmp/…/chats/session-*.
//
// The newer ones (.jsonl) have the session's data on the first line, then a message a line. A
// message is written again under its id as its calls end, so its last line counts. A $set changes
// the session's data, and $rewindTo removes a message and all that follow it. The older ones
// (.json) are one object with all messages, over many lines.
//
// Calls are here with their results, the task tracker's too. No line ends a turn:
// a turn is what follows a user's message, and how it ended is seen from its last message.
type chat struct {
	stream.SequentialSessions

	seen    stream.RecentIDs // messages by their ids, in order
	calls   stream.RecentIDs // todo tools' whose end was seen, others that were counted
	ended   stream.RecentIDs // other tools' whose end was seen
	tracker tracker
	stream.History
}

var chatLines = []stream.LineType{
	{Name: "user"},
	{Name: "gemini", Marks: "id content"},
	{Name: "info"},
	{Name: "error"},
	{Name: "warning"},
}

// detectChat knows the lines that are no messages, which have no type.
func detectChat(l *stream.Line) bool {
	return len(l.Type) == 0 && (l.Has("sessionId", "projectHash") || l.Has("$set") || l.Has("$rewindTo"))
}

func (c *chat) Read(l *stream.Line) error {
	theirs := len(l.Word("uuid")) > 0
	switch to := l.Word("$rewindTo"); {
	case len(to) > 0:
		c.rewind(to)
	case l.Has("$set"):
		// Messages that come this way replace the history, compressed as they may be:
		// no user spoke, and what their calls did is known, unless the conversation begins with them.
		c.messages(l.Member("$set", "messages"), c.KnownSession().Turns() == 0)
	case len(l.Word("id")) > 0 && !theirs && len(l.Type) > 0:
		c.applyMessage(l.Value, true)
	case len(l.Word("sessionId")) > 0 && !theirs && len(l.Type) == 0:
		c.begin(l)
		c.messages(l.Member("messages"), true)
	default:
		return stream.ErrOtherAgent
	}
	return nil
}

// messages applies the messages of a list.
func (c *chat) messages(list stream.Value, spoken bool) {
	for m := range list.Objects() {
		c.applyMessage(m, spoken)
	}
}

// begin goes to a session. A sub-agent's file names the sub-agent, not the session that it works for.
func (c *chat) begin(l *stream.Line) {
	id := string(l.Word("sessionId"))
	sub := ""
	if string(l.Word("kind")) == "subagent" {
		sub = stream.SubAgentName(id)
	}
	s := c.OpenSub(id, sub)
	if s == c.Session {
		return
	}
	c.Stop()
	*c = chat{SequentialSessions: c.SequentialSessions}
	c.Session = s
}

// applyMessage applies a message. If it does not count as spoken, only its calls are used.
func (c *chat) applyMessage(m stream.Value, spoken bool) {
	s, at, typ, id := c.KnownSession(), stream.ParseInstant(m.Word("timestamp")), string(m.Word("type")), m.Word("id")
	if typ == "warning" {
		return
	}
	known := !c.seen.Add(id)
	content := m.Member("content")
	switch typ {
	case "user":
		if !known && spoken && !isCallResult(content) {
			s.Stop()
			s.BeginTurn(at)
		}
	case "gemini":
		if spoken {
			t := s.CurrentTurn(at)
			t.Last = stream.LastOther
			t.Text.Reset()
			for b := range content.Blocks() {
				t.Text.Add(b.Text("text"))
				if b.HasText() {
					t.Last = stream.LastAnswer
				}
			}
		}
		n := 0
		for call := range m.Objects("toolCalls") {
			n++
			of := call.Word("id")
			if len(of) == 0 {
				of = fmt.Appendf(nil, "%s-%d", id, n)
			}
			c.call(of, call, at, spoken)
			c.noteRepeated(of, call, at)
			if t := s.NewestTurn(); t == nil {
				continue
			} else if string(call.Word("status")) == "cancelled" {
				t.Last = stream.LastCancel
			} else if t.Last != stream.LastCancel {
				t.Last = stream.LastCalls
			}
		}
	case "error":
		if t := s.NewestTurn(); t != nil && !known && spoken {
			t.Failure = stream.FailureOf("", content.Texts(), nil)
			t.Last = stream.LastFailure
		}
	case "info":
		if !known && spoken && strings.HasPrefix(content.Texts(), "Request cancelled") {
			s.SetLastStep(stream.LastCancel)
		}
	}
}

// isCallResult reports whether a message of the role user holds no text of the user: the result of
// a call has that role too.
func isCallResult(content stream.Value) bool {
	n := 0
	for b := range content.Blocks() {
		if n++; b.HasText() {
			return false
		}
	}
	return n > 0
}

func (c *chat) call(id stream.Word, call stream.Value, at todo.Time, spoken bool) {
	if c.calls.Has(id) {
		return
	}
	tool := tools.Find(string(call.Word("name")))
	if tool == nil {
		c.calls.Add(id)
		if spoken {
			c.Session.CurrentTurn(at).Tools++
		}
		return
	}
	asked, status := stream.AwaitedTodoCall{ID: string(id), Tool: tool}, string(call.Word("status"))
	switch status {
	case "success", "error", "cancelled":
	default:
		if !c.Session.AwaitsResult(id) {
			c.Session.RecordCall(asked)
		}
		return
	}
	c.Session.PopCall(id)
	c.calls.Add(id)
	if status != "success" {
		said := chatSaid(call)
		c.Session.Reject(asked, said, strings.Contains(said, "not found in registry") || strings.Contains(said, "tool_not_registered"))
		return
	}
	c.applyAccepted(tool, string(id), call, at)
}

// noteRepeated notes a call that has ended, by which a loop is known. It took from its message to its own time; without one, nobody knows
// whether it was long, and it is not noted.
func (c *chat) noteRepeated(id stream.Word, call stream.Value, at todo.Time) {
	end := stream.ParseInstant(call.Word("timestamp"))
	name := string(call.Word("name"))
	if !c.Session.FindsLoops() || at == 0 || end < at || tools.Find(name) != nil || !c.ended.Add(id) {
		return
	}
	c.Session.NoteCall(id, name, call.Member("args").Raw())
	said, _, _ := strings.Cut(chatSaid(call), "\nProcess Group PGID:") // which is another one each time
	c.Session.NoteAnswerText(id, at.Since(end), []byte(said), call.Word("status"))
}

// chatSaid returns the text of a result: [{"functionResponse":{"response":{"output" or "error": …}}}].
func chatSaid(call stream.Value) string {
	for one := range call.Objects("result") {
		response := one.Member("functionResponse", "response")
		if said := string(response.Text("output")) + string(response.Text("error")); said != "" {
			return said
		}
	}
	return ""
}

// applyAccepted applies a call that was accepted.
func (c *chat) applyAccepted(tool *native.Tool, id string, call stream.Value, at todo.Time) {
	args, display := call.Member("args").Raw(), call.Member("resultDisplay").Raw()
	before := stream.Change{At: c.seen.Len(), Tasks: slices.Clone(c.tracker.Items)}
	if tracks(tool) {
		changed, told := c.tracker.apply(tool, native.Call{Input: args, Result: display, Said: chatSaid(call)})
		if !told {
			c.Session.Warn("%s was accepted, but the stream does not show its effect", stream.Quote(id))
		}
		if changed {
			c.emit(before, id, slices.Clone(c.tracker.Items), true, at)
		}
		return
	}
	if items, ok := c.Session.Accepted(stream.AwaitedTodoCall{ID: id}, native.ListIn(display, args)); ok {
		c.emit(before, id, items, false, at)
	}
}

func (c *chat) emit(before stream.Change, id string, items []todo.Item, deletes bool, at todo.Time) {
	c.Set(items, before)
	c.Session.EmitList(stream.Update{Event: continuation.Event{Deletes: deletes}, TodoID: id, At: at}, slices.Clone(items))
}

// rewind removes a message and all that follow it; an unknown message removes everything.
// The list returns to its state before them.
func (c *chat) rewind(id stream.Word) {
	c.KnownSession().Stop()
	if first, ok := c.UndoAfter(c.seen.RemoveFrom(id)); ok {
		c.tracker.Items = first.Tasks
		c.Session.EmitList(stream.Update{Event: continuation.Event{Removes: true}}, slices.Clone(c.List))
	}
}
