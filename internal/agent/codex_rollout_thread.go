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
	copied []string // threads whose headers can be in this one's file
	undone int      // turns that the user undid
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
	c.history, c.list = history{}, nil
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

// copied reports whether a header is in this thread's file because the thread began as a copy of another one,
// which may itself have been one. Its line was then written after this thread began, and the thread that it describes began before.
// Older programs do not name the original of a copied thread; there the copy follows the thread's own header at once.
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

func (c *codexRollout) turns() int { return c.s.sum.turns() - c.thread.undone }

// changed records a change before it is reported.
func (c *codexRollout) changed(items []todo.Item) {
	c.add(change{at: c.turns(), before: c.list})
	c.list = items
}

// rollBack undoes the last turns, with their changes of the list.
func (c *codexRollout) rollBack(turns word, at todo.Time) {
	c.stop()
	n, err := strconv.Atoi(string(turns))
	if err != nil || n < 1 {
		return
	}
	c.thread.undone += min(n, c.turns())
	if first, ok := c.back(c.turns()); ok {
		c.list = first.before
		c.s.list(Update{At: at}, slices.Clone(c.list))
	}
}
