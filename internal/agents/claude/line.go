package claude

import (
	"cmp"
	"strings"

	"onward/internal/agents/stream"
	"onward/internal/todo"
)

// Line is a line of Claude Code, of the stream or of a transcript, with what most of them are asked for.
//
// Claude Code writes one block of a message a line, and other writers of this format the whole message.
type Line struct {
	*stream.Line
	session stream.Word // the stream's

	// who speaks
	parent  stream.Word // tool use id of the call that started the sub-agent
	agentID stream.Word

	content stream.Value // of its message
}

func lineOf(l *stream.Line) Line {
	return Line{l, l.Word("session_id"), l.Word("parent_tool_use_id"), l.Either("agent_id", "agentId").Word(), l.Member("message", "content")}
}

// idle reports whether a line neither plans nor begins or ends something.
func idle(p stream.Parser, l *stream.Line) bool {
	c, ok := p.(interface {
		isTodoTool(name stream.Word) bool
		awaits(l *stream.Line) bool
	})
	switch string(l.Type) {
	case "assistant":
		return ok && len(l.Word("error")) == 0 && !l.CallsTool(c.isTodoTool)
	case "user":
		return ok && !c.awaits(l)
	}
	return false
}

// At is the time of the line, or 0.
func (l *Line) At() todo.Time { return stream.ParseInstant(l.Word("timestamp")) }

// file is the session of a transcript's line, and side reports whether the line is a sub-agent's.
func (l *Line) file() stream.Word { return l.Word("sessionId") }
func (l *Line) side() bool        { return l.IsTrue("isSidechain") }
func (l *Line) uuid() stream.Word { return l.Word("uuid") }

// Subtype is what a line of the types system and result is about.
func (l *Line) Subtype() string { return string(l.Word("subtype")) }

// sub reports whether the line is a sub-agent's.
func (l *Line) sub() bool { return len(l.parent) > 0 || len(l.agentID) > 0 }

// agent identifies the sub-agent whose line it is; it is empty for the main agent.
func (l *Line) agent() string { return cmp.Or(string(l.parent), string(l.agentID)) }

// err is the class of an API error; in streams of other agents the member may be an object with a message.
func (l *Line) err() stream.Word { return l.Word("error") }

// result is the result of the one tool whose result the message is.
func (l *Line) result() stream.Value { return l.Either("tool_use_result", "toolUseResult") }

// retracted are the lines that the model took back.
func (l *Line) retracted() []string {
	return l.Either("retracted_message_uuids", "retractedMessageUuids").Words()
}

// isMessage reports whether the line is part of the conversation.
func (l *Line) isMessage() bool { return l.Is("assistant") || l.Is("user") || l.Is("system") }

// callsTools reports whether a message calls tools.
func (l *Line) callsTools() bool { return l.CallsTool(func(stream.Word) bool { return true }) }

// ReportsFailedTurn reports whether a result is that of a turn that failed. One that reached the user's limit for it can go on in the
// next one, under any of the names that versions give to that, unless the limit is one of money.
func (l *Line) ReportsFailedTurn() bool {
	switch l.Subtype() {
	case turnLimit:
		return false
	case budgetLimit:
		return true
	}
	return l.IsTrue("is_error") || !l.Has("is_error") && strings.HasPrefix(l.Subtype(), "error")
}

// EndsTurnEarly reports whether a result is that of a turn that did not come to its own end.
func (l *Line) EndsTurnEarly() bool { return l.ReportsFailedTurn() || l.Subtype() == turnLimit }

// The subtypes of a result that reached a limit of the user.
const (
	turnLimit   = "error_max_turns"
	budgetLimit = "error_max_budget_usd"
)

// isMeta reports whether a transcript's line has the program's own words, not the user's.
func (l *Line) isMeta() bool {
	return l.IsTrue("isMeta") || l.IsTrue("isCompactSummary") || l.IsTrue("isVisibleInTranscriptOnly")
}
