package continuation

import (
	"slices"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

func disabled(q *question) *Decision {
	if q.set.Enabled {
		return nil
	}
	return because(NotApplicable, "disabled", "continuation is switched off (todo-continuation is false)").
		withHint("%s switches it on", q.settingAssignment("todo-continuation", "true"))
}

// notOwner prevents an agent from continuing another agent's list.
// An empty id matches no owner.
func notOwner(q *question) *Decision {
	claim, owner := q.facts.Owner, q.doc.Owner
	switch {
	case claim == nil:
		return nil
	case *claim == "":
		return because(NotApplicable, "not_owner", "the caller names itself with an empty id").
			withHint("`onward check-continue --owner ID` names the agent's session, and without the flag anybody may ask")
	case q.facts.Named && owner != nil && owner.Session != *claim:
		return because(NotApplicable, "not_owner", "the list belongs to %s session %s", owner.Agent, owner.Session).
			withHint("`onward session use NAME` chooses another list for this project")
	}
	return nil
}

func subagent(q *question) *Decision {
	if q.doc.Agent == session.Primary || q.set.Subagents {
		return nil
	}
	return because(NotApplicable, "subagent", "sub-agents are not sent back to work here").
		withHint("%s keeps them going too", q.settingAssignment("subagents", "true"))
}

// noList stops if there is neither a list nor a gate: nothing shows whether the work is done.
func noList(q *question) *Decision {
	lost := allMissing(q.items)
	if len(q.items) > 0 && !lost || q.gated || q.led.Dropped != nil {
		return nil
	}
	switch {
	case lost, q.led.Deleted != nil:
		d := because(NotApplicable, ReasonNoList, "the agent's list lost its items, and none of them is done").withHint(ItemsLostHint)
		if d.Emptied = true; !lost {
			d.Message = q.allDoneText()
		}
		return d
	case q.doc.Todos.UpdatedAt != 0:
		return because(NotApplicable, ReasonNoList, "no active list, or it is empty").withHint("`onward todo add TEXT` starts a list")
	case q.facts.Switch != "":
		return because(NotApplicable, ReasonNoList, "no list has been saved yet").
			withHint("the agent's todo tool may be off: %s", q.facts.Switch)
	}
	return because(NotApplicable, ReasonNoList, "no list has been saved yet").
		withHint("`onward todo add TEXT` starts a list; if an agent keeps one, its todo tool may be off: `onward doctor` names the switch")
}

func stopped(q *question) *Decision {
	if !q.led.Stopped() {
		return nil
	}
	return because(NotApplicable, "stopped", "the user stopped this session").withHint("`onward resume` ends that")
}

// StoppedTurnDecision returns the answer that the user has stopped the turn that is open, and nil otherwise. The document may be nil.
func StoppedTurnDecision(doc *session.Document) *Decision {
	if doc == nil || !doc.Ledger().StoppedNow {
		return nil
	}
	return stopped(&question{doc: doc, led: doc.Continuation})
}

// StoppedOrInterruptedDecision returns the answer that the user has stopped or interrupted the agent of a list, and nil otherwise. That holds for
// its sub-agents too.
func StoppedOrInterruptedDecision(doc *session.Document) *Decision {
	q := &question{doc: doc, led: doc.Continuation}
	for _, match := range []func(*question) *Decision{stopped, aborted} {
		if d := match(q); d != nil {
			return d
		}
	}
	return nil
}

func aborted(q *question) *Decision {
	if q.led.AbortedAt == 0 {
		return nil
	}
	return because(NotApplicable, "aborted", "the user interrupted the agent").
		withHint("the user's next prompt ends that, and so does `onward resume`")
}

func paused(q *question) *Decision {
	if q.led.Paused == nil {
		return nil
	}
	return because(NeedsHuman, "paused", "paused: %s", q.led.Paused.Reason).
		withHint("provide what is needed, then `onward resume`")
}

func approval(q *question) *Decision {
	if ids := q.facts.Awaiting; len(ids) > 0 {
		return because(NeedsHuman, "approval", "%s %s approval; to approve: `onward schedule approve %s --session %s`",
			todo.Plural(len(ids), "tool call"), plural(len(ids), "awaits", "await"), strings.Join(ids[:min(len(ids), 5)], " "), q.doc.Session).
			withHint("`onward schedule list --status awaiting_approval --session %s` shows what it would do", q.doc.Session)
	}
	return nil
}

func questionOpen(q *question) *Decision {
	if q.led.QuestionAt == 0 {
		return nil
	}
	return because(NeedsHuman, "question", "a question to the user is open").
		withHint("answer the agent; in a script, `onward event question-answered`")
}

// agentMode stops for an agent that must not write.
// Where its mode is unknown, writing is allowed.
func agentMode(q *question) *Decision {
	if w := q.facts.CanWrite; w != nil && !*w {
		return because(NotApplicable, "agent_mode", "the agent may not write").withHint("let it write, then ask again with `onward check-continue`")
	}
	mode := strings.ToLower(strings.TrimSpace(q.facts.AgentMode))
	if mode != "" && slices.Contains(q.set.PlanAgents, mode) {
		return because(NotApplicable, "agent_mode", "the agent is in %s mode", mode).
			withHint("leave that mode; %s changes the modes that end a loop", q.settingAssignment("plan-agents", "NAMES"))
	}
	return nil
}

// staleList stops if the list is older than the conversation, which may be about something else.
func staleList(q *question) *Decision {
	h := q.facts.Hook
	if h == nil || h.Began == 0 || q.led.PromptKey == "" {
		return nil
	}
	untouched := q.doc.Todos.UpdatedAt.Since(h.Began) >= q.set.StaleAfter
	if untouched && q.led.PromptAt < h.Began {
		return because(NotApplicable, "stale", "the list is older than this conversation").
			withHint("`onward event user-prompt --session %s` continues it here", q.doc.Session)
	}
	return nil
}

// blocked stops if no item can be worked on: each is blocked, or depends on one that is.
func blocked(q *question) *Decision {
	if q.counts.Open == 0 || todo.Next(q.items) >= 0 {
		return nil
	}
	for i := range q.items {
		if it := &q.items[i]; it.Status.Waits() {
			what := FoldLine(it.Content)
			if it.Reason != "" {
				what += " (" + it.Reason + ")"
			}
			return because(NeedsHuman, "blocked", "everything open is blocked: %s", what).withHint("`onward todo reopen %d` unblocks it", i+1)
		}
	}
	return because(NeedsHuman, "blocked", "the open items wait for each other").
		withHint("`onward todo edit POS --after none` removes what an item waits for")
}
