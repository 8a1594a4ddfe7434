package agent

import (
	"strings"
)

// acp reads the lines of the Agent Client Protocol, versions 1 and 2, as an agent writes them to its client.
// A log of both directions contains more: the prompt that begins a turn, and the user's cancel.
//
// In version 1 the answer to the prompt ends the turn; in version 2 it only means that the prompt was accepted,
// and a state_update ends the turn. A plan is already a result: there is no call of a tool to wait for.
// Some agents send no plan but the call of their todo tool.
type acp struct {
	several[*acpSession]

	prompts map[string]*acpSession // by the id of the request
	asked   map[string]bool        // ids of the agent's own requests, which the client answers
	counted recent                 // calls of all sessions that were counted in a turn
	client  bool                   // the client's lines are in the log
}

var acpLines = []lineType{{"", unmarked}}

// detectACP goes by the method, because language servers and tool servers speak JSON-RPC too;
// agents whose streams begin with the same line are distinguished by its content. Of an agent's lines alone, answers tell enough.
func detectACP(l *line) bool {
	method := string(l.word("method"))
	return l.has("jsonrpc") && (strings.HasPrefix(method, "session/") || method == "cursor/update_todos" || l.fresh && (method == "initialize" ||
		l.member("result", "agentCapabilities") != nil || l.member("result", "stopReason").isString()))
}

func (p *acp) read(l *line) error {
	method, session := string(l.word("method")), l.word("params", "sessionId")
	if len(l.word("jsonrpc")) == 0 {
		return errForeign
	}
	if method == "initialize" && !l.member("params", "protocolVersion").isNumber() {
		return errUnknownType // language servers and tool servers begin like this too; the version is a number in this protocol alone
	}
	if p.now == nil {
		p.session(session)
	}
	switch method {
	case "session/update":
		p.update(session, l.member("params", "update"))
	case "":
		p.response(l)
	default:
		p.request(l, method, session)
	}
	return nil
}

// session goes to a session. Before any is named the log has one without a name, which the first one takes over.
func (p *acp) session(id word) *acpSession {
	if p.now != nil && len(id) == 0 {
		return p.enter(p.now) // Cursor's own requests name none
	}
	s := p.find(id)
	if s == nil && p.now != nil && p.now.id == "" && len(id) > 0 {
		s = p.now
		s.name(string(id))
	}
	if s == nil {
		s = &acpSession{stream: p.r.session(p.a, string(id)), p: p}
	}
	return p.enter(s)
}

// request is what one side asks of the other.
func (p *acp) request(l *line, method string, session word) {
	switch method {
	case "initialize":
		p.stop() // another process
		p.client = true
	case "session/new", "session/load", "session/resume":
		p.client = true
	case "session/prompt":
		p.client = true
		s := p.session(session)
		if s.newest() == nil {
			s.begin(0)
		}
		if p.prompts == nil || len(p.prompts) == maxWaiting {
			p.prompts = make(map[string]*acpSession)
		}
		p.prompts[string(l.word("id"))] = s
	case "cursor/update_todos":
		p.session(session).todos(l.member("params"))
	case "session/cancel":
		if t := p.session(session).newest(); t != nil {
			t.interrupted = true
		}
	default:
		if id := l.word("id"); len(id) > 0 && p.client {
			if p.asked == nil || len(p.asked) == maxWaiting {
				p.asked = make(map[string]bool)
			}
			p.asked[string(id)] = true
		}
	}
}

// response answers a request; both sides count their requests from their own zero.
func (p *acp) response(l *line) {
	id, reason := string(l.word("id")), string(l.word("result", "stopReason"))
	switch {
	case reason != "":
		s := p.now
		if asked := p.asker(id); asked != nil {
			s = asked
		}
		p.now = s
		s.end(reason, nil)
		delete(p.prompts, id)
	case len(l.word("result", "protocolVersion")) > 0:
		if !p.client {
			p.stop() // another process, of which only the agent's lines are here
		}
	case len(l.word("result", "sessionId")) > 0 && !p.client:
		p.session(l.word("result", "sessionId"))
	default:
		if p.asked[id] {
			delete(p.asked, id)
			return
		}
		why := l.member("error")
		if len(why.word("code")) == 0 && acpErrorText(why) == "" {
			delete(p.prompts, id) // accepted, in version 2
			return
		}
		s := p.asker(id)
		if s == nil && !p.client {
			s = p.now
		}
		if s != nil && s.newest() != nil {
			p.now = s
			s.end("", why)
		}
		delete(p.prompts, id)
	}
}

// asker returns the session whose prompt a response answers, or nil.
func (p *acp) asker(id string) *acpSession {
	if s := p.prompts[id]; s != nil && !s.left {
		return s
	}
	return nil
}

// acpErrorText returns the message of an error, and what its data adds to it.
func acpErrorText(why value) string {
	said := string(why.text("message"))
	for _, more := range []value{why.member("data"), why.member("data", "details"), why.member("data", "message")} {
		if more.isString() {
			said += ": " + string(more.text())
		}
	}
	return said
}

func (p *acp) update(session word, u value) {
	switch kind := string(u.word("sessionUpdate")); kind {
	case "plan":
		p.session(session).plan("", u.member("entries").list())
	case "plan_update":
		s := p.session(session)
		plan := u.member("plan")
		if typ := string(plan.word("type")); typ != "items" && (typ != "" || !plan.has("entries")) {
			s.warn("a plan of type %s is not a list of items", quote(typ))
			return
		}
		s.plan(acpPlanID(plan), plan.member("entries").list())
	case "plan_removed":
		p.session(session).remove(acpPlanID(u))
	case "tool_call", "tool_call_update":
		p.session(session).tool(u)
	case "agent_message", "agent_message_chunk":
		p.session(session).appendMessage(u, kind == "agent_message")
	case "state_update":
		s := p.session(session)
		switch state := string(u.word("state")); {
		case state == "running" && s.newest() == nil:
			s.begin(0)
		case state == "idle" && s.newest() != nil:
			s.end(string(u.word("stopReason")), nil)
		}
	}
}

// acpPlanID returns the id of a plan, whose name differs among agents.
func acpPlanID(plan value) string { return string(plan.word("planId")) + string(plan.word("id")) }

func (p *acp) stop() {
	p.several.stop()
	clear(p.prompts)
	clear(p.asked)
	p.client = false
}
