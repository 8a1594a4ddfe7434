package codex

import (
	"strconv"
	"strings"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// A thread has turns with events of their own in the newer files; in the older ones a turn is what
// follows a user's message.

// acts records that the model did something, in the turn that it returns.
func (c *rollout) acts(at todo.Time) *stream.OpenTurn {
	if c.ahead {
		c.begin(at)
		c.evented = true
	}
	c.fresh = false
	t := c.Session.CurrentTurn(at)
	t.Last, t.Limit = stream.LastOther, continuation.Reset{}
	return t
}

// user applies a message of the role user, which may be the program's own.
func (c *rollout) user(it stream.Value, at todo.Time) {
	var text string
	for b := range it.Blocks("content") {
		if text = strings.TrimSpace(string(b.Text("text"))); text != "" {
			break
		}
	}
	if strings.HasPrefix(text, "<turn_aborted>") {
		if t := c.Session.NewestTurn(); t != nil && !c.evented {
			c.Session.CloseTurn(continuation.Aborted, at)
		}
		return
	}
	if c.evented || text == "" || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "# AGENTS.md") {
		return
	}
	c.followUserMessage(at)
}

// followUserMessage follows a user's message in a file without events for turns.
// Some versions write it twice, as an item and as an event.
func (c *rollout) followUserMessage(at todo.Time) {
	if c.Session.NewestTurn() != nil && c.fresh {
		return
	}
	c.begin(at)
}

// fails records why the turn fails, unless the model continues.
func (c *rollout) fails(why string) {
	t := c.Session.NewestTurn()
	t.Failure = stream.FailureOf("", why, nil)
	t.Last = stream.LastFailure
}

// noteLimits notes when the windows end that are used up, should the turn fail for it: the last of them.
func (c *rollout) noteLimits(windows stream.Value, at todo.Time) {
	t := c.Session.NewestTurn()
	if t == nil {
		return
	}
	var until todo.Time
	for _, name := range [...]string{"primary", "secondary"} {
		window := windows.Member(name)
		used, _ := strconv.ParseFloat(string(window.Word("used_percent")), 64)
		if used < 100 {
			continue
		}
		if r, err := continuation.ParseReset(string(window.Either("resets_at", "resets_in_seconds").Word())); err == nil {
			until = max(until, r.Instant(at.Time()))
		}
	}
	t.Limit = continuation.Reset{}
	if until != 0 {
		t.Limit = continuation.ResetAt(until)
	}
}

func (c *rollout) begin(at todo.Time) {
	c.Stop()
	c.Session.BeginTurn(at)
	c.evented, c.fresh, c.ahead = false, true, false
}

// Stop ends the turn. One that an event began is cut off without the event that ends it.
func (c *rollout) Stop() {
	if c.evented {
		c.Session.SetLastStep(stream.LastOther)
	}
	c.SequentialSessions.Stop()
	c.fresh, c.evented = false, false
}
