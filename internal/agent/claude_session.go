package agent

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// claudeSession is one session: the calls that wait for their result and the lists.
//
// Turns: init begins one, result ends one. Work that a sub-agent goes on with in the background keeps a turn's result back:
// its end wakes the model, which prints a second init and has a second turn, and only then come both results, in the turns' order
// (result_index 0 and 1; the second one's origin is a task-notification). So a result ends the oldest open turn,
// while calls belong to the newest. An init inside a turn without such background work is another process
// that resumed the session: the turn before it was cut off, and what its calls came to is unknown.
type claudeSession struct {
	*stream
	c *claude

	waiting    []claudeCall      // calls of todo tools without a result, in order
	subs       map[string]string // a sub-agent's name by the tool use id of its call
	tasks      *taskList         // nil until a Task tool succeeds
	changes    []claudeChange    // the last changes of lists, for what is retracted
	lists      map[string][]todo.Item
	transcript *transcriptState // what its transcript has beside it; nil in a stream, and before the first line that counts
	active     bool             // it had lines since the last stop
	background bool             // a background sub-agent was started in this process
	socket     string           // names the process, where it is given
}

// claudeCall is a call of a todo tool.
type claudeCall struct {
	id, name string
	sub      string // name of the sub-agent, empty for the main agent
	parent   string
	uuid     string // of the line with the call, which may be retracted
	input    jsontext.Value
}

func (c claudeCall) named() Call { return Call{Tool: c.name, ID: c.id, SubAgent: c.sub} }

// begun reports whether the newest turn is open and has a message of the model.
func (s *claudeSession) begun() bool {
	t := s.newest()
	return t != nil && t.begun
}

func (s *claudeSession) init(l *claudeLine) {
	if len(l.Tools) > 0 && s.sum.TodoTool == TodoToolUnknown {
		s.sum.TodoTool = TodoToolOff
		for _, name := range l.Tools {
			if isTodoTool(name) {
				s.sum.TodoTool = TodoToolOn
			}
		}
	}
	another := l.Socket != "" && s.socket != "" && string(l.Socket) != s.socket
	s.socket = string(l.Socket)
	switch t := s.newest(); {
	case t == nil:
		s.drop()
	case !another && !t.begun:
		return // init was said again before the turn's first message
	case another || !s.background:
		s.stop()
	}
	s.begin(instant(l.Timestamp))
}

// result ends the oldest open turn. Its subtype is "success" for errors of the API too; is_error tells.
func (s *claudeSession) result(l *claudeLine) {
	at := instant(l.Timestamp)
	s.current(at)
	t := s.open[0]
	t.text.reset()
	t.text.add(string(l.Result))
	status := continuation.Done
	switch {
	case strings.HasPrefix(string(l.TerminalReason), "aborted"),
		t.interrupted && (bool(l.IsError) || l.Subtype == "error_during_execution"):
		status = continuation.Aborted
	case bool(l.IsError):
		status = continuation.Failed
		t.failure.kind = strings.Join([]string{t.failure.kind, string(l.APIErrorType), string(l.TerminalReason), string(l.Subtype)}, " ")
		t.failure.text = strings.Join(append([]string{string(l.Result)}, l.Errors...), "\n")
		t.failure.code = spokenStatus("status " + string(l.APIErrorStatus))
		if t.failure.code == 0 {
			t.failure.code = spokenStatus(t.failure.text)
		}
	}
	s.end(status, at)
	if len(s.open) == 0 {
		s.background = false
	}
}

// clear follows /clear: the conversation begins anew, without a list.
func (s *claudeSession) clear(l *claudeLine) {
	s.tasks = &taskList{made: make(map[string]struct{}), whole: true}
	s.changes, s.lists = nil, nil
	s.list(Update{At: instant(l.Timestamp)}, nil)
}

// isTodoTool reports whether a call of the tool is about the list. ToolSearch only loads such tools.
func isTodoTool(name string) bool {
	switch name {
	case "TodoWrite", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList":
		return true
	}
	return false
}

// changesList leaves out the todo tools that only look.
func changesList(name string) bool { return name != "TaskGet" && name != "TaskList" }

// use notes a call. It changes nothing before its result says that it was accepted.
func (s *claudeSession) use(l *claudeLine, b *claudeBlock) {
	name := string(b.Name)
	if !isTodoTool(name) {
		if !l.sub() && name != "ToolSearch" {
			s.current(instant(l.Timestamp)).tools++
		}
		return
	}
	if len(s.waiting) == maxWaiting {
		s.lose(s.waiting[0])
		s.c.done(s.waiting[0].id)
		s.waiting = slices.Delete(s.waiting, 0, 1)
	}
	s.waiting = append(s.waiting, claudeCall{
		id: string(b.ID), name: name, sub: s.subAgent(l), parent: string(l.Parent), uuid: string(l.UUID), input: slices.Clone(b.Input),
	})
	s.c.wait(string(b.ID))
}

// subAgent names the line's sub-agent. Older versions give no agent_id, and a name must not change within the stream,
// so the first line's name stays.
func (s *claudeSession) subAgent(l *claudeLine) string {
	if !l.sub() {
		return ""
	}
	id := string(l.AgentID)
	if id == "" {
		id = string(l.Parent)
	}
	if l.Parent == "" {
		return SubAgentName(id)
	}
	name, known := s.subs[string(l.Parent)]
	if !known {
		if s.subs == nil {
			s.subs = make(map[string]string)
		}
		name = SubAgentName(id)
		s.subs[string(l.Parent)] = name
	}
	return name
}

// answer applies a call whose result has come. The line's tool_use_result is the result of one tool,
// so it is of no use where the line holds several results.
func (s *claudeSession) answer(l *claudeLine, b *claudeBlock, alone bool) {
	i := slices.IndexFunc(s.waiting, func(c claudeCall) bool { return c.id == string(b.ToolUseID) })
	if i < 0 {
		return
	}
	call := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.c.done(call.id)
	s.c.now = s

	text := b.resultText()
	if bool(b.IsError) || strings.HasPrefix(text, "<tool_use_error>") {
		if changesList(call.name) {
			// A sub-agent may lack the tool where the main agent has it.
			s.rejected(call.named(), text, call.sub == "" && strings.Contains(text, "No such tool"))
		}
		return
	}
	r := claudeResult{text: text, at: instant(l.Timestamp)}
	if alone {
		r.value = l.ToolUseResult
	}
	if call.name == "TodoWrite" {
		s.write(call, r)
	} else {
		s.task(call, r)
	}
}

// claudeResult is what an accepted call came to.
type claudeResult struct {
	value jsontext.Value // tool_use_result, if there is one
	text  string
	at    todo.Time
}

// claudeTodos is a result of TodoWrite.
type claudeTodos struct {
	NewTodos nativeItems `json:"newTodos"`
}

// write applies TodoWrite, which sends the whole list. The result repeats it as it was taken;
// a sub-agent's result does not, so there the list is the call's own.
func (s *claudeSession) write(call claudeCall, r claudeResult) {
	var native nativeItems
	if res, ok := objectAs[claudeTodos](r.value); ok {
		native = res.NewTodos
	}
	if native == nil {
		if in, ok := objectAs[nativeList](call.input); ok {
			native = in.Todos
		}
	}
	if native == nil {
		s.warn("%s was accepted, but holds no list", quote(call.id))
		return
	}
	items := s.items(native)
	s.remember(claudeChange{uuid: call.uuid, sub: call.sub, parent: call.parent, before: s.lists[call.sub]})
	if s.lists == nil {
		s.lists = make(map[string][]todo.Item)
	}
	s.lists[call.sub] = items
	s.list(Update{SubAgent: call.sub, Parent: call.parent, TodoID: call.id, At: r.at}, slices.Clone(items))
}

// lose reports a call whose result never came.
func (s *claudeSession) lose(c claudeCall) {
	if changesList(c.name) {
		s.unconfirmed(c.named())
	}
}

// drop gives up the calls whose result never came.
func (s *claudeSession) drop() {
	for _, c := range s.waiting {
		s.lose(c)
		s.c.done(c.id)
	}
	s.waiting = nil
}

func (s *claudeSession) stop() {
	s.drop()
	s.cut()
	s.changes = nil
	s.background = false
}
