package agent

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// acpSession is one session. Several plans can exist at once; the list is all of them.
type acpSession struct {
	*stream
	p       *acp
	plans   []acpPlan
	planned bool   // the agent sends plans, so its calls need not be read
	inside  string // the call of the sub-agent that is at work, for which the main agent waits
	message string // id of the message that is being written
	speaks  bool   // the last thing was a piece of that message
}

// maxPlans is how many plans a session can have at once.
const maxPlans = 100

type acpPlan struct {
	id    string
	items []todo.Item
}

// starts begins a turn.
func (s *acpSession) starts() {
	s.begin(0)
	s.speaks = false
}

// callSum identifies a call of the open turn, among those of all sessions.
func (s *acpSession) callSum(id []byte) uint64 {
	return s.p.counted.hash(id) ^ s.p.counted.hash([]byte(s.id)) ^ uint64(s.sum.turns())
}

func (s *acpSession) isCounted(id []byte) bool { return s.p.counted.hasHash(s.callSum(id)) }

// within returns the open turn. If the client's lines are in the log, nothing but a prompt begins one:
// what comes before it is the history of a session that was loaded.
func (s *acpSession) within(client bool) *turn {
	if client {
		return s.newest()
	}
	if s.newest() == nil {
		s.speaks = false
	}
	return s.current(0)
}

// todos replaces or changes the list that Cursor keeps, which counts as one more plan.
func (s *acpSession) todos(t *acpTodos, client bool) {
	list := t.list.list()
	if t.merge && list != nil {
		list = native.Patch(s.planItems(cursorPlan), jsontext.Value(t.list))
	}
	s.replace(cursorPlan, list, client)
}

// cursorPlan is the plan that Cursor's list is kept as.
const cursorPlan = "todos"

// planItems returns the items of a plan.
func (s *acpSession) planItems(id string) []todo.Item {
	if i := slices.IndexFunc(s.plans, func(p acpPlan) bool { return p.id == id }); i >= 0 {
		return s.plans[i].items
	}
	return nil
}

// plan replaces one plan. A plan does not name its owner: while a sub-agent is at work, it belongs to the sub-agent.
func (s *acpSession) plan(id string, list value, client bool) { s.replace(id, list.list(), client) }

func (s *acpSession) replace(id string, entries *native.List, client bool) {
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
	if i < 0 && len(s.plans) == maxPlans {
		s.warn("plan %s is left out: there are too many", quote(id))
		return
	}
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

// all returns the list after a change of one plan.
func (s *acpSession) all(id string) {
	var items []todo.Item
	for _, p := range s.plans {
		items = append(items, p.items[:min(len(p.items), todo.MaxItems-len(items))]...)
	}
	s.list(Update{TodoID: cmp.Or(id, "plan")}, items)
}

// tool counts a call of the main agent, once.
func (s *acpSession) tool(u *acpUpdate, client bool) {
	s.speaks = false
	t := s.within(client)
	id := string(u.toolCallID)
	switch status := string(u.status); {
	case len(u.meta.parent) > 0:
		s.inside = string(u.meta.parent)
	case id == s.inside && (status == "completed" || status == "failed"):
		s.inside = ""
	}
	if s.isCounted(u.toolCallID) {
		return
	}
	if s.find(u.toolCallID) >= 0 || isACPTodoTool(u.tool()) {
		s.todoTool(id, u)
		return
	}
	if t != nil && len(u.meta.parent) == 0 {
		t.tools++
		s.count(u.toolCallID)
	}
}

// count notes that a call is done with in this turn.
func (s *acpSession) count(id []byte) { s.p.counted.addHash(s.callSum(id)) }

// tool names the tool of a call.
func (u *acpUpdate) tool() string { return cmp.Or(string(u.meta.tool), string(u.title)) }

// isACPTodoTool knows the todo tools of the agents that speak the protocol.
func isACPTodoTool(name string) bool {
	tool := native.AnyTool(name)
	return tool != nil && tool.Does == native.Writes
}

// todoTool applies a call of a todo tool that has finished. A title changes while the call runs, and so does the input.
func (s *acpSession) todoTool(id string, u *acpUpdate) {
	call, known := s.popCall(u.toolCallID)
	if !known {
		call = todoCall{id: id, tool: u.tool()}
		if len(u.meta.parent) > 0 {
			call.parent = string(u.meta.parent)
			call.sub = SubAgentName(call.parent)
		}
	}
	if len(u.rawInput) > 0 {
		call.input = u.rawInput
	}
	switch string(u.status) {
	case "failed":
		s.count(u.toolCallID)
		s.rejected(call.named(), "", false)
		return
	case "completed":
		s.count(u.toolCallID)
	default:
		s.show(call)
		return
	}
	list := listIn(u.rawOutput.member("metadata"), call.input)
	switch {
	case s.planned:
	case list == nil:
		s.rejected(call.named(), "", false) // it ran as the call of another tool, which reports the error
	default:
		s.list(Update{SubAgent: call.sub, Parent: call.parent, TodoID: id}, s.items(list))
	}
}

// appendMessage keeps the end of the agent's message. A message comes whole or in pieces, and a new id begins another.
func (s *acpSession) appendMessage(u *acpUpdate, client bool) {
	t := s.within(client)
	if len(u.meta.parent) > 0 {
		s.inside = string(u.meta.parent)
		return
	}
	if t == nil {
		return
	}
	whole := string(u.kind) == "agent_message"
	if whole && len(u.content) == 0 {
		return // other members of the message are changed
	}
	if whole || !s.speaks || string(u.messageID) != s.message {
		t.text.reset()
	}
	s.speaks, s.message = true, string(u.messageID)
	if one := u.content.member("text"); one != nil {
		t.text.add(one.text())
		return
	}
	t.text.add([]byte(u.content.contentText()))
}

// end ends the turn, for a reason that the agent reports or with an error.
func (s *acpSession) end(reason string, why *acpLine) {
	t := s.within(false)
	status := continuation.Done
	switch {
	case why != nil:
		status = continuation.Failed
		text := why.errorText()
		t.failure = failureOf("", text, nil)
		if string(why.failed.member("code").word()) == "-32000" {
			t.failure.kind = "authentication"
		}
	case reason == "cancelled":
		status = continuation.Aborted
	case reason == "refusal":
		status = continuation.Failed
		t.failure = failure{kind: reason}
	}
	s.drop()
	s.stream.end(status, 0)
	s.speaks, s.inside = false, ""
}
