package continuation

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

func disabled(q *question) *verdict {
	if q.set.Enabled {
		return nil
	}
	return because(NotApplicable, "disabled", "continuation is switched off (todo-continuation is false)")
}

// notOwner keeps one agent from driving another's list.
// An agent without an id is nobody, not everybody.
func notOwner(q *question) *verdict {
	claim, owner := q.facts.Owner, q.doc.Owner
	switch {
	case claim == nil:
		return nil
	case *claim == "":
		return because(NotApplicable, "not_owner", "the caller names itself with an empty id")
	case q.facts.Named && owner != nil && owner.Session != *claim:
		return because(NotApplicable, "not_owner", "the list belongs to %s session %s", owner.Agent, owner.Session)
	}
	return nil
}

func subagent(q *question) *verdict {
	if q.doc.Agent == session.Primary || q.set.Subagents {
		return nil
	}
	return because(NotApplicable, "subagent", "sub-agents are not sent on (subagents is false)")
}

func noTodos(q *question) *verdict {
	if len(q.items) > 0 {
		return nil
	}
	if q.doc.Todos.UpdatedAt == 0 {
		return because(Finished, "no_todos", "no list was ever seen").
			hinted("the agent's todo tool may be off: %s", cmp.Or(q.facts.Switch, "`onward doctor` names its switch"))
	}
	return because(Finished, "no_todos", "there is no list, or nothing on it")
}

func stopped(q *question) *verdict {
	if q.led.StoppedAt == 0 {
		return nil
	}
	return because(NotApplicable, "stopped", "the user stopped it; `onward resume` goes on")
}

func aborted(q *question) *verdict {
	if q.led.AbortedAt == 0 {
		return nil
	}
	return because(NotApplicable, "aborted", "the user interrupted the agent; the next prompt goes on")
}

func paused(q *question) *verdict {
	if q.led.Paused == nil {
		return nil
	}
	return because(NeedsHuman, "paused", "AI paused: %s", q.led.Paused.Reason)
}

func userActive(q *question) *verdict {
	if n := q.facts.QueuedMessages; n != nil && *n > 0 {
		return because(NeedsHuman, "user_active", "a message of the user waits in the queue")
	}
	if ids := q.facts.Awaiting; len(ids) > 0 {
		return because(NeedsHuman, "approval", "%s awaiting approval; to approve: `onward schedule approve %s --session %s`",
			todo.Plural(len(ids), "tool call"), strings.Join(ids[:min(len(ids), 5)], " "), q.doc.Session)
	}
	return nil
}

func questionOpen(q *question) *verdict {
	if q.led.QuestionAt == 0 {
		return nil
	}
	return because(NeedsHuman, "question", "a question to the user is open")
}

// agentMode spares an agent that is not to write.
// Where nobody says so, writing is allowed.
func agentMode(q *question) *verdict {
	if w := q.facts.CanWrite; w != nil && !*w {
		return because(NotApplicable, "agent_mode", "the agent may not write")
	}
	mode := strings.ToLower(strings.TrimSpace(q.facts.AgentMode))
	if mode != "" && slices.Contains(q.set.PlanAgents, mode) {
		return because(NotApplicable, "agent_mode", "the agent is in %s mode", mode)
	}
	return nil
}

// staleList keeps yesterday's list from driving today's conversation.
func staleList(q *question) *verdict {
	h := q.facts.Hook
	if h == nil || h.Began == 0 || q.led.PromptKey == "" {
		return nil
	}
	untouched := q.doc.Todos.UpdatedAt.Since(h.Began) >= q.set.StaleAfter
	if untouched && q.led.PromptAt < h.Began {
		return because(NotApplicable, "stale", "the list was left before this conversation; `onward event user-prompt --session %s` adopts it", q.doc.Session)
	}
	return nil
}

// blocked ends where no item can be worked on: each is blocked, or waits for one that is.
func blocked(q *question) *verdict {
	if q.counts.Open == 0 || todo.Next(q.items) >= 0 {
		return nil
	}
	for i := range q.items {
		if it := &q.items[i]; it.Status == todo.Blocked {
			if it.Reason != "" {
				return because(NeedsHuman, "blocked", "everything open is blocked: %s (%s)", Fold(it.Content), it.Reason)
			}
			return because(NeedsHuman, "blocked", "everything open is blocked: %s", Fold(it.Content))
		}
	}
	return because(NeedsHuman, "blocked", "the open items wait for each other")
}
