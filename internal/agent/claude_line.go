package agent

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// claudeLine is what we need of a line of Claude Code, of the stream or of a transcript.
type claudeLine struct {
	typ       word
	subtype   word
	session   word // the stream's
	file      word // the transcript's
	uuid      word
	timestamp word
	message   claudeMessage
	result    value // of the one tool whose result the message is

	// who speaks
	parent  word // tool use id of the call that started the sub-agent
	agentID word

	// assistant
	failed     value // error: the class of an API error, in Qwen Code an object with a message
	aborted    bool
	supersedes []string

	// system
	tools        bool // the tools are listed
	todoTool     bool // one of them is about the list
	socket       word
	backgrounded bool
	patched      bool // the same, as a change of it
	retracted    []string

	// result
	isError        bool
	judged         bool // whether it is an error is reported
	terminalReason word
	apiErrorStatus word
	apiErrorType   word
	errors         []string
	duration       word // milliseconds
	says           value
	usage          value // of the turn
	cost           word  // of the process until then, in US dollars

	// transcript
	parentUUID word
	version    word
	side       bool // a sub-agent's line
	meta       bool // the program's own words, not the user's
	apiError   bool
	content    value
	qwen       bool // a member shows that the line is Qwen Code's
}

// claudeMessage is a message, of which one line has one block or several:
// Claude Code writes one block a line, and other writers of this format the whole message.
type claudeMessage struct {
	id      word
	model   word
	stop    word
	content blocks
}

// sub reports whether the line is a sub-agent's.
func (l *claudeLine) sub() bool { return len(l.parent) > 0 || len(l.agentID) > 0 }

func (l *claudeLine) err() word { return l.failed.word() }

// uses reports whether a message calls tools.
func (l *claudeLine) uses() bool {
	return slices.ContainsFunc(l.message.content, func(b block) bool { return b.is("tool_use") })
}

// fails reports whether a result is that of a turn that failed.
func (l *claudeLine) fails() bool {
	return l.isError || !l.judged && strings.HasPrefix(string(l.subtype), "error")
}

// reset forgets the line, but for the memory of its blocks.
func (l *claudeLine) reset() {
	*l = claudeLine{message: claudeMessage{content: l.message.content[:0]}}
}

// read reads a line. One that neither plans nor begins or ends something is not validated as UTF-8, which takes as long.
func (l *claudeLine) read(line []byte, r *Reader) error {
	k := walker{b: line}
	if k.members(l.members); !k.done() || l.matters(&r.waiting) && !utf8.Valid(line) {
		return errNotJSON
	}
	return nil
}

func (l *claudeLine) matters(w *waiting) bool {
	switch string(l.typ) {
	case "assistant":
		return len(l.err()) > 0 || slices.ContainsFunc(l.message.content, func(b block) bool { return isTodoTool(b.name) })
	case "user":
		return l.message.content.hasResultFor(w)
	}
	return true
}

func (l *claudeLine) members(m *members) {
	m.word("parentUuid", &l.parentUUID)
	m.truth("isSidechain", &l.side)
	m.word("agentId", &l.agentID)
	m.word("sessionId", &l.file)
	m.word("version", &l.version)
	m.word("type", &l.typ)
	m.word("subtype", &l.subtype)
	m.object("message", func(m *members) {
		l.message.members(m)
		m.member("parts", func(k *walker) { k.skip(); l.qwen = true })
	})
	m.word("parent_tool_use_id", &l.parent)
	m.word("agent_id", &l.agentID)
	m.word("session_id", &l.session)
	m.word("uuid", &l.uuid)
	m.word("timestamp", &l.timestamp)
	m.value("tool_use_result", &l.result)
	m.value("toolUseResult", &l.result)
	m.value("error", &l.failed)
	m.truth("aborted", &l.aborted)
	m.words("supersedes", &l.supersedes)
	m.member("tools", l.scanTools)
	m.word("messaging_socket_path", &l.socket)
	m.truth("is_backgrounded", &l.backgrounded)
	m.object("patch", func(m *members) { m.truth("is_backgrounded", &l.patched) }) // of task_updated
	m.words("retracted_message_uuids", &l.retracted)
	m.words("retractedMessageUuids", &l.retracted)
	m.member("is_error", func(k *walker) { l.isError, l.judged = k.truth(), true })
	m.word("terminal_reason", &l.terminalReason)
	m.word("api_error_status", &l.apiErrorStatus)
	m.word("api_error_type", &l.apiErrorType)
	m.words("errors", &l.errors)
	m.word("duration_ms", &l.duration)
	m.value("result", &l.says)
	m.value("usage", &l.usage)
	m.word("total_cost_usd", &l.cost)
	for _, name := range [...]string{"isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"} {
		m.member(name, func(k *walker) { l.meta = k.truth() || l.meta })
	}
	m.truth("isApiErrorMessage", &l.apiError)
	m.value("content", &l.content)
	m.member("systemPayload", func(k *walker) { k.skip(); l.qwen = true })
}

func (l *claudeLine) scanTools(k *walker) {
	if !k.array() {
		return
	}
	for k.element() {
		name := k.word()
		l.tools = l.tools || len(name) > 0
		l.todoTool = l.todoTool || isTodoTool(name) || string(name) == qwenTool
	}
}

func (c *claudeMessage) members(m *members) {
	m.word("model", &c.model)
	m.word("id", &c.id)
	m.member("content", c.content.scan)
	m.word("stop_reason", &c.stop)
}
