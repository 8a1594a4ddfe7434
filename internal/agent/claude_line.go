package agent

import (
	"strings"

	"onward/internal/todo"
)

// claudeLine is a line of Claude Code, of the stream or of a transcript, with what most of them are asked for.
//
// Claude Code writes one block of a message a line, and other writers of this format the whole message.
type claudeLine struct {
	*line
	session word // the stream's

	// who speaks
	parent  word // tool use id of the call that started the sub-agent
	agentID word

	content value // of its message
}

func claudeLineOf(l *line) claudeLine {
	return claudeLine{l, l.word("session_id"), l.word("parent_tool_use_id"), l.either("agent_id", "agentId").word(), l.member("message", "content")}
}

// claudeIdle reports whether a line neither plans nor begins or ends something.
func claudeIdle(r *Reader, l *line) bool {
	switch string(l.typ) {
	case "assistant":
		return len(l.word("error")) == 0 && !l.callsTool(func(name word) bool { return isTodoTool(name) || isQwenTool(name) })
	case "user":
		return !l.hasResultFor(&r.waiting)
	}
	return false
}

func (l *claudeLine) at() todo.Time { return instant(l.word("timestamp")) }

// file is the session of a transcript's line, and side reports whether the line is a sub-agent's.
func (l *claudeLine) file() word { return l.word("sessionId") }
func (l *claudeLine) side() bool { return l.isTrue("isSidechain") }
func (l *claudeLine) uuid() word { return l.word("uuid") }

func (l *claudeLine) subtype() string { return string(l.word("subtype")) }

// sub reports whether the line is a sub-agent's.
func (l *claudeLine) sub() bool { return len(l.parent) > 0 || len(l.agentID) > 0 }

// err is the class of an API error; in Qwen Code the member is an object with a message.
func (l *claudeLine) err() word { return l.word("error") }

// result is the result of the one tool whose result the message is.
func (l *claudeLine) result() value { return l.either("tool_use_result", "toolUseResult") }

// retracted are the lines that the model took back.
func (l *claudeLine) retracted() []string {
	return l.either("retracted_message_uuids", "retractedMessageUuids").words()
}

// isMessage reports whether the line is part of the conversation.
func (l *claudeLine) isMessage() bool { return l.is("assistant") || l.is("user") || l.is("system") }

// uses reports whether a message calls tools.
func (l *claudeLine) uses() bool { return l.callsTool(func(word) bool { return true }) }

// fails reports whether a result is that of a turn that failed.
func (l *claudeLine) fails() bool {
	return l.isTrue("is_error") || !l.has("is_error") && strings.HasPrefix(l.subtype(), "error")
}

// isMeta reports whether a transcript's line has the program's own words, not the user's.
func (l *claudeLine) isMeta() bool {
	return l.isTrue("isMeta") || l.isTrue("isCompactSummary") || l.isTrue("isVisibleInTranscriptOnly")
}
