package agent

import (
	"cmp"
	"slices"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// todoCall is a call of a todo tool whose result has not come.
type todoCall struct {
	s      *stream
	id     string
	tool   *native.Tool
	sub    string // name of the sub-agent, empty for the main agent
	parent string
	uuid   string       // of the line with the call, where that can be retracted
	input  object.Value // a copy, which outlives the line; nil where it is too long to be a list
	coded  bool         // it is in code, whose output contains its result
	told   bool         // its list was reported before its result
	after  int          // see native.Call
}

// looks reports whether the call changes nothing, so that nothing is lost with it.
func (c *todoCall) looks() bool { return c.tool.Does.ReadOnly() }

// waiting contains the calls of all sessions without a result, in order. A call changes nothing
// until its result reports success.
type waiting struct {
	calls []todoCall
	bytes int // of their inputs
}

// A stream with more has lost the results.
const (
	maxWaiting      = 1024
	maxWaitingBytes = 4 << 20
	maxInput        = 1 << 20 // bytes of an input that is kept
)

// wait records a call. Its input is in the line, of which a copy is made.
func (s *stream) wait(c todoCall) {
	w := &s.r.waiting
	c.s, s.called = s, true
	if len(c.input) > maxInput {
		c.input = nil
	}
	c.input = slices.Clone(c.input)
	w.bytes += len(c.input)
	w.calls = append(w.calls, c)
	for len(w.calls) > maxWaiting || w.bytes > maxWaitingBytes {
		oldest := w.remove(0)
		oldest.lose()
	}
}

// show records a call that its agent shows more than once: the last one counts, which has the complete input.
func (s *stream) show(c todoCall) {
	if c.id != "" {
		s.popCall([]byte(c.id))
	}
	s.wait(c)
}

// maxRunning is how many calls of a session are known to run; those before have most likely lost their results.
const maxRunning = 256

// runs notes that a call was made whose result is still to come.
func (s *stream) runs(id word) {
	if len(id) == 0 || slices.Contains(s.running, string(id)) {
		return
	}
	s.running = append(s.running, string(id))
	s.running = s.running[max(0, len(s.running)-maxRunning):]
}

// returned notes that the result of a call has come.
func (s *stream) returned(id word) {
	if i := slices.Index(s.running, string(id)); i >= 0 {
		s.running = slices.Delete(s.running, i, i+1)
	}
}

// use counts a call, or records it where it is one of the todo tool.
func (s *stream) use(t *turn, tool *native.Tool, id word, input object.Value) {
	if tool == nil {
		t.tools++
		s.runs(id)
		return
	}
	s.show(todoCall{id: string(id), tool: tool, input: input})
}

// result applies the call that a result belongs to, with the list in its input.
func (s *stream) result(id word, refused bool, said value, at todo.Time) {
	call, ok := s.popCall(id)
	switch {
	case !ok:
	case refused:
		s.rejected(call, said.contentText(), false)
	default:
		s.accept(call, native.ListIn(call.input), at)
	}
}

// popCall returns the call of a todo tool that a result belongs to, and forgets it.
func (s *stream) popCall(id []byte) (todoCall, bool) {
	s.returned(id)
	i := s.find(id)
	if i < 0 {
		return todoCall{}, false
	}
	return s.r.waiting.remove(i), true
}

func (s *stream) find(id []byte) int {
	for i := range s.r.waiting.calls {
		if c := &s.r.waiting.calls[i]; c.s == s && c.id == string(id) {
			return i
		}
	}
	return -1
}

// waits returns the id of the session's call of a tool without a result; nothing where it has none, or several.
func (s *stream) waits(tool string) (id word) {
	n := 0
	for i := range s.r.waiting.calls {
		if c := &s.r.waiting.calls[i]; c.s == s && c.tool.Name == tool {
			id, n = word(c.id), n+1
		}
	}
	if n != 1 {
		return nil
	}
	return id
}

// awaited reports whether a result of this id is waited for, whatever session it is of.
func (w *waiting) awaited(id []byte) bool {
	for i := range w.calls {
		if w.calls[i].id == string(id) {
			return true
		}
	}
	return false
}

func (w *waiting) remove(i int) todoCall {
	c := w.calls[i]
	w.calls = slices.Delete(w.calls, i, i+1)
	w.bytes -= len(c.input)
	return c
}

// forget removes the session's calls that are meant, and calls each with them.
func (s *stream) forget(meant func(*todoCall) bool, each func(*todoCall)) {
	w := &s.r.waiting
	for i := 0; i < len(w.calls); {
		if w.calls[i].s != s || !meant(&w.calls[i]) {
			i++
			continue
		}
		c := w.remove(i)
		each(&c)
	}
}

// drop abandons the calls whose result never came.
func (s *stream) drop() { s.dropMatching(func(*todoCall) bool { return true }) }

// dropMatching drops only the calls that match. Where another agent's lines follow, a result may come yet:
// the two may run side by side.
func (s *stream) dropMatching(meant func(*todoCall) bool) {
	if len(s.r.waiting.calls) > 0 && !s.r.between {
		s.forget(meant, (*todoCall).lose)
	}
}

// lose abandons the calls of all sessions.
func (w *waiting) lose() {
	for len(w.calls) > 0 {
		c := w.remove(0)
		c.lose()
	}
}

// named names a call.
func (s *stream) named(c *todoCall) Call {
	return Call{Tool: c.tool.Name, ID: c.id, SubAgent: cmp.Or(c.sub, s.sub)}
}

// lose reports a call whose result never came.
func (c *todoCall) lose() {
	if !c.looks() && !c.told {
		s, named := c.s, c.s.named(c)
		s.sum.Lists.Unconfirmed++
		s.r.name(&s.sum.Unconfirmed, named)
		s.warn("%s %s was called, and no result tells whether it was accepted: not applied", named.Tool, c.id)
	}
}
