package agent

import (
	"slices"
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
	err        word
	aborted    bool
	supersedes []string

	// system
	tools        bool // the tools are listed
	todoTool     bool // one of them is about the list
	socket       word
	backgrounded bool
	retracted    []string

	// result
	isError        bool
	judged         bool // whether it is an error is told
	terminalReason word
	apiErrorStatus word
	apiErrorType   word
	errors         []string
	says           value

	// transcript
	parentUUID word
	version    word
	side       bool // a sub-agent's line
	meta       bool // the program's own words, not the user's
	apiError   bool
	content    value
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

// reset forgets the line, but for the memory of its blocks.
func (l *claudeLine) reset() {
	*l = claudeLine{message: claudeMessage{content: l.message.content[:0]}}
}

// read reads a line. One that neither plans nor begins or ends something is not proven to be UTF-8, which takes as long.
func (l *claudeLine) read(line []byte, r *Reader) error {
	k := walker{b: line}
	if l.scan(&k); !k.done() || l.matters(&r.waiting) && !utf8.Valid(line) {
		return errNotJSON
	}
	return nil
}

func (l *claudeLine) matters(w *waiting) bool {
	switch string(l.typ) {
	case "assistant":
		return len(l.err) > 0 || slices.ContainsFunc(l.message.content, func(b block) bool { return isTodoTool(b.name) })
	case "user":
		return l.message.content.answer(w)
	}
	return true
}

func (l *claudeLine) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "type":
			l.typ = k.word()
		case "subtype":
			l.subtype = k.word()
		case "session_id":
			l.session = k.word()
		case "sessionId":
			l.file = k.word()
		case "uuid":
			l.uuid = k.word()
		case "timestamp":
			l.timestamp = k.word()
		case "message":
			l.message.scan(k)
		case "tool_use_result", "toolUseResult":
			l.result = k.value()
		case "parent_tool_use_id":
			l.parent = k.word()
		case "agent_id", "agentId":
			l.agentID = k.word()
		default:
			l.scanMore(name, k)
		}
	}
}

// scanMore reads the members that few lines have.
func (l *claudeLine) scanMore(name []byte, k *walker) {
	switch string(name) {
	case "error":
		l.err = k.word()
	case "aborted":
		l.aborted = k.truth()
	case "supersedes":
		l.supersedes = k.words()
	case "tools":
		l.scanTools(k)
	case "messaging_socket_path":
		l.socket = k.word()
	case "is_backgrounded":
		l.backgrounded = k.truth()
	case "patch": // of task_updated
		l.backgrounded = l.backgrounded || k.value().member("is_backgrounded").truth()
	case "retracted_message_uuids", "retractedMessageUuids":
		l.retracted = append(l.retracted, k.words()...)
	case "is_error":
		l.isError, l.judged = k.truth(), true
	case "terminal_reason":
		l.terminalReason = k.word()
	case "api_error_status":
		l.apiErrorStatus = k.word()
	case "api_error_type":
		l.apiErrorType = k.word()
	case "errors":
		l.errors = k.words()
	case "result":
		l.says = k.value()
	case "parentUuid":
		l.parentUUID = k.word()
	case "version":
		l.version = k.word()
	case "isSidechain":
		l.side = k.truth()
	case "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly":
		l.meta = k.truth() || l.meta
	case "isApiErrorMessage":
		l.apiError = k.truth()
	case "content":
		l.content = k.value()
	default:
		k.skip()
	}
}

func (l *claudeLine) scanTools(k *walker) {
	if !k.array() {
		return
	}
	for k.element() {
		name := k.word()
		l.tools = l.tools || len(name) > 0
		l.todoTool = l.todoTool || isTodoTool(name)
	}
}

func (m *claudeMessage) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "id":
			m.id = k.word()
		case "model":
			m.model = k.word()
		case "stop_reason":
			m.stop = k.word()
		case "content":
			m.content.scan(k)
		default:
			k.skip()
		}
	}
}
