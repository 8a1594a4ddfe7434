package codex

import (
	"slices"
	"strconv"

	"onward/internal/agents/stream"
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

// enterThread goes to a thread.
func (c *rollout) enterThread(id string, it stream.Value, began, at todo.Time) {
	if c.Session != nil && id == c.thread.id || c.takeCopiedHeader(id, it, began, at) {
		return
	}
	c.Stop()
	parent, sub := subAgentOf(it)
	c.thread = rolloutThread{id: id, began: began}
	for _, from := range []string{string(it.Word("forked_from_id")), parent} {
		if from != "" {
			c.thread.copied = append(c.thread.copied, from)
		}
	}
	c.History = stream.History{}
	switch {
	case !sub:
		c.Session = c.Open(id)
	case parent == "":
		c.Session = c.OpenSub(id, stream.SubAgentName(id))
	default:
		c.Session = c.OpenSub(parent, stream.SubAgentName(id))
	}
	c.Session.Counts.Version = string(it.Word("cli_version"))
	c.thread.bare = c.Session.Counts.Lines + 1
}

// takeCopiedHeader reports whether a header is in this thread's file because the thread began as a copy of another one,
// which may itself have been one, and notes it in the thread. Its line was then written after this thread began, and the thread
// that it describes began before. Older programs do not name the original of a copied thread; there
// the copy immediately follows the thread's own header.
func (c *rollout) takeCopiedHeader(id string, it stream.Value, began, at todo.Time) bool {
	t := &c.thread
	timed := t.began > 0 && began > 0 && at > 0
	if timed && (began >= t.began || at < t.began) {
		return false
	}
	bare := c.Session != nil && c.Session.Counts.Lines == t.bare
	if !slices.Contains(t.copied, id) {
		if !timed || !bare {
			return false
		}
		t.copied = append(t.copied, id)
	}
	if bare {
		t.bare++
	}
	if of := string(it.Word("forked_from_id")); of != "" && len(t.copied) < maxCopied && !slices.Contains(t.copied, of) {
		t.copied = append(t.copied, of)
	}
	return true
}

// maxCopied is how many threads a thread can go back to.
const maxCopied = 100

func (c *rollout) turns() int { return c.Session.Turns() - c.thread.undone }

// rollBack undoes the last turns, with their changes of the list.
func (c *rollout) rollBack(turns stream.Word, at todo.Time) {
	c.Stop()
	n, err := strconv.Atoi(string(turns))
	if err != nil || n < 1 {
		return
	}
	c.thread.undone += min(n, c.turns())
	if _, ok := c.UndoAfter(c.turns()); ok {
		c.Session.EmitList(stream.Update{Event: continuation.Event{Removes: true}, At: at}, slices.Clone(c.List))
	}
}

// subAgentOf reports whether a thread is a sub-agent's, and the thread that started it if that is reported.
func subAgentOf(it stream.Value) (parent string, sub bool) {
	src := it.Member("source", "subagent")
	if (src == nil || src.Kind() == 'n') && string(it.Word("thread_source")) != "subagent" {
		return "", false
	}
	for _, of := range []stream.Word{src.Word("thread_spawn", "parent_thread_id"), it.Word("parent_thread_id"), it.Word("session_id"), it.Word("forked_from_id")} {
		if len(of) > 0 && string(of) != string(it.Word("id")) {
			return string(of), true
		}
	}
	return "", true
}
