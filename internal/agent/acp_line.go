package agent

// acpLine is what we need of a line.
type acpLine struct {
	rpc     word
	id      word
	method  word
	session word  // params.sessionId
	speaks  value // params.protocolVersion, a number as in no other protocol over JSON-RPC
	update  acpUpdate
	todos   acpTodos // params of cursor/update_todos
	stop    word     // result.stopReason
	version word     // result.protocolVersion
	failed  value    // error
}

// acpUpdate is a session's update, of any kind.
type acpUpdate struct {
	kind       word
	entries    value
	plan       acpPlanUpdate
	planID     word
	id         word
	toolCallID word
	title      word
	status     word
	rawInput   value
	rawOutput  value
	meta       acpMeta
	messageID  word
	content    value
	state      word
	stop       word
}

// acpTodos is a list as Cursor reports it by an extension of the protocol.
type acpTodos struct {
	callID word
	list   value
	merge  bool
}

func (t *acpTodos) members(m *members) {
	m.word("toolCallId", &t.callID)
	m.value("todos", &t.list)
	m.truth("merge", &t.merge)
}

// acpMeta contains extensions of the protocol by some agents.
type acpMeta struct {
	tool   word
	parent word // of a sub-agent's call
}

type acpPlanUpdate struct {
	typ     word
	planID  word
	id      word
	entries value
}

func (l *acpLine) members(m *members) {
	m.word("jsonrpc", &l.rpc)
	m.word("id", &l.id)
	m.word("method", &l.method)
	m.object("params", func(m *members) {
		m.word("sessionId", &l.session)
		m.object("update", l.update.members)
		m.value("protocolVersion", &l.speaks)
		l.todos.members(m)
	})
	m.object("result", func(m *members) {
		m.word("stopReason", &l.stop)
		m.word("protocolVersion", &l.version)
	})
	m.value("error", &l.failed)
}

// errorText returns the message of an error, and what its data adds to it.
func (l *acpLine) errorText() string {
	said := string(l.failed.member("message").text())
	for _, more := range []value{l.failed.member("data"), l.failed.member("data", "details"), l.failed.member("data", "message")} {
		if more.isString() {
			said += ": " + string(more.text())
		}
	}
	return said
}

func (u *acpUpdate) members(m *members) {
	m.word("sessionUpdate", &u.kind)
	m.value("entries", &u.entries)
	m.object("plan", u.plan.members)
	m.word("planId", &u.planID)
	m.word("id", &u.id)
	m.word("toolCallId", &u.toolCallID)
	m.word("title", &u.title)
	m.word("status", &u.status)
	m.value("rawInput", &u.rawInput)
	m.value("rawOutput", &u.rawOutput)
	m.object("_meta", func(m *members) {
		m.word("toolName", &u.meta.tool)
		m.word("parentToolCallId", &u.meta.parent)
	})
	m.word("messageId", &u.messageID)
	m.value("content", &u.content)
	m.word("state", &u.state)
	m.word("stopReason", &u.stop)
}

func (p *acpPlanUpdate) members(m *members) {
	m.word("type", &p.typ)
	m.word("planId", &p.planID)
	m.word("id", &p.id)
	m.value("entries", &p.entries)
}
