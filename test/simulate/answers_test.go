package simulate

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// answers compares the answer to a question with the truth. With an operation id, the question may have been answered before.
func (c *command) answers(got ask.Answer, named bool) {
	d, list := got.Decision, c.name.String()
	c.count("onward", "answers "+d.Reason)
	sets := c.inForce(list)
	if d.Reason == "disabled" && all(sets, func(set continuation.Settings) bool { return set.Enabled }) {
		c.breaks(5, "nobody has switched it off, and the answer is disabled")
	}
	if d.Reason == "approval" && !c.awaits {
		c.breaks(3, "no call waits for an approval, and the answer is approval")
	}
	t := c.sights[list].truth
	switch {
	case c.went != nil:
		t = *c.went
	case c.means != nil:
		c.means(&t)
	}
	switch {
	case d.Outcome == continuation.Continue && c.went == nil && !named:
		c.breaks(9, "the agent is prompted, and that is not counted")
	case d.Outcome != continuation.Continue && c.went != nil:
		c.breaks(9, "a continuation is counted, and the answer is %s", d.Reason)
	}
	switch d.Outcome {
	case continuation.Continue:
		if c.went != nil { // otherwise the answer is that of the earlier question with this operation id
			c.deliver(got.Prompt())
			if d.Reason != continuation.ReasonMessageSent {
				c.left()
			}
		}
	case continuation.Finished:
		c.finished(t, got, sets)
	case continuation.Limit:
		c.limits(t, got.Decision.Reason, sets)
	}
	over := map[string]bool{"paused": t.paused, "aborted": t.aborted, "stopped": t.stopped, "question": t.asked}
	if holds, known := over[d.Reason]; known && !holds && t.fresh && !t.unclear {
		c.breaks(5, "the user has prompted since, and the answer is %s", d.Reason)
	}
}

// limits checks an answer that a limit has been reached.
func (c *command) limits(t truth, reason string, sets []continuation.Settings) {
	ever := c.of(c.name.String()).ever
	least := slices.MinFunc(sets, func(a, b continuation.Settings) int {
		return min(a.MaxAttempts, a.MaxStagnation) - min(b.MaxAttempts, b.MaxStagnation)
	})
	began := cmp.Or(c.since, t.heard)
	switch {
	case reason == "budget":
		used := func(set continuation.Settings) bool {
			return c.spent.over(set) || c.nightly && (c.since == 0 || c.shifts[0].unsure) || set.MaxDuration > 0 && (c.jumped || began.Since(c.clock()) >= set.MaxDuration)
		}
		if all(sets, func(set continuation.Settings) bool { return !used(set) }) {
			c.breaks(3, "no budget is used up, and the answer is budget")
		}
	case reason == "gate" && !all(sets, func(set continuation.Settings) bool { return set.MaxGate > 1 }): // the first failure reaches the limit
	case reason == "total" && len(c.shifts) > 0 && t.most < c.leastTotal(sets) && ever < 5*c.leastTotal(sets):
		c.breaks(3, "only %d continuations were not cut off, and the answer is total", t.most)
	case reason == "total" && (!t.fresh || !all(sets, func(set continuation.Settings) bool { return ever < 5*set.MaxTotal })):
	case reason == "limit_wait", reason == "host_cap" && t.sent: // these depend on the host's own limits, which the truth does not have
	case t.fresh:
		c.breaks(5, "the user has prompted, no continuation followed, and the answer is %s", reason)
	case t.moved && reason != "host_cap":
		c.breaks(3, "an item has moved since the last continuation, and the answer is %s", reason)
	case c.jumped: // after a jump of the clock, onward may not know that a turn failed since the last continuation
	case (reason == "attempts" || reason == "stalled") && t.unexcused < min(least.MaxAttempts, least.MaxStagnation):
		c.breaks(7, "only %d continuations met an agent whose host took them, and the answer is %s", t.unexcused, reason)
	}
}

// finished checks an answer that the list is done.
func (c *command) finished(t truth, got ask.Answer, sets []continuation.Settings) {
	counts := todo.Count(items(got.Doc))
	passed := slices.ContainsFunc(c.of(c.name.String()).proofs, func(p proof) bool {
		return p.passed && p.dir == c.place.Dir && p.ended >= c.began && slices.Contains(p.lists, todo.Digest(items(got.Doc))) &&
			slices.ContainsFunc(sets, func(set continuation.Settings) bool { return set.Gate == p.gate })
	})
	// The gate judges the whole work, so the list of a sub-agent does not need it.
	gated := c.name.Agent == "" && all(sets, func(set continuation.Settings) bool { return set.Gate != "" })
	free := c.name.Agent != "" || all(sets, func(set continuation.Settings) bool { return set.Gate == "" })
	switch {
	case counts.Open > 0:
		c.breaks(4, "it is called done, and %s open", todo.Plural(counts.Open, "item"))
	case gated && !passed:
		c.breaks(4, "it is called done, and the gate has not passed for this list")
	case counts.Total == 0 && free && !t.emptied:
		c.breaks(4, "it is called done, and there is no list")
	case len(t.dropped) > 0:
		c.breaks(4, "it is called done, and the agent has dropped %s", todo.Plural(len(t.dropped), "open item"))
	case (t.failed || c.clock() < t.limited && !c.jumped) && !t.worked:
		c.breaks(4, "it is called done after a failed turn, and no item was ever completed")
	}
}

// message is a message of the user or of an agent in the queue.
type message struct {
	text    string
	by      string // the agent that sent it; empty if the user did
	list    string
	at      time.Duration
	sure    bool // its push was acknowledged, and no command has removed it
	reached int  // how often it was delivered
}

// deliver counts the messages that a text contains as delivered.
func (c *command) deliver(text string) {
	for _, m := range c.messages {
		if !strings.Contains(text, m.text+".") {
			continue
		}
		if m.reached++; m.reached > 2 {
			c.breaks(8, "the message %q is delivered three times", m.text)
		}
	}
}

// left checks that the prompt contains the messages that an agent has queued.
func (c *command) left() {
	for _, m := range c.messages {
		if m.by != "" && m.sure && m.reached == 0 && m.list == c.name.String() && m.at < c.began {
			c.breaks(8, "a prompt goes out without the agent's %q", m.text)
		}
	}
}
