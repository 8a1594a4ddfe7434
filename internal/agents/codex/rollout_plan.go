package codex

import (
	"bytes"
	"strings"

	"onward/internal/agents/stream"
	"onward/internal/native"
	"onward/internal/todo"
)

// planned reads a plan from an event, which is a result already; the call's output comes before it or after it.
func (c *rollout) planned(plan stream.Value, at todo.Time) {
	steps := plan.List()
	if steps == nil {
		return
	}
	if call := c.Session.FirstUnreported(); call != nil {
		call.Told = true
		c.plan(call.ID, steps, at)
		return
	}
	if t := c.Session.NewestTurn(); t == nil || t.Told == nil || !todo.Equal(t.Told, steps.Items) {
		c.plan("", steps, at)
	}
}

// applyOutput applies the call that it belongs to.
func (c *rollout) applyOutput(it stream.Value, at todo.Time) {
	call, ok := c.Session.PopCall(it.Word("call_id"))
	if !ok || call.Told {
		if output := it.Member("output"); mayHaveGoal(output.Raw()) {
			if said, whole := stream.Parse(output.EmbeddedJSON()); whole {
				goal(c.Session, said.Member("goal"), at)
			}
		}
		return
	}
	output := it.Member("output")
	text := outputText(output, 3)
	accepted := strings.EqualFold(strings.TrimSpace(text), "plan updated")
	switch string(stream.ValueOf(output.EmbeddedJSON()).Member("success").Raw()) {
	case "true":
		accepted = true
	case "false":
		accepted = false
	}
	if call.Coded {
		if strings.HasPrefix(text, "Script running") {
			c.Session.RecordPartialCall(call) // what becomes of it is the result of another call
			return
		}
		accepted = strings.HasPrefix(text, "Script completed")
	}
	if !accepted {
		c.Session.Reject(call, text, strings.HasPrefix(text, "unsupported call") || strings.HasPrefix(text, "unsupported custom tool call"))
		return
	}
	steps := stream.ValueOf(call.Input).Member("plan").List()
	if steps == nil {
		c.Session.Warn("%s was accepted, but holds no plan", stream.Quote(call.ID))
		return
	}
	c.plan(call.ID, steps, at)
}

// mayHaveGoal reports whether an output may be an object with a goal. Most are long texts, which cost much to unquote.
func mayHaveGoal(output []byte) bool {
	text := bytes.TrimLeft(output, "\" \t\r\n")
	escaped := bytes.Contains(text, []byte(`\u00`))
	return (bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte(`\`))) && (escaped || bytes.Contains(text, []byte("goal")))
}

// plan returns a plan that was accepted.
func (c *rollout) plan(id string, steps *native.List, at todo.Time) {
	c.Session.CurrentTurn(at).Told = steps.Items
	items := c.Session.Items(steps)
	c.Set(items, stream.Change{At: c.turns()})
	c.Session.EmitList(stream.Update{TodoID: id, At: at}, items)
}

// printed returns what a call printed, without what is different each time: how long it took.
func printed(output stream.Value) []byte {
	text := outputText(output, 3)
	if _, after, found := strings.Cut(text, "\nOutput:\n"); found {
		text = after
	}
	return []byte(text)
}

// outputText returns the text of an output: a string, blocks of text, or an object with one of
// them, itself perhaps within a string.
func outputText(v stream.Value, depth int) string {
	if depth == 0 {
		return ""
	}
	switch v.Kind() {
	case '"':
		if inner, ok := stream.Parse(v.EmbeddedJSON()); ok && inner.Kind() == '{' {
			if said := outputText(inner, depth-1); said != "" {
				return said
			}
		}
		return string(v.Text())
	case '[':
		return v.ContentText()
	case '{':
		return outputText(v.Either("output", "content"), depth-1)
	}
	return ""
}
