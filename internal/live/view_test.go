package live

import (
	"strings"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// Parts of the cases below.
var (
	codex = Agent{Kind: "openai-codex", Session: "a"}
	sub   = Agent{Kind: "openai-codex", Session: "a", SubAgent: "scout"}
	other = Agent{Kind: "claude-code", Session: "b"}
)

type step struct {
	from  Agent
	event continuation.Event
}

func list(from Agent, items ...string) step {
	e := continuation.Event{Type: continuation.Todos}
	for _, it := range items {
		status, text, _ := strings.Cut(it, " ")
		e.Items = append(e.Items, todo.Item{Content: text, Status: todo.Status(status)})
	}
	return step{from, e}
}

func event(from Agent, t continuation.Type) step { return step{from, continuation.Event{Type: t}} }

func end(from Agent, s continuation.TurnStatus) step {
	return step{from, continuation.Event{Type: continuation.TurnEnd, Status: s}}
}

func shown(v *View) string {
	_, items := v.Shown()
	var b strings.Builder
	for _, it := range items {
		b.WriteString(string(it.Status) + " " + it.Content + "; ")
		for _, sub := range it.Subtasks {
			b.WriteString(string(sub.Status) + " " + sub.Content + "; ")
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// Each case is a rule: which list the view shows after some events, and of which agent.
func TestLifecycle(t *testing.T) {
	for _, c := range []struct {
		rule   string
		settle bool
		steps  []step
		want   string
		agent  Agent
	}{
		{"nothing at first", false, nil, "", Agent{}},
		{"a list is shown", false, []step{list(codex, "pending one")}, "pending one", codex},
		{"the same agent's list replaces", false, []step{list(codex, "pending one"), list(codex, "completed one", "pending two")}, "completed one; pending two", codex},
		{"another agent takes over", false, []step{list(codex, "pending one"), list(other, "pending two")}, "pending two", other},
		{"a sub-agent is another agent", false, []step{list(codex, "pending one"), list(sub, "pending two")}, "pending two", sub},
		{"and gives back", false, []step{list(codex, "pending one"), list(sub, "pending two"), list(codex, "completed one")}, "completed one", codex},
		{"an empty list clears", false, []step{list(codex, "pending one"), list(codex)}, "", codex},
		{"a completed turn stays as it was", false, []step{list(codex, "pending one"), end(codex, continuation.Done)}, "pending one", codex},
		{"settled, it stays as completed", true, []step{list(codex, "pending one", "cancelled two"), end(codex, continuation.Done)}, "completed one; completed two", codex},
		{"only the turn's end settles", true, []step{list(codex, "pending one")}, "pending one", codex},
		{"a new list is not settled", true, []step{list(codex, "pending one"), end(codex, continuation.Done), list(codex, "pending two")}, "pending two", codex},
		{"the same agent's next turn keeps it", false, []step{list(codex, "pending one"), end(codex, continuation.Done), event(codex, continuation.TurnStart)}, "pending one", codex},
		{"settled, the same agent's next turn keeps it so", true, []step{list(codex, "pending one"), end(codex, continuation.Done), event(codex, continuation.TurnStart)}, "completed one", codex},
		{"another agent's start clears", false, []step{list(codex, "pending one"), event(other, continuation.TurnStart)}, "", Agent{}},
		{"a failed turn clears", false, []step{list(codex, "pending one"), end(codex, continuation.Failed)}, "", Agent{}},
		{"an aborted turn clears", false, []step{list(codex, "pending one"), end(codex, continuation.Aborted)}, "", Agent{}},
		{"a turn that was cut off clears", false, []step{list(codex, "pending one"), end(codex, continuation.CutOff)}, "", Agent{}},
		{"a failed turn clears its sub-agents' lists", false, []step{list(sub, "pending one"), end(codex, continuation.Failed)}, "", Agent{}},
		{"another conversation's end changes nothing", true, []step{list(codex, "pending one"), end(other, continuation.Failed), end(other, continuation.Done)}, "pending one", codex},
		{"an abort clears", false, []step{list(codex, "pending one"), event(codex, continuation.Abort)}, "", Agent{}},
		{"an error clears", false, []step{list(codex, "pending one"), event(codex, continuation.Error)}, "", Agent{}},
		{"the conversation's end clears", false, []step{list(codex, "pending one"), event(codex, continuation.SessionEnd)}, "", Agent{}},
		{"a pause changes nothing", false, []step{list(codex, "pending one"), event(codex, continuation.Pause)}, "pending one", codex},
		{"after a clear, a list is shown again", false, []step{list(codex, "pending one"), end(codex, continuation.Failed), list(codex, "pending one")}, "pending one", codex},
	} {
		t.Run(c.rule, func(t *testing.T) {
			v := View{Settle: c.settle}
			for _, s := range c.steps {
				v.Apply(s.from, s.event)
			}
			if got := shown(&v); got != c.want {
				t.Errorf("shown is %q, want %q", got, c.want)
			}
			if agent, _ := v.Shown(); agent != c.agent {
				t.Errorf("it is %v's, want %v's", agent, c.agent)
			}
		})
	}
}

func TestSettlingOnlyAffectsDisplay(t *testing.T) {
	items := []todo.Item{{Content: "one", Status: todo.Pending, Subtasks: []todo.Subtask{{Content: "part"}}}}
	v := View{Settle: true}
	v.Apply(codex, continuation.Event{Type: continuation.Todos, Items: items})
	v.Apply(codex, continuation.Event{Type: continuation.TurnEnd})
	if got := shown(&v); got != "completed one; completed part" {
		t.Errorf("shown is %q", got)
	}
	if items[0].Status != todo.Pending || items[0].Subtasks[0].Status != "" {
		t.Errorf("the items themselves were changed: %+v", items)
	}
}
