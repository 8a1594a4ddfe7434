package agent

import (
	"strconv"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// A thread has turns with events of their own in the newer files; in the older ones a turn is what
// follows a user's message.

// acts records that the model did something, in the turn that it returns.
func (c *codexRollout) acts(at todo.Time) *turn {
	c.fresh = false
	t := c.s.current(at)
	t.last, t.limit = lastOther, continuation.Reset{}
	return t
}

// user applies a message of the role user, which may be the program's own.
func (c *codexRollout) user(it value, at todo.Time) {
	var text string
	for b := range it.blocks("content") {
		if text = strings.TrimSpace(string(b.text("text"))); text != "" {
			break
		}
	}
	if strings.HasPrefix(text, "<turn_aborted>") {
		if t := c.s.newest(); t != nil && !c.evented {
			c.s.close(continuation.Aborted, at)
		}
		return
	}
	if c.evented || text == "" || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "# AGENTS.md") {
		return
	}
	c.said(at)
}

// said follows a user's message in a file without events for turns.
// Some versions write it twice, as an item and as an event.
func (c *codexRollout) said(at todo.Time) {
	if c.s.newest() != nil && c.fresh {
		return
	}
	c.begin(at)
}

// fails records why the turn fails, unless the model continues.
func (c *codexRollout) fails(why string) {
	t := c.s.newest()
	t.failure = failureOf("", why, nil)
	t.last = lastFailure
}

// limits notes when the windows end that are used up, should the turn fail for it: the last of them.
func (c *codexRollout) limits(windows value, at todo.Time) {
	t := c.s.newest()
	if t == nil {
		return
	}
	var until todo.Time
	for _, name := range [...]string{"primary", "secondary"} {
		window := windows.member(name)
		used, _ := strconv.ParseFloat(string(window.word("used_percent")), 64)
		r, err := continuation.ParseReset(string(window.either("resets_at", "resets_in_seconds").word()))
		if used >= 100 && err == nil {
			until = max(until, r.After(at.Time()))
		}
	}
	t.limit = continuation.Reset{}
	if until != 0 {
		t.limit = continuation.ResetAt(until)
	}
}

func (c *codexRollout) begin(at todo.Time) {
	c.stop()
	c.s.begin(at)
	c.evented, c.fresh = false, true
}

// stop ends the turn. One that an event began is cut off without the event that ends it.
func (c *codexRollout) stop() {
	if c.evented {
		c.s.ends(lastOther)
	}
	c.single.stop()
	c.fresh, c.evented = false, false
}
