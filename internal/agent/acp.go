package agent

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// acp reads the lines of the Agent Client Protocol, versions 1 and 2, as an agent writes them to its client.
// A log of both directions tells more: the prompt that begins a turn, and the user's cancel.
//
// In version 1 the answer to the prompt ends the turn; in version 2 it only says that the prompt was accepted,
// and a state_update ends the turn. A plan is already a result: there is no call of a tool to wait for.
// Some agents give no plan and show the call of their todo tool instead.
type acp struct {
	r        *Reader
	a        *adapter
	now      *acpSession
	sessions map[string]*acpSession
	active   []*acpSession // those with lines since the last stop

	prompts map[string]*acpSession // by the id of the request
	asked   map[string]struct{}    // ids of the agent's own requests, which the client answers
	client  bool                   // the client's lines are in the log
}

// acpLine is what we need of a line.
type acpLine struct {
	RPC    word      `json:"jsonrpc"`
	ID     word      `json:"id"`
	Method word      `json:"method"`
	Params acpParams `json:"params"`
	Result acpResult `json:"result"`
	Error  acpError  `json:"error"`
}

type acpParams struct {
	Session word      `json:"sessionId"`
	Update  acpUpdate `json:"update"`
}

type acpUpdate struct {
	Kind       word           `json:"sessionUpdate"`
	Entries    nativeItems    `json:"entries"`
	Plan       acpPlanUpdate  `json:"plan"`
	PlanID     word           `json:"planId"`
	ID         word           `json:"id"`
	ToolCallID word           `json:"toolCallId"`
	Title      word           `json:"title"`
	Status     word           `json:"status"`
	RawInput   jsontext.Value `json:"rawInput"`
	RawOutput  jsontext.Value `json:"rawOutput"`
	Meta       acpMeta        `json:"_meta"`
	MessageID  word           `json:"messageId"`
	Content    jsontext.Value `json:"content"`
	State      word           `json:"state"`
	StopReason word           `json:"stopReason"`
}

// acpMeta is what some agents say beyond the protocol.
type acpMeta struct {
	Tool   word `json:"toolName"`
	Parent word `json:"parentToolCallId"` // of a sub-agent's call
}

func (m *acpMeta) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain acpMeta
	return objectOrNothing(d, (*plain)(m))
}

type acpPlanUpdate struct {
	Type    word        `json:"type"`
	PlanID  word        `json:"planId"`
	ID      word        `json:"id"`
	Entries nativeItems `json:"entries"`
}

type acpResult struct {
	StopReason word `json:"stopReason"`
	Version    word `json:"protocolVersion"`
}

type acpError struct {
	Code    word `json:"code"`
	Message word `json:"message"`
}

// The objects of a foreign method may have members of these names and of other kinds.

func (p *acpParams) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain acpParams
	return objectOrNothing(d, (*plain)(p))
}

func (u *acpUpdate) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain acpUpdate
	return objectOrNothing(d, (*plain)(u))
}

func (p *acpPlanUpdate) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain acpPlanUpdate
	return objectOrNothing(d, (*plain)(p))
}

func (r *acpResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain acpResult
	return objectOrNothing(d, (*plain)(r))
}

func (e *acpError) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain acpError
	return objectOrNothing(d, (*plain)(e))
}

func openACP(r *Reader, a *adapter) parser {
	return &acp{r: r, a: a, sessions: make(map[string]*acpSession), prompts: make(map[string]*acpSession), asked: make(map[string]struct{})}
}

// detectACP goes by the method, because language servers and tool servers speak JSON-RPC too.
func detectACP(h *head) bool {
	return h.has("jsonrpc") && (strings.HasPrefix(h.method, "session/") || h.fresh && h.method == "initialize")
}

func (p *acp) knows(typ string) bool { return typ == "" }

func (p *acp) stream() *stream { return p.now.stream }

// skim leaves out updates that are neither a plan nor the agent's own words nor a new call.
func (p *acp) skim(line []byte) bool {
	typ, _ := quickType(line)
	if string(typ) == "error" {
		return false // it may be all that another agent prints
	}
	if len(typ) > 0 {
		return false
	}
	rpc, update := false, false
	var session, kind, call []byte
	w := walker{b: line}
	if !w.enter('{') {
		return false
	}
	for name, more := w.key(); more; name, more = w.key() {
		switch string(name) {
		case "jsonrpc":
			rpc = true
			w.skip()
		case "type", "role":
			return false
		case "method":
			method, ok := w.word()
			update = ok && string(method) == "session/update"
		case "params":
			if !w.enter('{') {
				return false
			}
			for name, more := w.key(); more; name, more = w.key() {
				switch {
				case string(name) == "sessionId" && w.peek() == '"':
					session, _ = w.word()
				case string(name) == "update" && w.enter('{'):
					kind, call = acpKind(&w)
				default:
					w.skip()
				}
			}
		default:
			w.skip()
		}
	}
	if !rpc || !update || w.bad {
		return false
	}
	switch string(kind) {
	case "tool_call", "tool_call_update":
		s := p.now
		_, counted := s.counted[string(call)]
		return counted && len(call) > 0 && !s.speaks && s.inside == "" && s.newest() != nil && string(session) == s.id
	case "user_message", "user_message_chunk", "agent_thought", "agent_thought_chunk", "tool_call_content_chunk",
		"terminal_output_chunk", "available_commands_update", "current_mode_update", "config_option_update",
		"session_info_update", "usage_update":
		return true
	}
	return false
}

// acpKind walks over an update and gives its kind, and the id of its call.
func acpKind(w *walker) (kind, call []byte) {
	for name, more := w.key(); more; name, more = w.key() {
		switch {
		case string(name) == "sessionUpdate" && w.peek() == '"':
			kind, _ = w.word()
		case string(name) == "toolCallId" && w.peek() == '"':
			call, _ = w.word()
		default:
			w.skip()
		}
	}
	return kind, call
}

func (p *acp) read(line []byte) error {
	var l acpLine
	if err := decode(line, &l, p.r.decodeAll); err != nil {
		return err
	}
	if l.RPC == "" {
		return errUnknownType
	}
	if p.now == nil {
		p.session(string(l.Params.Session))
	}
	switch l.Method {
	case "session/update":
		p.update(&l.Params)
	case "":
		p.response(&l)
	default:
		p.request(&l)
	}
	return nil
}

// session goes to a session. Before any is named the log has one without a name, which the first one takes over.
func (p *acp) session(id string) *acpSession {
	s := p.sessions[id]
	if s == nil && p.now != nil && p.now.id == "" && id != "" {
		s = p.now
		delete(p.sessions, "")
		s.name(id)
		p.sessions[id] = s
	}
	if s == nil {
		s = &acpSession{stream: p.r.session(p.a, id), counted: make(map[string]struct{})}
		p.sessions[id] = s
	}
	if !s.active {
		s.active = true
		p.active = append(p.active, s)
	}
	p.now = s
	return s
}

// request is what one side asks of the other.
func (p *acp) request(l *acpLine) {
	switch l.Method {
	case "initialize":
		p.stop() // another process
		p.client = true
	case "session/new", "session/load", "session/resume":
		p.client = true
	case "session/prompt":
		p.client = true
		s := p.session(string(l.Params.Session))
		if s.newest() == nil {
			s.starts()
		}
		p.prompts[string(l.ID)] = s
	case "session/cancel":
		if t := p.session(string(l.Params.Session)).newest(); t != nil {
			t.interrupted = true
		}
	default:
		if l.ID != "" && p.client {
			p.asked[string(l.ID)] = struct{}{}
		}
	}
}

// response answers a request; both sides count their requests from their own zero.
func (p *acp) response(l *acpLine) {
	id := string(l.ID)
	switch {
	case l.Result.StopReason != "":
		s := p.now
		if asked := p.prompts[id]; asked != nil {
			s = asked
		}
		p.now = s
		s.end(string(l.Result.StopReason), nil)
		delete(p.prompts, id)
	case l.Result.Version != "":
		if !p.client {
			p.stop() // another process, of which only the agent's lines are here
		}
	default:
		if _, asked := p.asked[id]; asked {
			delete(p.asked, id)
			return
		}
		if l.Error.Code == "" && l.Error.Message == "" {
			delete(p.prompts, id) // accepted, in version 2
			return
		}
		s := p.prompts[id]
		if s == nil && !p.client {
			s = p.now
		}
		if s != nil && s.newest() != nil {
			p.now = s
			s.end("", &l.Error)
		}
		delete(p.prompts, id)
	}
}

func (p *acp) update(params *acpParams) {
	u := &params.Update
	switch u.Kind {
	case "plan":
		p.session(string(params.Session)).plan("", u.Entries, p.client)
	case "plan_update":
		s := p.session(string(params.Session))
		if u.Plan.Type != "items" && (u.Plan.Type != "" || u.Plan.Entries == nil) {
			s.warn("a plan of type %s is not a list of items", quote(string(u.Plan.Type)))
			return
		}
		s.plan(string(u.Plan.PlanID+u.Plan.ID), u.Plan.Entries, p.client)
	case "plan_removed":
		p.session(string(params.Session)).remove(string(u.PlanID + u.ID))
	case "tool_call", "tool_call_update":
		p.session(string(params.Session)).tool(u, p.client)
	case "agent_message", "agent_message_chunk":
		p.session(string(params.Session)).says(u, p.client)
	case "state_update":
		s := p.session(string(params.Session))
		switch {
		case u.State == "running" && s.newest() == nil:
			s.starts()
		case u.State == "idle" && s.newest() != nil:
			s.end(string(u.StopReason), nil)
		}
	}
}

func (p *acp) stop() {
	for _, s := range p.active {
		s.active = false
		s.calls.drop(s.stream)
		s.cut()
		s.speaks, s.inside = false, ""
	}
	p.active = nil
	clear(p.prompts)
	clear(p.asked)
	p.client = false
}
