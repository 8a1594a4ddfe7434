package agent

import (
	"slices"
	"strconv"

	"onward/internal/todo"
)

// rolloutThread is the thread whose file is being read.
type rolloutThread struct {
	id     string
	began  todo.Time
	bare   int      // lines of the session when there were none but headers
	copied []string // threads whose headers can stand in this one's file
	undone int      // turns that the user took back
}

// header goes to a thread.
func (c *codexRollout) header(it *rolloutItem, at todo.Time) {
	id := string(it.id)
	if c.s != nil && id == c.thread.id || c.copied(it, at) {
		return
	}
	c.stop()
	of, sub := it.subAgent()
	parent := string(of)
	c.thread = rolloutThread{id: id, began: instant(it.began)}
	for _, from := range []string{string(it.forkedOf), parent} {
		if from != "" {
			c.thread.copied = append(c.thread.copied, from)
		}
	}
	c.changes, c.held, c.list = nil, 0, nil
	switch {
	case !sub:
		c.s = c.r.session(c.a, id)
	case parent == "":
		c.s = c.r.subSession(c.a, id, SubAgentName(id))
	default:
		c.s = c.r.subSession(c.a, parent, SubAgentName(id))
	}
	c.thread.bare = c.s.sum.Lines + 1
}

// copied reports whether a header stands in this thread's file because the thread began as a copy of another one,
// which may itself have been one. Its line was then written after this thread began, and what it tells of began before.
// Older programs do not say whose copy a thread is; there the copy follows the thread's own header at once.
func (c *codexRollout) copied(it *rolloutItem, at todo.Time) bool {
	t, began := &c.thread, instant(it.began)
	timed := t.began > 0 && began > 0 && at > 0
	if timed && (began >= t.began || at < t.began) {
		return false
	}
	bare := c.s != nil && c.s.sum.Lines == t.bare
	if !slices.Contains(t.copied, string(it.id)) {
		if !timed || !bare {
			return false
		}
		t.copied = append(t.copied, string(it.id))
	}
	if bare {
		t.bare++
	}
	if of := string(it.forkedOf); of != "" && len(t.copied) < maxCopied && !slices.Contains(t.copied, of) {
		t.copied = append(t.copied, of)
	}
	return true
}

// maxCopied is how many threads a thread can go back to.
const maxCopied = 100

// planChange is a change of the list, with what the list was before.
type planChange struct {
	turn   int // as the thread counts, which forgets those that were taken back
	before keptList
}

func (c *codexRollout) turns() int { return c.s.sum.turns() - c.thread.undone }

// changed notes a change before it is told.
func (c *codexRollout) changed(items []todo.Item) {
	if n := len(c.changes); n == 0 || c.changes[n-1].turn != c.turns() {
		before := keep(c.list)
		c.changes = append(c.changes, planChange{c.turns(), before})
		c.held += before.bytes
	}
	for len(c.changes) > maxWaiting || c.held > maxHeld {
		c.held -= c.changes[0].before.bytes
		c.changes = slices.Delete(c.changes, 0, 1)
	}
	c.list = items
}

// rollBack takes the last turns back, with what they did to the list.
func (c *codexRollout) rollBack(turns word, at todo.Time) {
	c.stop()
	n, err := strconv.Atoi(string(turns))
	if err != nil || n < 1 {
		return
	}
	c.thread.undone += min(n, c.turns())
	undone := -1
	for i := len(c.changes) - 1; i >= 0 && c.changes[i].turn > c.turns(); i-- {
		undone = i
	}
	if undone < 0 {
		return
	}
	c.list = c.changes[undone].before.items
	for _, change := range c.changes[undone:] {
		c.held -= change.before.bytes
	}
	c.changes = c.changes[:undone]
	c.s.list(Update{At: at}, slices.Clone(c.list))
}
