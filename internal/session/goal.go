package session

import (
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Goal is a goal that an agent follows on its own: it continues in turns that nobody prompts.
type Goal struct {
	Agent   string
	Text    string // its beginning
	State   string // in the agent's own word: active, paused, blocked, usage_limited, budget_limited
	At      todo.Time
	Unknown jsontext.Value
}

// ActiveGoal returns the goal for which the document's owner continues on its own, or the conversation whose marks it has while
// no list exists; nil if no goal is active.
func (d *Document) ActiveGoal() *Goal {
	if d == nil || d.Goal == nil || d.Goal.State != "active" {
		return nil
	}
	if o := d.Owner; o != nil && o.Agent == d.Goal.Agent && o.EndedAt == 0 || o == nil && d.Continuation.MarkedBy != "" {
		return d.Goal
	}
	return nil
}

// Fields lists the members of a goal.
func (g *Goal) Fields(f *object.Fields) {
	object.Text(f, "agent", &g.Agent)
	object.Text(f, "text", &g.Text)
	object.Text(f, "state", &g.State)
	object.Time(f, "at", &g.At)
	f.Unknown(&g.Unknown)
}
