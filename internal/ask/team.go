package ask

import (
	"slices"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// whyMayStop returns why a sub-agent may stop regardless of its list: the user has stopped or interrupted the main agent.
// It returns nil if nothing holds it, and for the main agent, whose own decision says so.
func (e *HookHandler) whyMayStop() *continuation.Decision {
	if e.Call.SubAgent == "" || e.over == nil {
		return nil
	}
	return continuation.StoppedOrInterruptedDecision(e.over)
}

// copyAssignedItems brings the list of a team's member up to date before it is asked whether the member may stop: the team has
// one list, and what is assigned to the member is its own to finish.
func (e *HookHandler) copyAssignedItems() error {
	if e.Call.Kind != hook.SubagentStop || e.Call.SubAgent == "" || e.over == nil {
		return nil
	}
	has := e.doc.Current()
	share := memberList(e.over.Current(), has, e.Call.Member)
	if todo.Equal(share, has) {
		return nil
	}
	take := hook.Call{
		Agent: e.Call.Agent, Session: e.Call.Session, Anonymous: e.Call.Anonymous, Process: e.Call.Process,
		Events: []continuation.Event{{Type: continuation.Todos, Items: share, Source: e.Call.Agent, Removes: true}},
	}
	_, err := e.commit(func(doc *session.Document) (session.Change, error) { return e.apply(take, doc) })
	if err == nil {
		e.doc, err = e.Lists.Load(e.Name)
	}
	return err
}

// memberList returns the list of a team's member: of the team's list the items that are assigned to it and wait for no other,
// and what else it has. Of an item that both lists have, the one that was changed last counts. If nothing is assigned to
// the member by its name, its share stays the items that it had before.
func memberList(team, has []todo.Item, member string) []todo.Item {
	assigned := func(it todo.Item) bool { return member != "" && it.Assignee == member }
	named := slices.ContainsFunc(team, assigned)
	var share []todo.Item
	for i, it := range team {
		at := slices.IndexFunc(has, func(own todo.Item) bool { return own.ID == it.ID })
		switch {
		case named && !assigned(it), !named && (at < 0 || it.Assignee != has[at].Assignee), len(todo.WaitsFor(team, i)) > 0:
		case at >= 0 && has[at].UpdatedAt > it.UpdatedAt:
			share = append(share, has[at])
		default:
			it.Claim, it.Claims = nil, 0
			share = append(share, it)
		}
	}
	for _, own := range has {
		if !slices.ContainsFunc(team, func(it todo.Item) bool { return it.ID == own.ID }) {
			share = append(share, own)
		}
	}
	return share
}
