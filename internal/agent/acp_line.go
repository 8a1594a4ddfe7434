package agent

// acpLine is what we need of a line.
type acpLine struct {
	rpc     word
	id      word
	method  word
	session word // params.sessionId
	speaks  bool // params.protocolVersion is a number, as in no other protocol over JSON-RPC
	update  acpUpdate
	stop    word // result.stopReason
	version word // result.protocolVersion
	code    word // error.code
	failed  word // error.message, and what error.data says beyond that
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

// acpMeta is what some agents say beyond the protocol.
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

func (l *acpLine) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "jsonrpc":
			l.rpc = k.word()
		case "id":
			l.id = k.word()
		case "method":
			l.method = k.word()
		case "params":
			for name, more := k.object(); more; name, more = k.key() {
				switch string(name) {
				case "sessionId":
					l.session = k.word()
				case "update":
					l.update.scan(k)
				case "protocolVersion":
					l.speaks = k.peek() >= '0' && k.peek() <= '9'
					k.skip()
				default:
					k.skip()
				}
			}
		case "result":
			v := k.value()
			l.stop, l.version = v.member("stopReason").word(), v.member("protocolVersion").word()
		case "error":
			v := k.value()
			l.code, l.failed = v.member("code").word(), v.member("message").text()
			for _, more := range []value{v.member("data"), v.member("data", "details"), v.member("data", "message")} {
				if more.isString() {
					l.failed = word(string(l.failed) + ": " + string(more.text()))
				}
			}
		default:
			k.skip()
		}
	}
}

func (u *acpUpdate) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "sessionUpdate":
			u.kind = k.word()
		case "entries":
			u.entries = k.value()
		case "plan":
			u.plan.scan(k)
		case "planId":
			u.planID = k.word()
		case "id":
			u.id = k.word()
		case "toolCallId":
			u.toolCallID = k.word()
		case "title":
			u.title = k.word()
		case "status":
			u.status = k.word()
		case "rawInput":
			u.rawInput = k.value()
		case "rawOutput":
			u.rawOutput = k.value()
		case "_meta":
			v := k.value()
			u.meta = acpMeta{tool: v.member("toolName").word(), parent: v.member("parentToolCallId").word()}
		case "messageId":
			u.messageID = k.word()
		case "content":
			u.content = k.value()
		case "state":
			u.state = k.word()
		case "stopReason":
			u.stop = k.word()
		default:
			k.skip()
		}
	}
}

func (p *acpPlanUpdate) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "type":
			p.typ = k.word()
		case "planId":
			p.planID = k.word()
		case "id":
			p.id = k.word()
		case "entries":
			p.entries = k.value()
		default:
			k.skip()
		}
	}
}
