package agent

import (
	"slices"

	"github.com/go-json-experiment/json"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// acpSession is one session. Several plans can stand beside each other; the list is all of them.
type acpSession struct {
	*stream
	plans   []acpPlan
	counted map[string]struct{} // ids of the turn's tool calls
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

// plan replaces one plan.
func (s *acpSession) plan(id string, entries nativeItems, client bool) {
	s.within(client)
	s.speaks = false
	if entries == nil {
		s.warn("a plan holds no list")
		return
	}
	items := s.items(entries)
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
	if id == "" {
		id = "plan"
	}
	s.list(Update{TodoID: id}, items)
}

func (s *acpSession) tool(id string, client bool) {
	s.speaks = false
	t := s.within(client)
	if t == nil {
		return
	}
	if _, counted := s.counted[id]; !counted {
		s.counted[id] = struct{}{}
		t.tools++
	}
}

// says keeps the end of what the agent says. A message comes whole or in pieces, and a new id begins another.
func (s *acpSession) says(u *acpUpdate, client bool) {
	t := s.within(client)
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
	if one, ok := object[claudeBlock](u.Content); ok {
		t.text.add(string(one.Text))
		return
	}
	var blocks claudeBlocks
	if len(u.Content) > 0 && json.Unmarshal(u.Content, &blocks) == nil {
		for i := range blocks {
			t.text.add(string(blocks[i].Text))
		}
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
	s.stream.end(status, 0)
	s.speaks = false
}
