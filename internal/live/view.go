// Package live decides what a live view shows: one list, that of the agent at work.
// It is a state machine over events and knows neither files, clocks nor terminals.
package live

import (
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// Agent is who an event comes from. Two agents are the same if all of it is.
type Agent struct {
	Kind     string
	Session  string // the agent's own session
	SubAgent string // empty for the main agent
}

// View is the one list on the screen. The zero value shows nothing.
type View struct {
	// Settle shows every item as completed once the turn is. It changes the view only:
	// real turns end with open items, and these stay open in the session.
	Settle bool

	agent   Agent
	items   []todo.Item // empty if nothing is shown
	settled bool
}

// Apply applies one event. A list replaces the one on the screen, of any agent;
// it stays when its turn is completed, until another agent begins;
// and it goes when the turn failed or was stopped, or the conversation is over.
// The view keeps the items of the event, so the caller must not change them afterwards.
func (v *View) Apply(from Agent, e continuation.Event) {
	switch e.Type {
	case continuation.Todos:
		v.agent, v.items, v.settled = from, e.Items, false
	case continuation.TurnStart:
		if from != v.agent {
			v.clear()
		}
	case continuation.TurnEnd:
		if !v.shares(from) {
			return
		}
		if e.Status == "" || e.Status == continuation.Done {
			v.settled = true
		} else {
			v.clear()
		}
	case continuation.Abort, continuation.Error, continuation.SessionEnd:
		if v.shares(from) {
			v.clear()
		}
	}
}

// shares reports whether an agent is in the conversation that is shown, its sub-agents included.
func (v *View) shares(from Agent) bool {
	return from.Kind == v.agent.Kind && from.Session == v.agent.Session
}

func (v *View) clear() { v.agent, v.items, v.settled = Agent{}, nil, false }

// Shown returns the list on the screen and whose it is; there is none without items.
func (v *View) Shown() (Agent, []todo.Item) {
	if !v.Settle || !v.settled {
		return v.agent, v.items
	}
	done := make([]todo.Item, len(v.items))
	for i, it := range v.items {
		it.Status = todo.Completed
		it.Subtasks = make([]todo.Subtask, len(it.Subtasks))
		for j, sub := range v.items[i].Subtasks {
			sub.Status = todo.Completed
			it.Subtasks[j] = sub
		}
		done[i] = it
	}
	return v.agent, done
}
