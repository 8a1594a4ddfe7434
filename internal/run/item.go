package run

import (
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// Settlement is what becomes of the item of a queue once the run on it has ended.
type Settlement struct {
	Status todo.Status          // of the item: completed, blocked, or pending, which gives it back
	Answer continuation.Outcome // the answer that the run ends with: each has its own exit code
}

// SettleItem decides what becomes of the item that a run was about. What concerns the item alone closes it or blocks it; then the
// answer is one after which the worker takes the next item. What would happen to the next item as well gives it back, with
// an answer that ends the worker's loop: else it would get the same item again, for ever.
func SettleItem(end Action) Settlement {
	givenBack := func(o continuation.Outcome) Settlement { return Settlement{todo.Pending, o} }
	blocked := func(o continuation.Outcome) Settlement { return Settlement{todo.Blocked, o} }
	switch end.Outcome {
	case Done:
		return Settlement{todo.Completed, continuation.Finished}
	case NeedsYou:
		if end.Reason == continuation.ReasonGateBroken || end.Reason == continuation.ReasonUnproven && end.Grade == "" && !end.OfItem { // so would the next item's be
			return givenBack(continuation.NotApplicable)
		}
		return blocked(continuation.NeedsHuman)
	case Unproven:
		return blocked(continuation.NeedsHuman) // the agent keeps no list and there is no gate, or it did nothing
	case AtLimit:
		if end.Reason == continuation.ReasonLimitWait {
			return givenBack(continuation.HostError)
		}
		return blocked(continuation.Limit)
	}
	return givenBack(end.Answer)
}
