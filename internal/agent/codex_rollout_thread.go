package agent

import (
	"slices"
	"strconv"

	continuation "onward/internal/continue"
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
func (c *codexRollout) header(id string, it value, began, at todo.Time) {
	if c.s != nil && id == c.thread.id || c.copied(id, it, began, at) {
		return
	}
	c.stop()
	parent, sub := subAgentOf(it)
	c.thread = rolloutThread{id: id, began: began}
	for _, from := range []string{string(it.word("forked_from_id")), parent} {
		if from != "" {
			c.thread.copied = append(c.thread.copied, from)
		}
	}
	c.history = history{}
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
// which may itself have been one. Its line was then written after this thread began, and the thread
// that it describes began before. Older programs do not name the original of a copied thread; there
// the copy follows the thread's own header at once.
func (c *codexRollout) copied(id string, it value, began, at todo.Time) bool {
	t := &c.thread
	timed := t.began > 0 && began > 0 && at > 0
	if timed && (began >= t.began || at < t.began) {
		return false
	}
	bare := c.s != nil && c.s.sum.Lines == t.bare
	if !slices.Contains(t.copied, id) {
		if !timed || !bare {
			return false
		}
		t.copied = append(t.copied, id)
	}
	if bare {
		t.bare++
	}
	if of := string(it.word("forked_from_id")); of != "" && len(t.copied) < maxCopied && !slices.Contains(t.copied, of) {
		t.copied = append(t.copied, of)
	}
	return true
}

// maxCopied is how many threads a thread can go back to.
const maxCopied = 100

func (c *codexRollout) turns() int { return c.s.sum.turns() - c.thread.undone }

// rollBack undoes the last turns, with their changes of the list.
func (c *codexRollout) rollBack(turns word, at todo.Time) {
	c.stop()
	n, err := strconv.Atoi(string(turns))
	if err != nil || n < 1 {
		return
	}
	c.thread.undone += min(n, c.turns())
	if _, ok := c.back(c.turns()); ok {
		c.s.list(Update{Event: continuation.Event{Removes: true}, At: at}, slices.Clone(c.list))
	}
}

// subAgentOf reports whether a thread is a sub-agent's, and the thread that started it if that is reported.
func subAgentOf(it value) (parent string, sub bool) {
	src := it.member("source", "subagent")
	if (src == nil || src.kind() == 'n') && string(it.word("thread_source")) != "subagent" {
		return "", false
	}
	for _, of := range []word{src.word("thread_spawn", "parent_thread_id"), it.word("parent_thread_id"), it.word("session_id"), it.word("forked_from_id")} {
		if len(of) > 0 && string(of) != string(it.word("id")) {
			return string(of), true
		}
	}
	return "", true
}
