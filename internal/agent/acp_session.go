package agent

import (
	"cmp"
	"slices"
	"strconv"

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
}

// maxPlans is how many plans a session can have at once.
const maxPlans = 100

type acpPlan struct {
	id    string
	items []todo.Item
}

// within returns the open turn. If the client's lines are in the log, nothing but a prompt begins one:
// what comes before it is the history of a session that was loaded.
func (s *acpSession) within() *turn {
	if s.p.client {
		return s.newest()
	}
	return s.current(0)
}

// todos replaces or changes the list that Cursor keeps, which counts as one more plan.
func (s *acpSession) todos(params value) {
	todos := params.member("todos")
	list := todos.list()
	if params.isTrue("merge") && list != nil {
		var items []todo.Item
		if i := s.indexOf(cursorPlan); i >= 0 {
			items = s.plans[i].items
		}
		list = native.Patch(items, todos.raw())
	}
	s.plan(cursorPlan, list)
}

// cursorPlan is the plan that Cursor's list is kept as.
const cursorPlan = "todos"

// indexOf finds a plan; it returns its index, or -1.
func (s *acpSession) indexOf(id string) int {
	return slices.IndexFunc(s.plans, func(p acpPlan) bool { return p.id == id })
}

// plan replaces one plan. A plan does not name its owner: while a sub-agent is at work, it belongs to the sub-agent.
func (s *acpSession) plan(id string, entries *native.List) {
	if t := s.within(); t != nil {
		t.speaks = false
	}
	s.planned = true
	if entries == nil {
		s.warn("a plan holds no list")
		return
	}
	items := s.items(entries)
	if s.inside != "" {
		s.list(Update{SubAgent: SubAgentName(s.inside), Parent: s.inside, TodoID: cmp.Or(id, "plan")}, items)
		return
	}
	i := s.indexOf(id)
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
	i := s.indexOf(id)
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
func (s *acpSession) tool(u value) {
	t := s.within()
	if t != nil {
		t.speaks = false
	}
	call, parent := u.word("toolCallId"), acpParent(u)
	switch status := string(u.word("status")); {
	case parent != "":
		s.inside = parent
	case string(call) == s.inside && (status == "completed" || status == "failed"):
		s.inside = ""
	}
	ended := false
	switch string(u.word("status")) {
	case "completed", "failed":
		ended = true
		s.returned(call)
	}
	if s.p.counted.has(s.callID(call)...) {
		return
	}
	if tool := native.AnyTool(acpTool(u)); s.find(call) >= 0 || tool != nil && tool.Does == native.Writes {
		s.todoTool(call, u)
		return
	}
	if t != nil && parent == "" {
		t.tools++
		s.count(call)
		if !ended {
			s.runs(call)
		}
	}
}

// count notes that a call is done with in this turn.
func (s *acpSession) count(id word) { s.p.counted.add(s.callID(id)...) }

func (s *acpSession) stop() {
	s.stream.stop()
	s.inside = ""
}

// callID identifies a call of the open turn, among those of all sessions.
func (s *acpSession) callID(id word) [][]byte {
	return [][]byte{id, []byte(s.id), strconv.AppendInt(nil, int64(s.sum.turns()), 10)}
}

// acpTool names the tool of a call. Some agents do that beyond the protocol, which has only a title.
func acpTool(u value) string {
	return cmp.Or(string(u.word("_meta", "toolName")), string(u.word("title")))
}

// acpParent is the call of the sub-agent that an update is of, as some agents report beyond the protocol.
func acpParent(u value) string { return string(u.word("_meta", "parentToolCallId")) }

// todoTool applies a call of a todo tool that has finished. A title changes while the call runs, and so does the input.
func (s *acpSession) todoTool(id word, u value) {
	call, known := s.popCall(id)
	if !known {
		call = todoCall{id: string(id), tool: &native.Tool{Name: acpTool(u)}, parent: acpParent(u)}
		call.sub = SubAgentName(call.parent)
	}
	if input := u.member("rawInput"); input != nil {
		call.input = input.raw()
	}
	switch string(u.word("status")) {
	case "failed":
		s.count(id)
		s.rejected(call, "", false)
		return
	case "completed":
		s.count(id)
	default:
		s.show(call)
		return
	}
	list := native.ListIn(u.member("rawOutput", "metadata").raw(), call.input)
	switch {
	case s.planned:
	case list == nil:
		s.rejected(call, "", false) // it ran as the call of another tool, which reports the error
	default:
		s.list(Update{SubAgent: call.sub, Parent: call.parent, TodoID: call.id}, s.items(list))
	}
}

// appendMessage keeps the end of the agent's message. A message comes whole or in pieces, and a new id begins another.
func (s *acpSession) appendMessage(u value, whole bool) {
	t := s.within()
	if parent := acpParent(u); parent != "" {
		s.inside = parent
		return
	}
	if t == nil {
		return
	}
	content, id := u.member("content"), string(u.word("messageId"))
	if whole && content == nil {
		return // other members of the message are changed
	}
	if whole || !t.speaks || id != s.message {
		t.text.reset()
	}
	t.speaks, s.message = true, id
	if one := content.member("text"); one != nil {
		t.text.add(one.text())
		return
	}
	t.text.add([]byte(content.contentText()))
}

// end ends the turn, for a reason that the agent reports or with an error.
func (s *acpSession) end(reason string, why value) {
	t := s.current(0)
	status := continuation.Done
	switch {
	case why != nil:
		status = continuation.Failed
		t.failure = failureOf("", acpErrorText(why), nil)
		if string(why.word("code")) == "-32000" {
			t.failure.kind = "authentication"
		}
	case reason == "cancelled":
		status = continuation.Aborted
	case reason == "refusal":
		status = continuation.Failed
		t.failure = failure{kind: reason}
	}
	s.close(status, 0)
	s.inside = ""
}
