package agent

import "bytes"

// glance is what a line of Claude Code tells without being decoded, in the stream's envelope or in the transcript's.
type glance struct {
	typ, subtype []byte
	session      []byte
	uuid         []byte
	message      bool // it has a message
	side         bool // a sub-agent's line
	named        bool // and it names the sub-agent
	odd          bool // the message failed, was aborted or takes another one's place
	stop         []byte
	tools        int  // calls that are counted
	todo         bool // a todo tool is called
	starts       bool // a sub-agent is started
	text         bool // there is a text
	spoken       bool // there is a text of the user that needs a look
	results      bool // there are results of calls
	answers      bool // one of a call that is waited for
	tells        bool // the result itself is of interest
	blocks       bool // the content is a list of blocks
}

// glimpse goes over a line once. It reports false where only a decoder can tell.
func (g *glance) glimpse(line []byte, transcript bool, waits func(id []byte) bool) bool {
	k := walker{b: line}
	if !k.enter('{') {
		return false
	}
	session := "session_id"
	if transcript {
		session = "sessionId"
	}
	for name, more := k.key(); more; name, more = k.key() {
		switch string(name) {
		case "type":
			g.typ, _ = k.word()
		case "subtype":
			g.subtype = k.wordOrNull()
		case session:
			g.session = k.wordOrNull()
		case "uuid":
			g.uuid = k.wordOrNull()
		case "parent_tool_use_id", "agent_id":
			g.side = len(k.wordOrNull()) > 0 || g.side
		case "isSidechain":
			g.side = k.peek() == 't'
			k.skip()
		case "agentId":
			g.named = len(k.wordOrNull()) > 0
		case "error", "aborted", "supersedes":
			g.odd = !k.null() || g.odd
		case "isApiErrorMessage":
			g.odd = k.peek() == 't' || g.odd
			k.skip()
		case "message":
			g.message = true
			g.look(&k, waits)
		case "tool_use_result":
			// A stream's line names its session before it, and repeats the message's result here.
			if len(g.session) > 0 && g.message && string(g.typ) == "user" && !transcript {
				return !k.bad
			}
			k.skip()
		case "toolUseResult":
			if transcript {
				g.result(&k)
			} else {
				k.skip()
			}
		default:
			k.skip()
		}
	}
	return k.done()
}

// look steps over a message.
func (g *glance) look(k *walker, waits func(id []byte) bool) {
	if !k.enter('{') {
		k.skip()
		return
	}
	for name, more := k.key(); more; name, more = k.key() {
		switch string(name) {
		case "stop_reason":
			g.stop = k.wordOrNull()
		case "model":
			model := k.wordOrNull()
			g.odd = g.odd || len(model) > 0 && model[0] == '<'
		case "content":
			g.content(k, waits)
		default:
			k.skip()
		}
	}
}

func (g *glance) content(k *walker, waits func(id []byte) bool) {
	if text, ok := k.raw(); ok {
		g.text = true
		g.spoken = g.spoken || mayInterrupt(text)
		return
	}
	if !k.enter('[') {
		k.skip()
		return
	}
	g.blocks = true
	for k.element() {
		if !k.enter('{') {
			k.skip()
			continue
		}
		var typ, tool, id, text []byte
		for name, more := k.key(); more; name, more = k.key() {
			switch string(name) {
			case "type":
				typ = k.wordOrNull()
			case "name":
				tool = k.wordOrNull()
			case "tool_use_id":
				id = k.wordOrNull()
			case "text":
				if k.peek() == '"' {
					text, _ = k.raw()
				} else {
					k.skip()
				}
			default:
				k.skip()
			}
		}
		switch string(typ) {
		case "tool_use":
			switch string(tool) {
			case "ToolSearch":
			case "Task", "Agent":
				g.starts = true
				g.tools++
			default:
				if isTodoTool(string(tool)) {
					g.todo = true
				} else {
					g.tools++
				}
			}
		case "tool_result":
			g.results = true
			g.answers = g.answers || waits(id)
		case "text":
			g.text = true
			g.spoken = g.spoken || mayInterrupt(text)
		}
	}
}

// result steps over a transcript's toolUseResult.
func (g *glance) result(k *walker) {
	if !k.enter('{') {
		k.skip()
		return
	}
	for name, more := k.key(); more; name, more = k.key() {
		switch string(name) {
		case "newTodos", "agentId":
			g.tells = true
		}
		k.skip()
	}
}

// mayInterrupt errs towards true where an escape sequence stands in the first bytes.
func mayInterrupt(text []byte) bool {
	start := text[:min(len(text), len(interruptMark))]
	return bytes.IndexByte(start, '\\') >= 0 || string(start) == interruptMark
}

// skim leaves out the bulk of a stream: partial messages, tool outputs, texts, notices; it counts the calls of tools.
func (c *claude) skim(line []byte) bool {
	switch string(firstType(line)) {
	case "stream_event", "tool_progress", "tool_use_summary", "rate_limit_event", "auth_status",
		"prompt_suggestion", "control_request", "control_response", "control_cancel_request", "keep_alive":
		return true
	}
	var g glance
	if !g.glimpse(line, false, c.waitsFor) {
		return false
	}
	c.r.typ = g.typ
	if len(g.session) == 0 {
		return false
	}
	switch string(g.typ) {
	case "assistant":
		// The first message of a turn is decoded, since it may be the turn's only beginning.
		if !c.now.begun() || string(g.session) != c.now.id || g.odd || g.todo {
			return false
		}
		if !g.side {
			c.now.newest().tools += g.tools
		}
		return true
	case "user":
		return !g.answers && !g.spoken
	case "system":
		switch string(g.subtype) {
		case "", "init", "task_started", "model_refusal_fallback":
			return false
		}
		return true
	}
	return false
}

// waitsFor reports whether a call is waited for.
func (c *claude) waitsFor(id []byte) bool {
	return c.waiting[string(id)] > 0
}

// skim leaves out the program's notes, the results that nobody waits for and messages that neither speak nor plan.
func (c *claudeTranscript) skim(line []byte) bool {
	if isTranscriptNote(string(firstType(line))) {
		return true
	}
	var g glance
	if !g.glimpse(line, true, c.waitsFor) {
		return false
	}
	c.r.typ = g.typ
	typ := string(g.typ)
	if isTranscriptNote(typ) {
		return true
	}
	if len(g.session) == 0 || string(g.session) != c.now.id || g.side && !g.named {
		return false
	}
	st := c.now.transcript
	if st == nil {
		return false
	}
	switch typ {
	case "system":
		switch string(g.subtype) {
		case "", "turn_duration", "model_refusal_fallback", "local_command":
			return false
		}
		c.again(st, g.uuid)
		return true
	case "assistant":
		if g.odd || g.todo || g.starts || !g.blocks {
			return false
		}
		if g.side {
			c.again(st, g.uuid)
			return true
		}
		t := c.now.newest()
		if t == nil || !t.begun || g.text && string(g.stop) != "tool_use" || g.tools == 0 && !g.text && len(g.stop) > 0 && string(g.stop) != "tool_use" {
			return false
		}
		if !c.again(st, g.uuid) {
			t.tools += g.tools
			t.text.reset()
			st.answered = false
		}
		return true
	case "user":
		if g.answers || g.text || g.tells || !g.results {
			return false
		}
		if !c.again(st, g.uuid) && !g.side {
			st.answered = false
		}
		return true
	}
	return false
}

func (l *claudeLine) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		l.Type = k.readWord()
	case "subtype":
		l.Subtype = k.readWord()
	case "session_id":
		l.Session = k.readWord()
	case "sessionId":
		l.Elsewhere = k.readWord()
	case "uuid":
		l.UUID = k.readWord()
	case "timestamp":
		l.Timestamp = k.readWord()
	case "parent_tool_use_id":
		l.Parent = k.readWord()
	case "agent_id":
		l.AgentID = k.readWord()
	case "message":
		k.members(func(name []byte) { l.Message.member(name, k) })
	case "error":
		l.Error = k.readWord()
	case "aborted":
		l.Aborted = k.readTruth()
	case "supersedes":
		l.Supersedes = k.readWords()
	case "tool_use_result":
		l.ToolUseResult = k.value()
	case "tools":
		l.Tools = k.readWords()
	case "messaging_socket_path":
		l.Socket = k.readWord()
	case "is_backgrounded":
		l.Backgrounded = k.readTruth()
	case "retracted_message_uuids":
		l.Retracted = k.readWords()
	case "is_error":
		l.IsError = k.readTruth()
	case "terminal_reason":
		l.TerminalReason = k.readWord()
	case "api_error_status":
		l.APIErrorStatus = k.readWord()
	case "api_error_type":
		l.APIErrorType = k.readWord()
	case "errors":
		l.Errors = k.readWords()
	case "result":
		l.Result = k.readWord()
	default:
		k.skip()
	}
}

// scan reads the blocks of a message.
func (b *claudeBlocks) scan(k *walker) {
	*b = (*b)[:0]
	if k.peek() == '"' {
		*b = append(*b, claudeBlock{Type: "text", Text: k.readWord()})
		return
	}
	k.objects(func() {
		*b = append(*b, claudeBlock{})
		block := &(*b)[len(*b)-1]
		k.members(func(name []byte) { block.member(name, k) })
	})
}

func (b *claudeBlock) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		b.Type = k.readWord()
	case "text":
		b.Text = k.readWord()
	case "id":
		b.ID = k.readWord()
	case "name":
		b.Name = k.readWord()
	case "input":
		b.Input = k.value()
	case "tool_use_id":
		b.ToolUseID = k.readWord()
	case "content":
		b.Content = k.value()
	case "is_error":
		b.IsError = k.readTruth()
	default:
		k.skip()
	}
}

func (l *transcriptLine) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		l.Type = k.readWord()
	case "subtype":
		l.Subtype = k.readWord()
	case "sessionId":
		l.Session = k.readWord()
	case "session_id":
		l.StreamSession = k.readWord()
	case "uuid":
		l.UUID = k.readWord()
	case "parentUuid":
		l.ParentUUID = k.readWord()
	case "timestamp":
		l.Timestamp = k.readWord()
	case "version":
		l.Version = k.readWord()
	case "isSidechain":
		l.Sidechain = k.readTruth()
	case "agentId":
		l.AgentID = k.readWord()
	case "isMeta":
		l.Meta = k.readTruth()
	case "isCompactSummary":
		l.Summary = k.readTruth()
	case "isVisibleInTranscriptOnly":
		l.OnlyShown = k.readTruth()
	case "isApiErrorMessage":
		l.APIError = k.readTruth()
	case "error":
		l.Error = k.readWord()
	case "content":
		l.Content = k.readWord()
	case "retracted_message_uuids":
		l.Retracted = k.readWords()
	case "retractedMessageUuids":
		l.RetractedToo = k.readWords()
	case "toolUseResult":
		l.ToolUseResult = k.value()
	case "message":
		k.members(func(name []byte) { l.Message.member(name, k) })
	default:
		k.skip()
	}
}

func (m *claudeMessage) member(name []byte, k *walker) {
	switch string(name) {
	case "content":
		m.Content.scan(k)
	default:
		k.skip()
	}
}

func (m *transcriptMessage) member(name []byte, k *walker) {
	switch string(name) {
	case "id":
		m.ID = k.readWord()
	case "model":
		m.Model = k.readWord()
	case "stop_reason":
		m.StopReason = k.readWord()
	case "content":
		m.Content.scan(k)
	default:
		k.skip()
	}
}
