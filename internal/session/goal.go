package session

import (
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Goal is a goal that an agent follows by itself: it goes on in turns that nobody prompts.
type Goal struct {
	Agent   string
	Text    string // its beginning
	State   string // in the agent's own word: active, paused, blocked, usage_limited, budget_limited
	At      todo.Time
	Unknown jsontext.Value
}

// ActiveGoal returns the goal for which the document's owner goes on by itself, or nil.
func (d *Document) ActiveGoal() *Goal {
	if g, o := d.Goal, d.Owner; g != nil && g.State == "active" && o != nil && o.Agent == g.Agent && o.EndedAt == 0 {
		return g
	}
	return nil
}

// Fields lists the members of a goal.
func (g *Goal) Fields(f *object.Fields) {
	object.Text(f, "agent", &g.Agent)
	object.Text(f, "text", &g.Text)
	object.Text(f, "state", &g.State)
	object.Time(f, "at", &g.At)
	f.Rest(&g.Unknown)
}
