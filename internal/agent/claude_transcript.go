package agent

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// claudeTranscript reads the files in which Claude Code keeps its sessions, ~/.claude/projects/…/*.jsonl.
//
// Messages are those of the stream in another envelope. Sub-agents have their lines among the others (isSidechain),
// or in a file of their own, agent-….jsonl, which names the session that they work for.
// A session that was resumed or forked can have lines twice; they have the same uuid, and only the first one counts.
//
// No line ends a turn. A turn is what follows a user's message; it is done when the model's message says end_turn,
// or, in older versions, which leave that out, when the file or the next turn shows that nothing came after the message.
type claudeTranscript struct {
	claude
	seen recent // session and uuid of the lines that meant something
}

// transcriptState is what a transcript's session has beside a stream's.
type transcriptState struct {
	id        uint64            // stands for the session's id in seen
	answered  bool              // the last thing was a message of the model that calls nothing
	commanded bool              // the user gave a slash command, which may start a turn or none
	ended     string            // id of the message that ended the last turn
	prompts   []transcriptPoint // the last prompts
	roots     map[string]string // of a sub-agent's lines among the others: from a line's uuid to the sub-agent's id
	started   []transcriptStart // calls that started a sub-agent
	parents   map[string]string // from a sub-agent's id to the call that started it
}

// transcriptPoint is where a user's message stands, with the list as it was then.
// The next message with the same parent takes its place: the user went back.
type transcriptPoint struct {
	parent string
	list   []todo.Item
}

// transcriptStart is a call that starts a sub-agent; the sub-agent's first line repeats its prompt.
type transcriptStart struct{ id, prompt string }

const (
	maxPrompts = 256
	maxStarted = 64
	maxRoots   = 10_000
)

// transcriptLine is what we need of a line.
type transcriptLine struct {
	Type          word              `json:"type"`
	Subtype       word              `json:"subtype"`
	Session       word              `json:"sessionId"`
	StreamSession word              `json:"session_id"`
	UUID          word              `json:"uuid"`
	ParentUUID    word              `json:"parentUuid"`
	Timestamp     word              `json:"timestamp"`
	Version       word              `json:"version"`
	Sidechain     truth             `json:"isSidechain"`
	AgentID       word              `json:"agentId"`
	Meta          truth             `json:"isMeta"`
	Summary       truth             `json:"isCompactSummary"`
	OnlyShown     truth             `json:"isVisibleInTranscriptOnly"`
	APIError      truth             `json:"isApiErrorMessage"`
	Error         word              `json:"error"`
	Content       word              `json:"content"`
	Retracted     words             `json:"retracted_message_uuids"`
	RetractedToo  words             `json:"retractedMessageUuids"`
	ToolUseResult jsontext.Value    `json:"toolUseResult"`
	Message       transcriptMessage `json:"message"`
}

type transcriptMessage struct {
	ID         word         `json:"id"`
	Model      word         `json:"model"`
	StopReason word         `json:"stop_reason"`
	Content    claudeBlocks `json:"content"`
}

func (m *transcriptMessage) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain transcriptMessage
	*m = transcriptMessage{}
	if d.PeekKind() != jsontext.KindBeginObject {
		return d.SkipValue()
	}
	return json.UnmarshalDecode(d, (*plain)(m))
}

func openClaudeTranscript(r *Reader, a *adapter) parser {
	return &claudeTranscript{
		claude: claude{r: r, a: a, sessions: make(map[string]*claudeSession), waiting: make(map[string]int)},
	}
}

func detectClaudeTranscript(h *head) bool {
	switch h.typ {
	case "user", "assistant", "system", "attachment", "progress":
		return h.has("sessionId", "uuid")
	case "summary":
		return h.has("leafUuid")
	case "file-history-snapshot":
		return h.has("messageId", "snapshot")
	}
	return isTranscriptNote(h.typ) && h.has("sessionId")
}

func (c *claudeTranscript) knows(typ string) bool {
	switch typ {
	case "user", "assistant", "system":
		return true
	}
	return isTranscriptNote(typ)
}

// isTranscriptNote reports whether a line of this type is about the file or the program, not the conversation.
// An api-request-blob has a message like that of the user's line beside it, and must not be taken for one.
func isTranscriptNote(typ string) bool {
	switch typ {
	case "summary", "attachment", "progress", "queue-operation", "last-prompt", "file-history-snapshot", "cost-state", "tools-used",
		"api-request", "api-request-shape", "api-request-blob", "atis-latch", "custom-title", "ai-title", "agent-name", "agent-color",
		"agent-setting", "mode", "permission-mode", "pr-link", "tag", "task-summary", "content-replacement", "worktree-state",
		"attribution-snapshot", "speculation-accept", "marble-origami-commit", "marble-origami-snapshot", "saved_hook_context":
		return true
	}
	return false
}

func (c *claudeTranscript) read(line []byte) error {
	var l transcriptLine
	if err := decode(line, &l, c.r.decodeAll); err != nil {
		return err
	}
	said := l.Type == "user" || l.Type == "assistant" || l.Type == "system"
	if said && l.Session == "" && l.StreamSession != "" {
		return errForeign
	}
	if c.now == nil {
		c.session(&claudeLine{Session: l.Session})
	}
	if !said {
		return nil
	}
	s, st := c.enter(&l)
	if c.again(st, []byte(l.UUID)) {
		return nil
	}
	old, sub := c.line(&l, st)
	switch {
	case l.Type == "system":
		c.system(&l, s, st)
	case l.Type == "assistant" && sub:
		for i := range old.Message.Content {
			if b := &old.Message.Content[i]; b.Type == "tool_use" {
				s.use(old, b)
			}
		}
	case l.Type == "assistant":
		c.assistant(&l, old, s, st)
	default:
		c.user(&l, old, sub, s, st)
	}
	return nil
}

// enter goes to the line's session. One whose first line follows a line of another session goes on with its tasks.
func (c *claudeTranscript) enter(l *transcriptLine) (*claudeSession, *transcriptState) {
	id, before := string(l.Session), c.now
	if before.id == "" && id != "" && before.sum.Lists == 0 && len(before.sum.Turns) == 0 {
		// The lines so far were notes that name no session.
		delete(c.sessions, "")
		c.sessions[id] = before
		before.name(id)
	}
	s := c.session(&claudeLine{Session: l.Session})
	fresh := s.transcript == nil
	switch {
	case fresh && l.ParentUUID == "":
		// The file tells the session from its beginning, so what was saved of it is not the start but the end.
		s.tasks = &taskList{made: make(map[string]struct{})}
	case fresh && before != s && before.tasks != nil:
		tasks := *before.tasks
		tasks.items, tasks.made, tasks.whole = slices.Clone(tasks.items), make(map[string]struct{}), true
		s.tasks = &tasks
	}
	st := s.transcript
	if st == nil {
		st = &transcriptState{id: c.seen.hash([]byte(id))}
		s.transcript = st
		if alwaysHasTodos(string(l.Version)) {
			s.sum.TodoTool = TodoToolOn
		}
	}
	return s, st
}

// alwaysHasTodos reports whether a version offered its todo tools for every model: those before 2.1.233 did.
func alwaysHasTodos(version string) bool {
	var parts [3]int
	for i, part := range strings.SplitN(version, ".", 3) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return false
		}
		parts[i] = n
	}
	return version != "" && slices.Compare(parts[:], []int{2, 1, 233}) < 0
}

// again reports whether a line was there before.
func (c *claudeTranscript) again(st *transcriptState, uuid []byte) bool {
	return len(uuid) > 0 && !c.seen.add(c.seen.hash(uuid)^st.id)
}

// line gives the line in the words of the stream, and whether it is a sub-agent's.
func (c *claudeTranscript) line(l *transcriptLine, st *transcriptState) (*claudeLine, bool) {
	out := &claudeLine{
		Type: l.Type, Session: l.Session, UUID: l.UUID, Timestamp: l.Timestamp, AgentID: l.AgentID,
		Message: claudeMessage{Content: l.Message.Content}, ToolUseResult: l.ToolUseResult,
	}
	if !l.Sidechain {
		out.AgentID = ""
		return out, false
	}
	if l.AgentID != "" {
		// Calls of one sub-agent go by its id, whether the call that started it is known or not.
		if parent := st.parents[string(l.AgentID)]; parent != "" {
			out.Parent = word(parent)
		}
		return out, true
	}
	root := st.roots[string(l.ParentUUID)]
	if root == "" {
		root = string(l.UUID)
		for i := range l.Message.Content {
			n := slices.IndexFunc(st.started, func(s transcriptStart) bool { return s.prompt == string(l.Message.Content[i].Text) })
			if n >= 0 {
				root = st.started[n].id
				st.parents = put(st.parents, root, root)
				st.started = slices.Delete(st.started, n, n+1)
				break
			}
		}
	}
	if len(st.roots) >= maxRoots {
		clear(st.roots)
	}
	st.roots = put(st.roots, string(l.UUID), root)
	if parent := st.parents[root]; parent != "" {
		out.Parent = word(parent)
	} else {
		out.AgentID = word(root)
	}
	return out, true
}

func put(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = make(map[string]string)
	}
	m[key] = value
	return m
}

func (c *claudeTranscript) system(l *transcriptLine, s *claudeSession, st *transcriptState) {
	switch l.Subtype {
	case "turn_duration":
		if s.newest() != nil && st.answered && !bool(l.Sidechain) {
			c.end(s, st, continuation.Done, instant(l.Timestamp))
		}
	case "model_refusal_fallback":
		s.retract(append(slices.Clone(l.Retracted), l.RetractedToo...), instant(l.Timestamp))
	case "local_command":
		c.command(string(l.Content), l, s)
	}
}

// command follows a slash command. /clear leaves no list.
func (c *claudeTranscript) command(text string, l *transcriptLine, s *claudeSession) {
	if strings.Contains(text, "<command-name>/clear</command-name>") && s.sum.Lists > 0 {
		s.clear(&claudeLine{Timestamp: l.Timestamp})
	}
}

func (c *claudeTranscript) assistant(l *transcriptLine, old *claudeLine, s *claudeSession, st *transcriptState) {
	at := instant(l.Timestamp)
	failed := bool(l.APIError) || l.Error != ""
	if l.Message.Model == "<synthetic>" && !failed || l.Message.ID != "" && string(l.Message.ID) == st.ended && s.newest() == nil {
		return // the program's own, or the rest of the message that ended the turn
	}
	t := s.newest()
	if t == nil {
		if st.commanded {
			t = s.begin(at)
		} else {
			t = s.begin(at, InferredTurn)
		}
		st.commanded = false
	}
	t.begun = true
	t.text.reset()
	calls, speaks := false, false
	for i := range l.Message.Content {
		switch b := &l.Message.Content[i]; b.Type {
		case "tool_use":
			calls = true
			s.use(old, b)
			st.start(b)
		case "text":
			speaks = speaks || b.Text != ""
			t.text.add(string(b.Text))
		}
	}
	st.answered = false
	switch {
	case failed:
		t.failure = failure{kind: string(l.Error), text: l.text(), code: spokenStatus(l.text())}
		if t.failure.code == 0 {
			t.failure.code = spokenStatus("status " + strings.TrimPrefix(l.text(), "API Error: "))
		}
		st.ended = string(l.Message.ID)
		c.end(s, st, continuation.Failed, at)
	case calls, l.Message.StopReason == "tool_use", l.Message.StopReason == "pause_turn":
		t.text.reset()
	case l.Message.StopReason == "":
		st.answered = speaks
	case speaks:
		st.ended = string(l.Message.ID)
		c.end(s, st, continuation.Done, at)
	default:
		st.answered = true // its text is a line of its own
	}
}

func (l *transcriptLine) text() string {
	var text strings.Builder
	for i := range l.Message.Content {
		text.WriteString(string(l.Message.Content[i].Text))
	}
	return text.String()
}

// start remembers a call that starts a sub-agent.
func (st *transcriptState) start(b *claudeBlock) {
	if b.Name != "Task" && b.Name != "Agent" {
		return
	}
	type input struct {
		Prompt word `json:"prompt"`
	}
	in, _ := objectAs[input](b.Input)
	if len(st.started) == maxStarted {
		st.started = slices.Delete(st.started, 0, 1)
	}
	st.started = append(st.started, transcriptStart{id: string(b.ID), prompt: string(in.Prompt)})
}

func (c *claudeTranscript) user(l *transcriptLine, old *claudeLine, sub bool, s *claudeSession, st *transcriptState) {
	at := instant(l.Timestamp)
	results := 0
	for i := range l.Message.Content {
		if l.Message.Content[i].Type == "tool_result" {
			results++
		}
	}
	for i := range l.Message.Content {
		b := &l.Message.Content[i]
		if b.Type != "tool_result" {
			continue
		}
		if results == 1 {
			c.adopt(l, old, b, s, st)
		}
		s.answer(old, b, results == 1)
	}
	if sub {
		return
	}
	text := strings.TrimSpace(l.text())
	switch {
	case strings.HasPrefix(text, interruptMark):
		if s.newest() != nil {
			c.end(s, st, continuation.Aborted, at)
		}
	case results > 0:
		st.answered = false
	case text == "" && len(l.Message.Content) == 0, bool(l.Meta), bool(l.Summary), bool(l.OnlyShown):
	case strings.HasPrefix(text, "<command-"):
		st.commanded = true
		c.command(text, l, s)
	case strings.HasPrefix(text, "<local-command-"), strings.HasPrefix(text, "<bash-"), strings.HasPrefix(text, "<user-memory-input>"):
	default:
		c.prompt(l, s, st)
	}
}

// adopt looks at a result that says more than whether its call was accepted: the list itself, though the call be missing,
// or the id of the sub-agent that the call started.
func (c *claudeTranscript) adopt(l *transcriptLine, old *claudeLine, b *claudeBlock, s *claudeSession, st *transcriptState) {
	type result struct {
		NewTodos jsontext.Value `json:"newTodos"`
		AgentID  word           `json:"agentId"`
	}
	res, ok := objectAs[result](l.ToolUseResult)
	if !ok {
		return
	}
	if res.AgentID != "" && !bool(l.Sidechain) {
		if len(st.parents) >= maxRoots {
			clear(st.parents)
		}
		st.parents = put(st.parents, string(res.AgentID), string(b.ToolUseID))
	}
	known := slices.ContainsFunc(s.waiting, func(w claudeCall) bool { return w.id == string(b.ToolUseID) })
	if len(res.NewTodos) > 0 && !known && !bool(b.IsError) {
		s.write(claudeCall{id: string(b.ToolUseID), name: "TodoWrite", sub: s.subAgent(old), parent: string(old.Parent)},
			claudeResult{value: l.ToolUseResult, at: instant(l.Timestamp)})
	}
}

// prompt begins a turn. A message in the place of an earlier one means that the user went back to before that one,
// and the list is again what it was there. Tasks stay: the program keeps them outside the conversation.
func (c *claudeTranscript) prompt(l *transcriptLine, s *claudeSession, st *transcriptState) {
	at := instant(l.Timestamp)
	c.settle(s, st)
	back := slices.IndexFunc(st.prompts, func(p transcriptPoint) bool { return p.parent != "" && p.parent == string(l.ParentUUID) })
	if back >= 0 {
		list := st.prompts[back].list
		st.prompts = st.prompts[:back]
		if !slices.EqualFunc(list, s.lists[""], sameItem) {
			if s.lists == nil {
				s.lists = make(map[string][]todo.Item)
			}
			s.lists[""] = list
			s.list(Update{At: at}, slices.Clone(list))
		}
	}
	if len(st.prompts) == maxPrompts {
		st.prompts = slices.Delete(st.prompts, 0, 1)
	}
	st.prompts = append(st.prompts, transcriptPoint{parent: string(l.ParentUUID), list: s.lists[""]})
	s.begin(at)
	st.commanded = false
}

func (c *claudeTranscript) end(s *claudeSession, st *transcriptState, status continuation.TurnStatus, at todo.Time) {
	c.dropMain(s)
	s.end(status, at)
	st.answered = false
}

// settle ends the turn as its last line shows.
func (c *claudeTranscript) settle(s *claudeSession, st *transcriptState) {
	if s.newest() != nil && st.answered {
		c.end(s, st, continuation.Done, 0)
	}
	c.dropMain(s)
	s.cut()
	st.answered = false
}

// dropMain gives up the main agent's calls whose result never came. Sub-agents may go on in the background.
func (c *claudeTranscript) dropMain(s *claudeSession) {
	kept := s.waiting[:0]
	for _, w := range s.waiting {
		if w.sub != "" {
			kept = append(kept, w)
			continue
		}
		s.lose(w)
		c.done(w.id)
	}
	s.waiting = kept
}

func (c *claudeTranscript) stop() {
	for _, s := range c.rest() {
		if st := s.transcript; st != nil {
			c.settle(s, st)
		}
		s.stop()
	}
}
