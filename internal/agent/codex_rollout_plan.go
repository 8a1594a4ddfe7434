package agent

import (
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// planned reads a plan from an event, which is a result already; the call's output comes before it or after it.
func (c *codexRollout) planned(plan value, at todo.Time) {
	steps := plan.list()
	if steps == nil {
		return
	}
	for i := range c.r.waiting.calls {
		if call := &c.r.waiting.calls[i]; call.s == c.s && !call.told {
			call.told = true
			c.plan(call.id, steps, at)
			return
		}
	}
	if t := c.s.newest(); t == nil || t.told == nil || !todo.Equal(t.told, steps.Items) {
		c.plan("", steps, at)
	}
}

// output applies the call that it belongs to.
func (c *codexRollout) output(it value, at todo.Time) {
	call, ok := c.s.popCall(it.word("call_id"))
	if !ok || call.told {
		return
	}
	output := it.member("output")
	text := outputText(output, 3)
	accepted := strings.EqualFold(strings.TrimSpace(text), "plan updated")
	switch string(valueOf(output.unpacked()).member("success").raw()) {
	case "true":
		accepted = true
	case "false":
		accepted = false
	}
	if call.coded {
		if strings.HasPrefix(text, "Script running") {
			c.s.show(call) // what becomes of it is the result of another call
			return
		}
		accepted = strings.HasPrefix(text, "Script completed")
	}
	if !accepted {
		c.s.rejected(call, text, strings.HasPrefix(text, "unsupported call") || strings.HasPrefix(text, "unsupported custom tool call"))
		return
	}
	steps := valueOf(call.input).member("plan").list()
	if steps == nil {
		c.s.warn("%s was accepted, but holds no plan", quote(call.id))
		return
	}
	c.plan(call.id, steps, at)
}

// plan returns a plan that was accepted.
func (c *codexRollout) plan(id string, steps *native.List, at todo.Time) {
	c.s.current(at).told = steps.Items
	items := c.s.items(steps)
	c.set(items, change{at: c.turns()})
	c.s.list(Update{TodoID: id, At: at}, items)
}

// outputText returns the text of an output: a string, blocks of text, or an object with one of
// them, itself perhaps within a string.
func outputText(v value, depth int) string {
	if depth == 0 {
		return ""
	}
	switch v.kind() {
	case '"':
		if inner, ok := new(indexer).index(v.unpacked()); ok && inner.kind() == '{' {
			if said := outputText(inner, depth-1); said != "" {
				return said
			}
		}
		return string(v.text())
	case '[':
		return v.contentText()
	case '{':
		return outputText(v.either("output", "content"), depth-1)
	}
	return ""
}
