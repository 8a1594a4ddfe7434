package agent

import (
	"bytes"
	"maps"
)

// acp reads the lines of the Agent Client Protocol, versions 1 and 2, as an agent writes them to its client.
// A log of both directions contains more: the prompt that begins a turn, and the user's cancel.
//
// In version 1 the answer to the prompt ends the turn; in version 2 it only means that the prompt was accepted,
// and a state_update ends the turn. A plan is already a result: there is no call of a tool to wait for.
// Some agents send no plan but the call of their todo tool.
type acp struct {
	several[*acpSession]
	line acpLine // the one that is being read

	prompts map[string]*acpSession // by the id of the request
	asked   recent                 // ids of the agent's own requests, which the client answers
	counted recent                 // calls of all sessions that were counted in a turn
	client  bool                   // the client's lines are in the log
}

var acpLines = []lineType{{"", unmarked}}

// detectACP goes by the method, because language servers and tool servers speak JSON-RPC too;
// agents whose streams begin with the same line are distinguished by its content.
func detectACP(h *head) bool {
	return h.has("jsonrpc") && (bytes.HasPrefix(h.method, []byte("session/")) || string(h.method) == "cursor/update_todos" || h.fresh && string(h.method) == "initialize")
}

func (p *acp) abandon(s *stream) {
	p.several.abandon(s)
	maps.DeleteFunc(p.prompts, func(_ string, one *acpSession) bool { return one.stream == s })
}

func (p *acp) read(line []byte) error {
	l := &p.line
	*l = acpLine{}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if len(l.rpc) == 0 {
		return errForeign
	}
	if string(l.method) == "initialize" && !l.speaks.isNumber() {
		return errUnknownType // language servers and tool servers begin like this too
	}
	if p.now == nil {
		p.session(l.session)
	}
	switch string(l.method) {
	case "session/update":
		p.update(l.session, &l.update)
	case "":
		p.response(l)
	default:
		p.request(l)
	}
	return nil
}

// session goes to a session. Before any is named the log has one without a name, which the first one takes over.
func (p *acp) session(id word) *acpSession {
	if p.now != nil && len(id) == 0 {
		return p.enter(p.now) // Cursor's own requests name none
	}
	s := p.sessions[string(id)]
	if s == nil && p.now != nil && p.now.id == "" && len(id) > 0 {
		s = p.now
		p.rename(s, id)
	}
	if s == nil {
		s = &acpSession{stream: p.r.session(p.a, string(id)), p: p}
	}
	return p.enter(s)
}

// request is what one side asks of the other.
func (p *acp) request(l *acpLine) {
	switch string(l.method) {
	case "initialize":
		p.stop() // another process
		p.client = true
	case "session/new", "session/load", "session/resume":
		p.client = true
	case "session/prompt":
		p.client = true
		s := p.session(l.session)
		if s.newest() == nil {
			s.starts()
		}
		if len(p.prompts) == maxWaiting {
			clear(p.prompts)
		}
		if p.prompts == nil {
			p.prompts = make(map[string]*acpSession)
		}
		p.prompts[string(l.id)] = s
	case "cursor/update_todos":
		p.session(l.session).todos(&l.todos, p.client)
	case "session/cancel":
		if t := p.session(l.session).newest(); t != nil {
			t.interrupted = true
		}
	default:
		if len(l.id) > 0 && p.client {
			p.asked.add(l.id)
		}
	}
}

// response answers a request; both sides count their requests from their own zero.
func (p *acp) response(l *acpLine) {
	id := string(l.id)
	switch {
	case len(l.stop) > 0:
		s := p.now
		if asked := p.prompts[id]; asked != nil {
			s = asked
		}
		p.now = s
		s.end(string(l.stop), nil)
		delete(p.prompts, id)
	case len(l.version) > 0:
		if !p.client {
			p.stop() // another process, of which only the agent's lines are here
		}
	default:
		if p.asked.has(l.id) {
			p.asked.drop(l.id)
			return
		}
		if len(l.failed.member("code").word()) == 0 && len(l.errorText()) == 0 {
			delete(p.prompts, id) // accepted, in version 2
			return
		}
		s := p.prompts[id]
		if s == nil && !p.client {
			s = p.now
		}
		if s != nil && s.newest() != nil {
			p.now = s
			s.end("", l)
		}
		delete(p.prompts, id)
	}
}

func (p *acp) update(session word, u *acpUpdate) {
	switch string(u.kind) {
	case "plan":
		p.session(session).plan("", u.entries, p.client)
	case "plan_update":
		s := p.session(session)
		if typ := string(u.plan.typ); typ != "items" && (typ != "" || u.plan.entries == nil) {
			s.warn("a plan of type %s is not a list of items", quote(typ))
			return
		}
		s.plan(string(u.plan.planID)+string(u.plan.id), u.plan.entries, p.client)
	case "plan_removed":
		p.session(session).remove(string(u.planID) + string(u.id))
	case "tool_call", "tool_call_update":
		p.session(session).tool(u, p.client)
	case "agent_message", "agent_message_chunk":
		p.session(session).appendMessage(u, p.client)
	case "state_update":
		s := p.session(session)
		switch state := string(u.state); {
		case state == "running" && s.newest() == nil:
			s.starts()
		case state == "idle" && s.newest() != nil:
			s.end(string(u.stop), nil)
		}
	}
}

func (p *acp) stop() {
	for _, s := range p.rest() {
		s.stop()
		s.speaks, s.inside = false, ""
	}
	clear(p.prompts)
	p.asked.reset()
	p.client = false
}
