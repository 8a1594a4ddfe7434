package acp

import (
	"strings"

	"onward/internal/agents/stream"
)

// The names of an agent that speaks the protocol and of what it writes.
const (
	Kind stream.Kind = "acp"

	Stream stream.Format = "acp"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "a log of the Agent Client Protocol's JSON-RPC lines, version 1 or 2", List: "`plan`; `plan_update`; `AGENT/update_todos`; else the agent's todo tool",
		Lines: lines, Detect: detect, New: func() stream.Parser { return new(parser) },
	},
}

// parser reads the lines of the Agent Client Protocol, versions 1 and 2, as an agent writes them to its client.
// A log of both directions contains more: the prompt that begins a turn, and the user's cancel.
//
// In version 1 the answer to the prompt ends the turn; in version 2 it only means that the prompt was accepted,
// and a state_update ends the turn. A plan is already a result: there is no call of a tool to wait for.
// Some agents send no plan but the call of their todo tool.
type parser struct {
	stream.Interleaved[*conversation]

	prompts map[string]*conversation // by the id of the request
	asked   map[string]bool          // ids of the agent's own requests, which the client answers
	counted stream.RecentIDs         // calls of all sessions that were counted in a turn
	client  bool                     // the client's lines are in the log
}

var lines = []stream.LineType{{Name: ""}}

// detect goes by the method, because language servers and tool servers speak JSON-RPC too;
// agents whose streams begin with the same line are distinguished by its content. Of an agent's lines alone, answers tell enough.
func detect(l *stream.Line) bool {
	method := string(l.Word("method"))
	return l.Has("jsonrpc") && (strings.HasPrefix(method, "session/") || updatesTodos(method) || l.Fresh && (method == "initialize" ||
		l.Member("result", "agentCapabilities") != nil || l.Member("result", "stopReason").IsString()))
}

// updatesTodos reports whether a request is an agent's own, by which it sends its list to the client.
func updatesTodos(method string) bool { return strings.HasSuffix(method, "/update_todos") }

func (p *parser) Read(l *stream.Line) error {
	method, session := string(l.Word("method")), l.Word("params", "sessionId")
	if len(l.Word("jsonrpc")) == 0 {
		return stream.ErrOtherAgent
	}
	if method == "initialize" && !l.Member("params", "protocolVersion").IsNumber() {
		return stream.ErrUnknownType // language servers and tool servers begin like this too; the version is a number in this protocol alone
	}
	if p.Now == nil {
		p.session(session)
	}
	switch method {
	case "session/update":
		p.update(session, l.Member("params", "update"))
	case "":
		p.response(l)
	default:
		p.request(l, method, session)
	}
	return nil
}

// session goes to a session. Before any is named the log has one without a name, which the first one takes over.
func (p *parser) session(id stream.Word) *conversation {
	if p.Now != nil && len(id) == 0 {
		return p.EnterSession(p.Now) // an agent's own requests may name none
	}
	s := p.FindSession(id)
	if s == nil && p.Now != nil && p.Now.ID == "" && len(id) > 0 {
		s = p.Now
		s.SetID(string(id))
	}
	if s == nil {
		s = &conversation{Session: p.Open(string(id)), p: p}
	}
	return p.EnterSession(s)
}

// request is what one side asks of the other.
func (p *parser) request(l *stream.Line, method string, session stream.Word) {
	if updatesTodos(method) {
		p.session(session).todos(l.Member("params"))
		return
	}
	switch method {
	case "initialize":
		p.Stop() // another process
		p.client = true
	case "session/new", "session/load", "session/resume":
		p.client = true
	case "session/prompt":
		p.client = true
		s := p.session(session)
		if s.NewestTurn() == nil {
			s.BeginTurn(0)
		}
		if p.prompts == nil || len(p.prompts) == stream.MaxWaiting {
			p.prompts = make(map[string]*conversation)
		}
		p.prompts[string(l.Word("id"))] = s
	case "session/cancel":
		if t := p.session(session).NewestTurn(); t != nil {
			t.Interrupted = true
		}
	default:
		if id := l.Word("id"); len(id) > 0 && p.client {
			if p.asked == nil || len(p.asked) == stream.MaxWaiting {
				p.asked = make(map[string]bool)
			}
			p.asked[string(id)] = true
		}
	}
}

// response answers a request; both sides count their requests from their own zero.
func (p *parser) response(l *stream.Line) {
	id, reason := string(l.Word("id")), string(l.Word("result", "stopReason"))
	switch {
	case reason != "":
		s := p.Now
		if asked := p.asker(id); asked != nil {
			s = asked
		}
		p.Now = s
		s.used(l.Member("result", "usage"))
		s.endTurn(reason, nil)
		delete(p.prompts, id)
	case len(l.Word("result", "protocolVersion")) > 0:
		if !p.client {
			p.Stop() // another process; only its agent's lines are here
		}
	case len(l.Word("result", "sessionId")) > 0 && !p.client:
		p.session(l.Word("result", "sessionId"))
	default:
		if p.asked[id] {
			delete(p.asked, id)
			return
		}
		why := l.Member("error")
		if len(why.Word("code")) == 0 && errorText(why) == "" {
			delete(p.prompts, id) // accepted, in version 2
			return
		}
		s := p.asker(id)
		if s == nil && !p.client {
			s = p.Now
		}
		if s != nil && s.NewestTurn() != nil {
			p.Now = s
			s.endTurn("", why)
		}
		delete(p.prompts, id)
	}
}

// asker returns the session whose prompt a response answers, or nil.
func (p *parser) asker(id string) *conversation {
	if s := p.prompts[id]; s != nil && !s.Abandoned {
		return s
	}
	return nil
}

// errorText returns the message of an error, and what its data adds to it.
func errorText(why stream.Value) string {
	said := string(why.Text("message"))
	for _, more := range []stream.Value{why.Member("data"), why.Member("data", "details"), why.Member("data", "message")} {
		if more.IsString() {
			said += ": " + string(more.Text())
		}
	}
	return said
}

func (p *parser) update(session stream.Word, u stream.Value) {
	switch kind := string(u.Word("sessionUpdate")); kind {
	case "plan":
		p.session(session).replacePlan("", u.Member("entries").List())
	case "plan_update":
		s := p.session(session)
		plan := u.Member("plan")
		if typ := string(plan.Word("type")); typ != "items" && (typ != "" || !plan.Has("entries")) {
			s.Warn("a plan of type %s is not a list of items", stream.Quote(typ))
			return
		}
		s.replacePlan(planID(plan), plan.Member("entries").List())
	case "plan_removed":
		p.session(session).remove(planID(u))
	case "tool_call", "tool_call_update":
		p.session(session).countCall(u)
	case "agent_message", "agent_message_chunk":
		p.session(session).appendMessage(u, kind == "agent_message")
	case "usage_update":
		p.session(session).spend(u)
	case "state_update":
		s := p.session(session)
		switch state := string(u.Word("state")); {
		case state == "running" && s.NewestTurn() == nil:
			s.BeginTurn(0)
		case state == "idle" && s.NewestTurn() != nil:
			s.endTurn(string(u.Word("stopReason")), nil)
		}
	default:
		if p.Now != nil {
			p.Now.CountUnknown(stream.Word(kind), ignored, "session/update")
		}
	}
}

// planID returns the id of a plan, whose name differs among agents.
func planID(plan stream.Value) string {
	return string(plan.Word("planId")) + string(plan.Word("id"))
}

func (p *parser) Stop() {
	p.Interleaved.Stop()
	clear(p.prompts)
	clear(p.asked)
	p.client = false
}
