package run

import (
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// TestSettle checks what happens to the item after each end of a run.
func TestSettle(t *testing.T) {
	because := func(o Outcome, a continuation.Outcome, reason string) Action {
		return Action{Kind: EndRun, Outcome: o, Answer: a, Reason: reason}
	}
	for name, c := range map[string]struct {
		end    Action
		status todo.Status
		answer continuation.Outcome
	}{
		"done and proven":           {because(Done, continuation.Finished, "done"), todo.Completed, continuation.Finished},
		"the agent paused":          {because(NeedsYou, continuation.NeedsHuman, "paused"), todo.Blocked, continuation.NeedsHuman},
		"its list lost items":       {because(NeedsYou, continuation.NeedsHuman, "dropped"), todo.Blocked, continuation.NeedsHuman},
		"neither a list nor a gate": {because(Unproven, continuation.NotApplicable, continuation.ReasonNoList), todo.Blocked, continuation.NeedsHuman},
		"attempts without work":     {because(AtLimit, continuation.Limit, "attempts"), todo.Blocked, continuation.Limit},
		"the gate keeps failing":    {because(AtLimit, continuation.Limit, "gate"), todo.Blocked, continuation.Limit},
		"its budget":                {because(AtLimit, continuation.Limit, "budget"), todo.Blocked, continuation.Limit},
		"a day of usage limits":     {because(AtLimit, continuation.Limit, continuation.ReasonLimitWait), todo.Pending, continuation.HostError},
		"a broken gate":             {because(NeedsYou, continuation.NeedsHuman, continuation.ReasonGateBroken), todo.Pending, continuation.NotApplicable},
		"a gate of another folder":  {because(NeedsYou, continuation.NeedsHuman, continuation.ReasonUnproven), todo.Pending, continuation.NotApplicable},
		"a failed login":            {because(Failed, continuation.HostError, "auth"), todo.Pending, continuation.HostError},
		"the agent crashes":         {because(Failed, continuation.HostError, "failures"), todo.Pending, continuation.HostError},
		"a wait that is too long":   {because(WaitedTooLong, continuation.Wait, "rate_limited"), todo.Pending, continuation.Wait},
		"stopped by the user":       {because(Stopped, continuation.NotApplicable, "stopped"), todo.Pending, continuation.NotApplicable},
	} {
		got := SettleItem(c.end)
		if got.Status != c.status || got.Answer != c.answer {
			t.Errorf("%s: %+v; want %s, %v", name, got, c.status, c.answer)
		}
		// A loop in a shell continues after these codes, so an item that was released would be claimed again and again.
		if goesOn := got.Answer == continuation.Finished || got.Answer == continuation.NeedsHuman || got.Answer == continuation.Limit; goesOn == (got.Status == todo.Pending) {
			t.Errorf("%s: %+v lets the worker begin again with the same item, or ends it for nothing", name, got)
		}
	}
}
