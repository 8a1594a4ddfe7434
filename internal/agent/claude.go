package agent

import (
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// claude reads `claude -p --output-format stream-json`, with the list tool TodoWrite or with the Task tools.
//
// Every line names its session, so sessions that run side by side are kept apart.
type claude struct {
	r        *Reader
	a        *adapter
	line     claudeLine     // the one that is being read
	now      *claudeSession // of the last line that was decoded and meant something
	sessions map[string]*claudeSession
	active   []*claudeSession // those with lines since the last stop
	listed   []*claudeSession // those whose lists are kept, from the oldest on
	waiting  map[string]int   // how many calls with an id wait for their result, over all sessions
}

// claudeLine is what we need of a line.
type claudeLine struct {
	Type      word          `json:"type"`
	Subtype   word          `json:"subtype"`
	Session   word          `json:"session_id"`
	Elsewhere word          `json:"sessionId"` // a transcript's line has it instead
	UUID      word          `json:"uuid"`
	Timestamp word          `json:"timestamp"`
	Parent    word          `json:"parent_tool_use_id"`
	AgentID   word          `json:"agent_id"`
	Message   claudeMessage `json:"message"`

	// assistant
	Error      word  `json:"error"`
	Aborted    truth `json:"aborted"`
	Supersedes words `json:"supersedes"`

	// user
	ToolUseResult jsontext.Value `json:"tool_use_result"`

	// system
	Tools        words `json:"tools"`
	Socket       word  `json:"messaging_socket_path"`
	Backgrounded truth `json:"is_backgrounded"`
	Retracted    words `json:"retracted_message_uuids"`

	// result
	IsError        truth `json:"is_error"`
	TerminalReason word  `json:"terminal_reason"`
	APIErrorStatus word  `json:"api_error_status"`
	APIErrorType   word  `json:"api_error_type"`
	Errors         words `json:"errors"`
	Result         word  `json:"result"`
}

// sub reports whether the line is a sub-agent's.
func (l *claudeLine) sub() bool { return l.Parent != "" || l.AgentID != "" }

// claudeMessage holds the blocks of a message, of which one line has one or several:
// Claude Code writes one block a line, and other writers of this format the whole message.
// A content that is a bare string becomes one block of text.
type claudeMessage struct {
	Content claudeBlocks `json:"content"`
}

func (m *claudeMessage) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain claudeMessage
	*m = claudeMessage{}
	if d.PeekKind() != jsontext.KindBeginObject {
		return d.SkipValue()
	}
	return json.UnmarshalDecode(d, (*plain)(m))
}

type claudeBlocks []claudeBlock

func (b *claudeBlocks) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*b = nil
	if d.PeekKind() == jsontext.KindString {
		block := claudeBlock{Type: "text"}
		err := block.Text.UnmarshalJSONFrom(d)
		*b = append(*b, block)
		return err
	}
	return eachElement(d, func() error {
		if d.PeekKind() != jsontext.KindBeginObject {
			return d.SkipValue()
		}
		var block claudeBlock
		err := json.UnmarshalDecode(d, &block)
		*b = append(*b, block)
		return err
	})
}

type claudeBlock struct {
	Type      word           `json:"type"`
	Text      word           `json:"text"`
	ID        word           `json:"id"`
	Name      word           `json:"name"`
	Input     jsontext.Value `json:"input"`
	ToolUseID word           `json:"tool_use_id"`
	Content   jsontext.Value `json:"content"`
	IsError   truth          `json:"is_error"`
}

// resultText gives what a tool_result says, a string or blocks of text. No tool whose text matters writes a megabyte.
func (b *claudeBlock) resultText() string {
	if len(b.Content) == 0 || len(b.Content) > 1<<20 {
		return ""
	}
	blocks := blocksOf(b.Content)
	if len(blocks) == 1 {
		return string(blocks[0].Text)
	}
	var text strings.Builder
	for i := range blocks {
		text.WriteString(string(blocks[i].Text))
	}
	return text.String()
}

// blocksOf reads a content that stands by itself; what is none has no blocks.
func blocksOf(v jsontext.Value) claudeBlocks {
	if len(v) == 0 {
		return nil
	}
	var blocks claudeBlocks
	k := walker{b: v}
	if blocks.scan(&k); k.done() && utf8.Valid(v) {
		return blocks
	}
	blocks = nil
	if json.Unmarshal(v, &blocks) != nil {
		return nil
	}
	return blocks
}

func openClaude(r *Reader, a *adapter) parser {
	return &claude{r: r, a: a, sessions: make(map[string]*claudeSession), waiting: make(map[string]int)}
}

// detectClaude knows the stream by the version in its first line. Streams before 2.0 have none,
// but a list of tools and permissionMode; other agents that borrowed the format lack one or the other.
func detectClaude(h *head) bool {
	switch h.typ {
	case "system":
		return h.subtype == "init" && h.has("session_id") &&
			(h.has("claude_code_version") || h.has("tools", "permissionMode") && !h.has("qwen_code_version"))
	case "assistant", "user":
		return h.has("session_id", "message", "parent_tool_use_id")
	case "result":
		return h.has("session_id", "is_error", "subtype")
	}
	return false
}

func (c *claude) knows(typ string) bool {
	switch typ {
	case "system", "assistant", "user", "result", "stream_event", "conversation_reset",
		"tool_progress", "tool_use_summary", "rate_limit_event", "auth_status", "prompt_suggestion",
		"control_request", "control_response", "control_cancel_request", "keep_alive":
		return true
	}
	return false
}

func (c *claude) stream() *stream { return c.now.stream }

func (c *claude) read(line []byte) error {
	l := &c.line
	*l = claudeLine{Message: claudeMessage{Content: l.Message.Content[:0]}}
	if err := decode(line, l, c.r.decodeAll); err != nil {
		return err
	}
	if l.Session == "" && l.Elsewhere != "" && (l.Type == "assistant" || l.Type == "user" || l.Type == "system") {
		return errForeign
	}
	if c.now == nil {
		c.session(l)
	}
	switch l.Type {
	case "system":
		c.system(l)
	case "assistant":
		c.assistant(l)
	case "user":
		c.user(l)
	case "result":
		c.session(l).result(l)
	case "conversation_reset":
		c.session(l).clear(l)
	}
	return nil
}

// session goes to the line's session. It is called for lines that mean something only,
// so that it makes no difference whether the others are decoded.
func (c *claude) session(l *claudeLine) *claudeSession {
	id := string(l.Session)
	s := c.sessions[id]
	if id == "" && c.now != nil {
		s = c.now
	}
	if s == nil {
		s = &claudeSession{stream: c.r.session(c.a, id), c: c}
		c.sessions[id] = s
		c.listed = append(c.listed, s)
		c.forget()
	}
	if !s.active {
		s.active = true
		c.active = append(c.active, s)
	}
	c.now = s
	return s
}

// maxListed is how many sessions of an input keep their lists, in case that they go on.
const maxListed = 1000

// forget drops the lists of the oldest session, where there are many and it is at rest. Should it go on after all,
// its list is as unknown as that of a session that began before the input, and what was saved of it is asked for again.
func (c *claude) forget() {
	if len(c.listed) <= maxListed {
		return
	}
	old := c.listed[0]
	c.listed = c.listed[1:]
	if old == c.now || len(old.open) > 0 || len(old.waiting) > 0 {
		c.listed = append(c.listed, old)
		return
	}
	old.waiting, old.tasks, old.changes, old.lists = nil, nil, nil, nil
	if st := old.transcript; st != nil {
		st.prompts, st.roots, st.started, st.parents = nil, nil, nil, nil
	}
}

// find gives the line's session if it is known.
func (c *claude) find(l *claudeLine) *claudeSession {
	if l.Session == "" {
		return c.now
	}
	return c.sessions[string(l.Session)]
}

func (c *claude) system(l *claudeLine) {
	switch l.Subtype {
	case "init":
		if old := c.now; old.id != string(l.Session) {
			old.stop() // another run: what is open in the one before stays open
		}
		c.session(l).init(l)
	case "task_started":
		if s := c.find(l); s != nil && bool(l.Backgrounded) {
			s.background = true
		}
	case "model_refusal_fallback":
		if s := c.find(l); s != nil {
			s.retract(l.Retracted, instant(l.Timestamp))
		}
	}
}

func (c *claude) assistant(l *claudeLine) {
	s := c.find(l)
	uses := false
	for i := range l.Message.Content {
		uses = uses || l.Message.Content[i].Type == "tool_use"
	}
	opens := !l.sub() && (s == nil || !s.begun())
	if s == nil || uses || opens || l.Error != "" || bool(l.Aborted) {
		s = c.session(l)
	}
	if len(l.Supersedes) > 0 {
		s.retract(l.Supersedes, instant(l.Timestamp))
	}
	if !l.sub() && (opens || uses || l.Error != "" || bool(l.Aborted)) {
		t := s.current(instant(l.Timestamp))
		t.begun = true
		t.interrupted = t.interrupted || bool(l.Aborted)
		if l.Error != "" {
			t.failure.kind = string(l.Error)
		}
	}
	for i := range l.Message.Content {
		if b := &l.Message.Content[i]; b.Type == "tool_use" {
			s.use(l, b)
		}
	}
}

func (c *claude) user(l *claudeLine) {
	s := c.find(l)
	if s == nil {
		return
	}
	results := 0
	for i := range l.Message.Content {
		if l.Message.Content[i].Type == "tool_result" {
			results++
		}
	}
	for i := range l.Message.Content {
		switch b := &l.Message.Content[i]; b.Type {
		case "tool_result":
			s.answer(l, b, results == 1)
		case "text":
			if t := s.newest(); t != nil && !l.sub() && strings.HasPrefix(string(b.Text), interruptMark) {
				t.interrupted = true
			}
		}
	}
}

// interruptMark begins the text that stands for the user's interrupt; "for tool use]" or "]" follows.
const interruptMark = "[Request interrupted by user"

func (c *claude) stop() {
	for _, s := range c.rest() {
		s.stop()
	}
}

// rest gives the sessions that were active, which now are not.
func (c *claude) rest() []*claudeSession {
	sessions := c.active
	for _, s := range sessions {
		s.active = false
	}
	c.active = nil
	return sessions
}

// wait notes a call that waits for its result, and done one that does no more.
func (c *claude) wait(id string) { c.waiting[id]++ }

func (c *claude) done(id string) {
	if c.waiting[id]--; c.waiting[id] <= 0 {
		delete(c.waiting, id)
	}
}
