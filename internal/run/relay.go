package run

import (
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// Relay is what a run knows about its agents if it has more than one: at a usage limit, another one goes on.
type Relay struct {
	Agents   []string    // their names, in the order in which they go on
	At       int         // the one that goes on now
	Until    []todo.Time // when the last limit of each one ends; 0 is none
	Switches int         // from one to the next, since an item was last completed
}

// untilReset is the reason of a wait for the end of a usage limit.
const untilReset = "rate_limited"

// mostSwitches is how often a run goes on with another agent without a completed item between. Then it waits, so that agents who
// only hand over to each other use up no budget.
const mostSwitches = 3

// firstAvailable returns the agent, other than the one at work, whose host takes requests first. Of those that are at no limit, it is the next
// in the order.
func (r *Relay) firstAvailable(now todo.Time) (at int, from todo.Time) {
	at = -1
	for i := 1; i < len(r.Agents); i++ {
		other := (r.At + i) % len(r.Agents)
		if free := max(now, r.Until[other]); at < 0 || free < from {
			at, from = other, free
		}
	}
	return at, from
}

// decideAtLimit decides at a usage limit of the agent at work: another agent goes on if its host takes requests sooner by more than a short
// wait. If all are at their limits, the run waits for the first.
func (m *Machine) decideAtLimit(a Answer, now todo.Time) Action {
	r, until := m.Relay, now+todo.Time(a.RetryAfter.Milliseconds())
	far := m.last.TooFar > until
	if far { // the answer is a short wait, since nobody would wait for that
		until = m.last.TooFar
	}
	r.Until[r.At] = until
	first, from := r.firstAvailable(now)
	switch {
	case a.Over != nil:
		return m.end(AtLimit, Answer{Decision: *a.Over})
	case from.Since(until) <= m.RelayAfter, now.Since(from) > continuation.ResetFuture, m.limits >= limitTimes:
		return m.wait(a, now)
	case r.Switches >= mostSwitches:
		a.Message += "; the agent was changed " + todo.Plural(r.Switches, "time") + " without a completed item"
		return m.wait(a, now)
	case from > now:
		a.RetryAfter, a.ResetAt = now.Since(from), from
		a.Message = "all agents are at usage limits; " + r.Agents[first] + " is the first, " + continuation.UntilText(from, now)
		return m.wait(a, now)
	}
	if m.waitAt == 0 {
		m.limits++
	}
	if far {
		a.RetryAfter, a.Message = now.Since(until), "usage limit "+continuation.UntilText(until, now)
	}
	r.At, r.Switches, m.waitAt, m.TakesOver = first, r.Switches+1, 0, true
	return Action{Kind: SwitchAgent, Reason: a.Reason, Message: a.Message, For: a.RetryAfter}
}

// flagsPlaceText names where the user gives the flags of the agent at work; the relay may be nil.
func (r *Relay) flagsPlaceText() string {
	if r != nil && r.At > 0 {
		return "its flags in --with"
	}
	return "what stands behind --"
}
