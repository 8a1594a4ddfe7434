package agent

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// acpSession is one session. Several plans can stand beside each other; the list is all of them.
type acpSession struct {
	*stream
	plans   []acpPlan
	planned bool // the agent gives plans, so its calls need not be read
	active  bool // it had lines since the last stop
	calls   todoCalls
	counted map[string]struct{} // ids of the turn's tool calls
	inside  string              // the call of the sub-agent that is at work, for which the main agent waits
	message string              // id of the message that is being written
	speaks  bool                // the last thing was a piece of that message
}

type acpPlan struct {
	id    string
	items []todo.Item
}

// starts begins a turn.
func (s *acpSession) starts() {
	s.begin(0)
	s.counted = make(map[string]struct{})
	s.speaks = false
}

// within gives the open turn. Where the client's lines are in the log, nothing but a prompt begins one:
// what comes before it is the history of a session that was loaded.
func (s *acpSession) within(client bool) *turn {
	if client {
		return s.newest()
	}
	if s.newest() == nil {
		s.counted = make(map[string]struct{})
		s.speaks = false
	}
	return s.current(0)
}

// plan replaces one plan. It does not say whose it is: while a sub-agent is at work it is that one's.
func (s *acpSession) plan(id string, entries nativeItems, client bool) {
	s.within(client)
	s.speaks, s.planned = false, true
	if entries == nil {
		s.warn("a plan holds no list")
		return
	}
	items := s.items(entries)
	if s.inside != "" {
		s.list(Update{SubAgent: SubAgentName(s.inside), Parent: s.inside, TodoID: cmp.Or(id, "plan")}, items)
		return
	}
	i := slices.IndexFunc(s.plans, func(p acpPlan) bool { return p.id == id })
	if i < 0 {
		i = len(s.plans)
		s.plans = append(s.plans, acpPlan{id: id})
	}
	s.plans[i].items = items
	s.all(id)
}

// remove drops one plan.
func (s *acpSession) remove(id string) {
	i := slices.IndexFunc(s.plans, func(p acpPlan) bool { return p.id == id })
	if i >= 0 {
		s.plans = slices.Delete(s.plans, i, i+1)
		s.all(id)
	}
}

// all gives the list after a change of one plan.
func (s *acpSession) all(id string) {
	var items []todo.Item
	for _, p := range s.plans {
		items = append(items, p.items...)
	}
	s.list(Update{TodoID: cmp.Or(id, "plan")}, items)
}

// tool counts a call of the main agent, once.
func (s *acpSession) tool(u *acpUpdate, client bool) {
	s.speaks = false
	t := s.within(client)
	id := string(u.ToolCallID)
	switch {
	case u.Meta.Parent != "":
		s.inside = string(u.Meta.Parent)
	case id == s.inside && (u.Status == "completed" || u.Status == "failed"):
		s.inside = ""
	}
	if _, counted := s.counted[id]; counted {
		return
	}
	if s.calls.find(id) >= 0 || isACPTodoTool(string(cmp.Or(u.Meta.Tool, u.Title))) {
		s.todoTool(id, u)
		return
	}
	if t != nil && u.Meta.Parent == "" {
		t.tools++
		s.counted[id] = struct{}{}
	}
}

// isACPTodoTool knows the todo tools of the agents that speak the protocol.
func isACPTodoTool(name string) bool {
	switch strings.ToLower(name) {
	case "todowrite", "todo_write", "write_todos", "update_plan", "settodolist", "todolist":
		return true
	}
	return false
}

// todoTool applies a call of a todo tool that has finished. A title changes while the call runs, and so does the input.
func (s *acpSession) todoTool(id string, u *acpUpdate) {
	call, known := s.calls.take(id)
	if !known {
		call = todoCall{id: id, tool: string(cmp.Or(u.Meta.Tool, u.Title))}
		if u.Meta.Parent != "" {
			call.sub, call.parent = SubAgentName(string(u.Meta.Parent)), string(u.Meta.Parent)
		}
	}
	if len(u.RawInput) > 0 {
		call.input = slices.Clone(u.RawInput)
	}
	switch u.Status {
	case "failed":
		s.counted[id] = struct{}{}
		s.rejected(call.named(), "", false)
		return
	case "completed":
		s.counted[id] = struct{}{}
	default:
		s.calls.add(s.stream, call)
		return
	}
	type output struct {
		Metadata jsontext.Value `json:"metadata"`
	}
	out, _ := objectAs[output](u.RawOutput)
	stored, _ := objectAs[nativeList](out.Metadata)
	native := stored.Todos
	if native == nil {
		in, _ := objectAs[nativeList](call.input)
		native = in.Todos
	}
	switch {
	case s.planned:
	case native == nil:
		s.rejected(call.named(), "", false) // it ran as the call of another tool, which says what was wrong
	default:
		s.list(Update{SubAgent: call.sub, Parent: call.parent, TodoID: id}, s.items(native))
	}
}

// says keeps the end of what the agent says. A message comes whole or in pieces, and a new id begins another.
func (s *acpSession) says(u *acpUpdate, client bool) {
	t := s.within(client)
	if u.Meta.Parent != "" {
		s.inside = string(u.Meta.Parent)
		return
	}
	if t == nil {
		return
	}
	whole := u.Kind == "agent_message"
	if whole && len(u.Content) == 0 {
		return // other members of the message are changed
	}
	if whole || !s.speaks || string(u.MessageID) != s.message {
		t.text.reset()
	}
	s.speaks, s.message = true, string(u.MessageID)
	if one, ok := objectAs[claudeBlock](u.Content); ok {
		t.text.add(string(one.Text))
		return
	}
	for _, block := range blocksOf(u.Content) {
		t.text.add(string(block.Text))
	}
}

// end ends the turn, for a reason that the agent gives or with an error.
func (s *acpSession) end(reason string, failed *acpError) {
	t := s.within(false)
	status := continuation.Done
	switch {
	case failed != nil:
		status = continuation.Failed
		t.failure = failure{code: spokenStatus(string(failed.Message)), text: string(failed.Message)}
		if failed.Code == "-32000" {
			t.failure.kind = "authentication"
		}
	case reason == "cancelled":
		status = continuation.Aborted
	case reason == "refusal":
		status = continuation.Failed
		t.failure = failure{kind: reason}
	}
	s.calls.drop(s.stream)
	s.stream.end(status, 0)
	s.speaks, s.inside = false, ""
}
