package agent

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// geminiChat reads the files in which Gemini CLI keeps its conversations, ~/.gemini/tmp/…/chats/session-*.
//
// The newer ones (.jsonl) have the session's data on the first line, then a message a line. A message is written again under its id
// as its calls come to an end, so its last line counts. A $set changes the session's data, and $rewindTo takes a message back
// and all that follow it. The older ones (.json) are one object with all messages, over many lines.
//
// Calls stand here with their results, the task tracker's too. No line ends a turn:
// a turn is what follows a user's message, and how it ended is seen from its last message.
type geminiChat struct {
	r *Reader
	a *adapter
	s *stream

	messages recent       // by id, in order
	calls    recent       // todo tools' whose end was seen, others that were counted
	open     []geminiCall // calls of todo tools that have not ended, in order
	tracker  tracker
	list     []todo.Item
	changes  []chatChange
	last     chatState
}

// chatChange is a change of the list, with what the list was before.
type chatChange struct {
	message int // ordinal of the message that made it
	before  []todo.Item
	tracker tracker
}

// chatState says what the turn's last message was.
type chatState int

const (
	chatUnanswered chatState = iota
	chatCalls
	chatAnswered
	chatFailed
	chatCancelled
)

// chatLine is a message, the session's data or a change of it.
type chatLine struct {
	Session     word           `json:"sessionId"`
	ProjectHash word           `json:"projectHash"`
	Kind        word           `json:"kind"`
	Messages    chatMessages   `json:"messages"`
	RewindTo    word           `json:"$rewindTo"`
	Set         jsontext.Value `json:"$set"`
	UUID        word           `json:"uuid"`
	chatMessage
}

type chatMessage struct {
	ID        word         `json:"id"`
	Type      word         `json:"type"`
	Timestamp word         `json:"timestamp"`
	Content   claudeBlocks `json:"content"`
	ToolCalls chatCalled   `json:"toolCalls"`
}

type chatCall struct {
	ID            word           `json:"id"`
	Name          word           `json:"name"`
	Args          jsontext.Value `json:"args"`
	Status        word           `json:"status"`
	Result        jsontext.Value `json:"result"`
	ResultDisplay jsontext.Value `json:"resultDisplay"`
}

type (
	chatMessages []chatMessage
	chatCalled   []chatCall
)

func (m *chatMessages) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return objects(d, (*[]chatMessage)(m))
}

func (c *chatCalled) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return objects(d, (*[]chatCall)(c))
}

func openGeminiChat(r *Reader, a *adapter) parser { return &geminiChat{r: r, a: a} }

func detectGeminiChat(h *head) bool {
	switch h.typ {
	case "":
		return h.has("sessionId", "projectHash") || h.has("$set") || h.has("$rewindTo")
	case "gemini":
		return h.has("id", "content")
	}
	return false
}

func (c *geminiChat) knows(typ string) bool {
	switch typ {
	case "user", "gemini", "info", "error", "warning":
		return true
	}
	return false
}

func (c *geminiChat) stream() *stream { return c.s }

func (c *geminiChat) read(line []byte) error {
	var l chatLine
	if err := decode(line, &l, c.r.decodeAll); err != nil {
		return err
	}
	switch {
	case l.RewindTo != "":
		c.rewind(string(l.RewindTo))
	case len(l.Set) > 0:
		c.set(l.Set)
	case l.ID != "" && l.UUID == "" && l.Type != "":
		c.message(&l.chatMessage, true)
	case l.Session != "" && l.UUID == "" && l.Type == "":
		c.begin(&l)
		for i := range l.Messages {
			c.message(&l.Messages[i], true)
		}
	default:
		return errForeign
	}
	return nil
}

// begin goes to a session. A sub-agent's file names the sub-agent, not the session that it works for.
func (c *geminiChat) begin(l *chatLine) {
	id := string(l.Session)
	sub := ""
	if l.Kind == "subagent" {
		sub = SubAgentName(id)
	}
	s := c.r.subSession(c.a, id, sub)
	if s == c.s {
		return
	}
	c.stop()
	*c = geminiChat{r: c.r, a: c.a, s: s}
}

// known gives the session, which has no name where the file's beginning is missing.
func (c *geminiChat) known() *stream {
	if c.s == nil {
		c.s = c.r.session(c.a, "")
	}
	return c.s
}

// set changes the session's data. Messages that come this way replace the history, compressed as they may be:
// no user spoke, and what their calls did is known, unless the conversation begins with them.
func (c *geminiChat) set(v jsontext.Value) {
	data, _ := objectAs[chatLine](v)
	first := len(c.known().sum.Turns) == 0
	for i := range data.Messages {
		c.message(&data.Messages[i], first)
	}
}

// message takes a message. Where it does not count as spoken, only its calls are looked at.
func (c *geminiChat) message(m *chatMessage, spoken bool) {
	s, at := c.known(), instant(m.Timestamp)
	if m.Type == "warning" {
		return
	}
	known := !c.messages.add(c.messages.hash([]byte(m.ID)))
	switch m.Type {
	case "user":
		if !known && spoken && !answersCall(m.Content) {
			c.settle()
			s.begin(at)
		}
	case "gemini":
		if spoken {
			t := s.current(at)
			c.last = chatUnanswered
			t.text.reset()
			for i := range m.Content {
				t.text.add(string(m.Content[i].Text))
				if m.Content[i].Text != "" {
					c.last = chatAnswered
				}
			}
		}
		for i := range m.ToolCalls {
			c.call(&m.ToolCalls[i], at, spoken)
			if m.ToolCalls[i].Status == "cancelled" {
				c.last = chatCancelled
			} else if c.last != chatCancelled {
				c.last = chatCalls
			}
		}
	case "error":
		if t := s.newest(); t != nil && !known && spoken {
			text := m.text()
			t.failure = failure{code: spokenStatus(text), text: text}
			c.last = chatFailed
		}
	case "info":
		if !known && spoken && strings.HasPrefix(m.text(), "Request cancelled") {
			c.last = chatCancelled
		}
	}
}

func (m *chatMessage) text() string {
	var text strings.Builder
	for i := range m.Content {
		text.WriteString(string(m.Content[i].Text))
	}
	return text.String()
}

// answersCall reports whether a message of the role user holds nothing that was spoken: the result of a call is written so.
func answersCall(content claudeBlocks) bool {
	for i := range content {
		if content[i].Text != "" {
			return false
		}
	}
	return len(content) > 0
}

func (c *geminiChat) call(call *chatCall, at todo.Time, spoken bool) {
	id, name := string(call.ID), string(call.Name)
	if c.calls.has(id) {
		return
	}
	if name != "write_todos" && !isTrackerTool(name) {
		c.calls.add(c.calls.hash([]byte(id)))
		if spoken {
			c.s.current(at).tools++
		}
		return
	}
	i := slices.IndexFunc(c.open, func(o geminiCall) bool { return o.id == id })
	switch call.Status {
	case "success", "error", "cancelled":
	default:
		if i < 0 && len(c.open) < maxWaiting {
			c.open = append(c.open, geminiCall{id: id, tool: name})
		}
		return
	}
	if i >= 0 {
		c.open = slices.Delete(c.open, i, i+1)
	}
	c.calls.add(c.calls.hash([]byte(id)))
	if call.Status != "success" {
		if name == "write_todos" || changesTracker(name) {
			said := call.said()
			c.s.rejected(Call{Tool: name, ID: id}, said, strings.Contains(said, "not found in registry") || strings.Contains(said, "tool_not_registered"))
		}
		return
	}
	c.done(call, at)
}

// done applies a call that was accepted.
func (c *geminiChat) done(call *chatCall, at todo.Time) {
	shown, _ := objectAs[nativeList](call.ResultDisplay)
	if isTrackerTool(string(call.Name)) {
		before := chatChange{message: c.messages.count(), before: c.list, tracker: tracker{items: slices.Clone(c.tracker.items)}}
		changed, told := c.tracker.apply(string(call.Name), call.Args, call.said(), shown.Todos)
		if !told {
			c.s.warn("%s was accepted, and nothing tells what it did", quote(string(call.ID)))
		}
		if changed {
			c.tell(before, call, slices.Clone(c.tracker.items), at)
		}
		return
	}
	native := shown.Todos
	if native == nil {
		in, _ := objectAs[nativeList](call.Args)
		native = in.Todos
	}
	if native == nil {
		c.s.warn("%s was accepted, but holds no list", quote(string(call.ID)))
		return
	}
	c.tell(chatChange{message: c.messages.count(), before: c.list, tracker: c.tracker}, call, c.s.items(native), at)
}

func (c *geminiChat) tell(change chatChange, call *chatCall, items []todo.Item, at todo.Time) {
	if len(c.changes) == maxWaiting {
		c.changes = slices.Delete(c.changes, 0, 1)
	}
	c.changes = append(c.changes, change)
	c.list = items
	c.s.list(Update{TodoID: string(call.ID), At: at}, slices.Clone(items))
}

// said gives the text of a result: [{"functionResponse":{"response":{"output" or "error": …}}}].
func (c *chatCall) said() string {
	type response struct {
		FunctionResponse struct {
			Response struct {
				Output word `json:"output"`
				Error  word `json:"error"`
			} `json:"response"`
		} `json:"functionResponse"`
	}
	var parts []jsontext.Value
	if len(c.Result) == 0 || json.Unmarshal(c.Result, &parts) != nil {
		return ""
	}
	for _, part := range parts {
		if p, ok := objectAs[response](part); ok {
			if said := p.FunctionResponse.Response; said.Output != "" || said.Error != "" {
				return string(said.Output + said.Error)
			}
		}
	}
	return ""
}

// rewind takes back a message and all that follow it; a message that is not known takes back everything.
// The list becomes what it was before them.
func (c *geminiChat) rewind(id string) {
	c.known()
	c.settle()
	from := c.messages.cut(id)
	undone := -1
	for i := len(c.changes) - 1; i >= 0 && c.changes[i].message > from; i-- {
		undone = i
	}
	if undone < 0 {
		return
	}
	c.list, c.tracker = c.changes[undone].before, c.changes[undone].tracker
	c.changes = c.changes[:undone]
	c.s.list(Update{}, slices.Clone(c.list))
}

// settle ends the turn as its last message shows.
func (c *geminiChat) settle() {
	last := c.last
	c.last = chatUnanswered
	if c.s == nil {
		return
	}
	c.drop()
	if c.s.newest() != nil {
		switch last {
		case chatAnswered:
			c.s.end(continuation.Done, 0)
		case chatFailed:
			c.s.end(continuation.Failed, 0)
		case chatCancelled:
			c.s.end(continuation.Aborted, 0)
		}
	}
	c.s.cut()
}

// drop gives up the calls that never ended.
func (c *geminiChat) drop() {
	for _, o := range c.open {
		if o.tool == "write_todos" || changesTracker(o.tool) {
			c.s.unconfirmed(Call{Tool: o.tool, ID: o.id})
		}
	}
	c.open = nil
}

func (c *geminiChat) stop() { c.settle() }
