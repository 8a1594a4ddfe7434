package acp

import (
	"cmp"
	"slices"
	"strconv"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// conversation is one session. Several plans can exist at once; the list is all of them.
type conversation struct {
	*stream.Session
	p       *parser
	plans   []plan
	planned bool   // the agent sends plans, so its calls need not be read
	inside  string // the call of the sub-agent that is at work, for which the main agent waits
	message string // id of the message that is being written
	cost    int    // of the session's turns that report it, in millionths of a US dollar
}

// maxPlans is how many plans a session can have at once.
const maxPlans = 100

type plan struct {
	id    string
	items []todo.Item
}

// openTurn returns the open turn. If the client's lines are in the log, nothing but a prompt begins one:
// what comes before it is the history of a session that was loaded.
func (s *conversation) openTurn() *stream.OpenTurn {
	if s.p.client {
		return s.NewestTurn()
	}
	return s.CurrentTurn(0)
}

// todos replaces or changes the list that the agent keeps next to its plans. It counts as one more plan.
func (s *conversation) todos(params stream.Value) {
	todos := params.Member("todos")
	list := todos.List()
	if params.IsTrue("merge") && list != nil {
		var items []todo.Item
		if i := s.indexOf(ownPlan); i >= 0 {
			items = s.plans[i].items
		}
		list = native.Patch(items, todos.Raw())
	}
	s.replacePlan(ownPlan, list)
}

// ownPlan is the plan that this list is kept as.
const ownPlan = "todos"

// indexOf finds a plan; it returns its index, or -1.
func (s *conversation) indexOf(id string) int {
	return slices.IndexFunc(s.plans, func(p plan) bool { return p.id == id })
}

// replacePlan replaces one plan. A plan does not name its owner: while a sub-agent is at work, it belongs to the sub-agent.
func (s *conversation) replacePlan(id string, entries *native.List) {
	if t := s.openTurn(); t != nil {
		t.Speaks = false
	}
	s.planned = true
	if entries == nil {
		s.Warn("a plan holds no list")
		return
	}
	items := s.Items(entries)
	if s.inside != "" {
		s.EmitList(stream.Update{SubAgent: stream.SubAgentName(s.inside), Parent: s.inside, TodoID: cmp.Or(id, "plan")}, items)
		return
	}
	i := s.indexOf(id)
	if i < 0 && len(s.plans) == maxPlans {
		s.Warn("plan %s is left out: there are too many", stream.Quote(id))
		return
	}
	if i < 0 {
		i = len(s.plans)
		s.plans = append(s.plans, plan{id: id})
	}
	s.plans[i].items = items
	s.all(id)
}

// remove drops one plan.
func (s *conversation) remove(id string) {
	i := s.indexOf(id)
	if i >= 0 {
		s.plans = slices.Delete(s.plans, i, i+1)
		s.all(id)
	}
}

// all returns the list after a change of one plan.
func (s *conversation) all(id string) {
	var items []todo.Item
	for _, p := range s.plans {
		items = append(items, p.items[:min(len(p.items), todo.MaxItems-len(items))]...)
	}
	s.EmitList(stream.Update{TodoID: cmp.Or(id, "plan")}, items)
}

// countCall counts a call of the main agent, once.
func (s *conversation) countCall(u stream.Value) {
	t := s.openTurn()
	if t != nil {
		t.Speaks = false
	}
	call, parent := u.Word("toolCallId"), parentOf(u)
	switch status := string(u.Word("status")); {
	case parent != "":
		s.inside = parent
	case string(call) == s.inside && (status == "completed" || status == "failed"):
		s.inside = ""
	}
	ended := false
	switch string(u.Word("status")) {
	case "completed", "failed":
		ended = true
		s.NoteResult(call)
	}
	if s.p.counted.Has(s.callID(call)...) {
		return
	}
	if tool := s.p.AnyTool(toolOf(u)); s.AwaitsResult(call) || tool != nil && tool.Does == native.Writes {
		s.applyTodoCall(call, u)
		return
	}
	if t != nil && parent == "" {
		t.Tools++
		s.count(call)
		if !ended {
			s.ExpectResult(call)
		}
	}
}

// count notes that a call is done with in this turn.
func (s *conversation) count(id stream.Word) { s.p.counted.Add(s.callID(id)...) }

func (s *conversation) Stop() {
	s.Session.Stop()
	s.inside = ""
}

// callID identifies a call of the open turn, among those of all sessions.
func (s *conversation) callID(id stream.Word) [][]byte {
	return [][]byte{id, []byte(s.ID), strconv.AppendInt(nil, int64(s.Turns()), 10)}
}

// toolOf names the tool of a call. Some agents do that beyond the protocol, which has only a title.
func toolOf(u stream.Value) string {
	return cmp.Or(string(u.Word("_meta", "toolName")), string(u.Word("title")))
}

// parentOf is the call of the sub-agent that an update is of, as some agents report beyond the protocol.
func parentOf(u stream.Value) string { return string(u.Word("_meta", "parentToolCallId")) }

// applyTodoCall applies a call of a todo tool that has finished. A title changes while the call runs, and so does the input.
func (s *conversation) applyTodoCall(id stream.Word, u stream.Value) {
	call, known := s.PopCall(id)
	if !known {
		call = stream.AwaitedTodoCall{ID: string(id), Tool: &native.Tool{Name: toolOf(u)}, Parent: parentOf(u)}
		call.SubAgent = stream.SubAgentName(call.Parent)
	}
	if input := u.Member("rawInput"); input != nil {
		call.Input = input.Raw()
	}
	switch string(u.Word("status")) {
	case "failed":
		s.count(id)
		s.Reject(call, "", false)
		return
	case "completed":
		s.count(id)
	default:
		s.RecordPartialCall(call)
		return
	}
	list := native.ListIn(u.Member("rawOutput", "metadata").Raw(), call.Input)
	switch {
	case s.planned:
	case list == nil:
		s.Reject(call, "", false) // it ran as the call of another tool, which reports the error
	default:
		s.EmitList(stream.Update{SubAgent: call.SubAgent, Parent: call.Parent, TodoID: call.ID}, s.Items(list))
	}
}

// appendMessage keeps the end of the agent's message. A message comes whole or in pieces, and a new id begins another.
func (s *conversation) appendMessage(u stream.Value, whole bool) {
	t := s.openTurn()
	if parent := parentOf(u); parent != "" {
		s.inside = parent
		return
	}
	if t == nil {
		return
	}
	content, id := u.Member("content"), string(u.Word("messageId"))
	if whole && content == nil {
		return // other members of the message are changed
	}
	if whole || !t.Speaks || id != s.message {
		t.Text.Reset()
	}
	t.Speaks, s.message = true, id
	if one := content.Member("text"); one != nil {
		t.Text.Add(one.Text())
		return
	}
	t.Text.Add([]byte(content.ContentText()))
}

// spend counts what the session has cost so far, in the turn that is open.
func (s *conversation) spend(u stream.Value) {
	t, total := s.openTurn(), stream.ParseMicros(u.Word("cost", "amount"))
	if t != nil && string(u.Word("cost", "currency")) == "USD" && total > s.cost {
		t.Usage.Cost += total - s.cost
		s.cost = total
	}
}

// used counts the tokens of a turn, which the answer to its prompt has.
func (s *conversation) used(v stream.Value) {
	t := s.NewestTurn()
	if t == nil || v.Kind() != '{' {
		return
	}
	u := v.Usage("outputTokens", "inputTokens", "cachedReadTokens", "cachedWriteTokens")
	u.Cached, u.Cost = stream.ParseCount(v.Word("cachedReadTokens")), t.Usage.Cost
	t.Usage = u
}

// requestCancelled is the code of an error that answers a request which was cancelled.
const requestCancelled = "-32800"

// endTurn ends the turn, for a reason that the agent reports or with an error.
func (s *conversation) endTurn(reason string, why stream.Value) {
	t := s.CurrentTurn(0)
	status := continuation.Done
	switch {
	case why != nil && (t.Interrupted || string(why.Word("code")) == requestCancelled):
		status = continuation.Aborted // some agents answer an interrupted prompt with an error
	case why != nil:
		status = continuation.Failed
		t.Failure = stream.FailureOf("", errorText(why), nil)
		if string(why.Word("code")) == "-32000" {
			t.Failure.Kind = "authentication"
		}
	case reason == "cancelled":
		status = continuation.Aborted
	case reason == "refusal":
		status = continuation.Failed
		t.Failure = stream.Failure{Kind: reason}
	}
	s.CloseTurn(status, 0)
	s.inside = ""
}
