package stream

import (
	"cmp"
	"slices"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// AwaitedTodoCall is a call of a todo tool whose result has not come.
type AwaitedTodoCall struct {
	s        *Session
	ID       string
	Tool     *native.Tool
	SubAgent string // name of the sub-agent, empty for the main agent
	Parent   string
	UUID     string       // of the line with the call, if that can be retracted
	Input    object.Value // a copy, which outlives the line; nil if it is too long
	long     bool         // the input was too long to be kept
	Coded    bool         // the model wrote code that makes the call, so the output of the code contains its result
	Told     bool         // its list was reported before its result
	After    int          // see native.Call
}

// String names the call in a warning.
func (c *AwaitedTodoCall) String() string {
	if c.ID == "" {
		return c.Tool.Name
	}
	return c.Tool.Name + " " + c.ID
}

// ReadsOnly reports whether the call changes nothing, so that nothing is lost with it.
func (c *AwaitedTodoCall) ReadsOnly() bool { return c.Tool.Does.ReadOnly() }

// waiting contains the calls of all sessions without a result, in order. A call changes nothing
// until its result reports success.
type waiting struct {
	calls []AwaitedTodoCall
	bytes int // of their inputs
}

// The limits of calls that wait. Where more of them wait, their results have been lost.
const (
	MaxWaiting      = 1024
	maxWaitingBytes = 4 << 20
	maxInput        = 1 << 20 // bytes of an input that is kept
)

// RecordCall records a call. Its input is in the line, which is copied.
func (s *Session) RecordCall(c AwaitedTodoCall) {
	w := &s.r.waiting
	c.s, s.Called = s, true
	if len(c.Input) > maxInput {
		c.Input, c.long = nil, true
	}
	s.NoteCallOfAgent(c.SubAgent, Word(c.ID), c.Tool.Name, c.Input)
	c.Input = slices.Clone(c.Input)
	w.bytes += len(c.Input)
	w.calls = append(w.calls, c)
	for len(w.calls) > MaxWaiting || w.bytes > maxWaitingBytes {
		oldest := w.remove(0)
		oldest.lose()
	}
}

// RecordPartialCall records a call that its agent may show several times as it is written: only the last time has the complete input.
func (s *Session) RecordPartialCall(c AwaitedTodoCall) {
	if c.ID != "" {
		s.PopCall([]byte(c.ID))
	}
	s.RecordCall(c)
}

// maxRunning is how many running calls of a session are remembered. If there are more, the oldest have most likely lost
// their results.
const maxRunning = 256

// ExpectResult notes that a call was made whose result is still to come.
func (s *Session) ExpectResult(id Word) {
	if len(id) == 0 {
		s.unnamed++
		return
	}
	if slices.Contains(s.running, string(id)) {
		return
	}
	s.running = append(s.running, string(id))
	s.running = s.running[max(0, len(s.running)-maxRunning):]
}

// NoteResult notes that the result of a call has come.
func (s *Session) NoteResult(id Word) {
	if len(id) == 0 {
		s.unnamed = max(0, s.unnamed-1)
		return
	}
	if i := slices.Index(s.running, string(id)); i >= 0 {
		s.running = slices.Delete(s.running, i, i+1)
	}
}

// CountCall counts a call, and whether it only reads. One that has several lines is recognised by its id.
func (s *Session) CountCall(t *OpenTurn, id Word, name string, input object.Value) {
	if len(id) == 0 || t.counted.Add(id) {
		t.adds(s.r.tools, id, name, input)
		s.NoteCall(id, name, input)
	}
}

// adds counts a call that has one line.
func (t *OpenTurn) adds(known native.Registry, id Word, name string, input object.Value) {
	t.Tools++
	if native.OnlyReads(known, name, input) {
		t.reads++
	} else if len(id) > 0 {
		t.changes.Add(id)
	}
}

// NoteFailedCall notes that a call of the main agent ended with an error: it counts as one that has changed nothing.
func (s *Session) NoteFailedCall(id Word) {
	if t := s.NewestTurn(); t != nil && len(id) > 0 && t.changes.Has(id) && !t.denied.Has(id) && t.failed.Add(id) {
		t.reads++
	}
}

// NoteSubAgentCall notes a call of the sub-agent that a call of the main agent has started.
func (s *Session) NoteSubAgentCall(by Word, name string, input object.Value) {
	switch t := s.NewestTurn(); {
	case t == nil || len(by) == 0:
	case native.OnlyReads(s.r.tools, name, input):
		t.subReads.Add(by)
	default:
		t.subChanges.Add(by)
	}
}

// NoteSubAgentEnd notes that the sub-agent of a call has ended: if it was seen to read and to do nothing else, or counts no call of its
// own, the call has changed nothing. Calls is that count; empty if the stream has none.
func (s *Session) NoteSubAgentEnd(id, calls Word) {
	if t := s.NewestTurn(); t != nil && (t.subReads.Has(id) || string(calls) == "0") && !t.subChanges.Has(id) {
		s.NoteFailedCall(id)
	}
}

// CountOrRecordCall counts a call of a tool with this name, or records it if it is one of the todo tool.
func (s *Session) CountOrRecordCall(t *OpenTurn, name string, tool *native.Tool, id Word, input object.Value) {
	if tool == nil {
		t.adds(s.r.tools, id, name, input)
		s.NoteCall(id, name, input)
		if len(id) > 0 {
			t.counted.Add(id)
		}
		s.ExpectResult(id)
		return
	}
	s.RecordPartialCall(AwaitedTodoCall{ID: string(id), Tool: tool, Input: input})
}

// ApplyResult applies the call that a result belongs to, with the list in its input.
func (s *Session) ApplyResult(id Word, refused bool, said Value, at todo.Time) {
	s.NoteAnswer(id, said)
	if refused {
		s.NoteFailedCall(id)
	}
	call, ok := s.PopCall(id)
	switch {
	case !ok:
	case refused:
		s.Reject(call, said.ContentText(), false)
	default:
		s.Accept(call, native.ListIn(call.Input), at)
	}
}

// PopCall returns the call of a todo tool that a result belongs to, and forgets it.
// A result without an id belongs to the only call without one. If there are several, one of them may have been rejected,
// and nobody knows which: none of their lists counts.
func (s *Session) PopCall(id []byte) (AwaitedTodoCall, bool) {
	others := s.unnamed
	s.NoteResult(id)
	i := s.find(id)
	if i < 0 {
		return AwaitedTodoCall{}, false
	}
	if len(id) == 0 && (others > 0 || s.findAfter(i, id) >= 0) {
		s.AbandonMatchingCalls(func(c *AwaitedTodoCall) bool { return c.ID == "" })
		return AwaitedTodoCall{}, false
	}
	return s.r.waiting.remove(i), true
}

// AwaitsResult reports whether the session has a call of this id without a result.
func (s *Session) AwaitsResult(id []byte) bool { return s.find(id) >= 0 }

// FirstUnreported returns the session's first call that has no result and whose list was not reported yet, or nil.
func (s *Session) FirstUnreported() *AwaitedTodoCall {
	for i := range s.r.waiting.calls {
		if c := &s.r.waiting.calls[i]; c.s == s && !c.Told {
			return c
		}
	}
	return nil
}

func (s *Session) find(id []byte) int { return s.findAfter(-1, id) }

func (s *Session) findAfter(i int, id []byte) int {
	for i++; i < len(s.r.waiting.calls); i++ {
		if c := &s.r.waiting.calls[i]; c.s == s && c.ID == string(id) {
			return i
		}
	}
	return -1
}

// PendingCallOf returns the id of the session's call of a tool without a result; nothing if it has none, or several.
func (s *Session) PendingCallOf(tool string) (id Word) {
	n := 0
	for i := range s.r.waiting.calls {
		if c := &s.r.waiting.calls[i]; c.s == s && c.Tool.Name == tool {
			id, n = Word(c.ID), n+1
		}
	}
	if n != 1 {
		return nil
	}
	return id
}

// awaited reports whether a result of this id is expected, in any session.
func (w *waiting) awaited(id []byte) bool {
	for i := range w.calls {
		if w.calls[i].ID == string(id) {
			return true
		}
	}
	return false
}

func (w *waiting) remove(i int) AwaitedTodoCall {
	c := w.calls[i]
	w.calls = slices.Delete(w.calls, i, i+1)
	w.bytes -= len(c.Input)
	return c
}

// ForgetCalls removes the session's calls for which meant is true, and hands each of them to a function.
func (s *Session) ForgetCalls(meant func(*AwaitedTodoCall) bool, each func(*AwaitedTodoCall)) {
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

// AbandonCalls abandons the calls whose result never came.
func (s *Session) AbandonCalls() { s.AbandonMatchingCalls(func(*AwaitedTodoCall) bool { return true }) }

// AbandonMatchingCalls drops only the calls that match. The others may still get a result, even if lines of another agent follow,
// since the two may run at the same time.
func (s *Session) AbandonMatchingCalls(meant func(*AwaitedTodoCall) bool) {
	if len(s.r.waiting.calls) > 0 && !s.r.between {
		s.ForgetCalls(meant, (*AwaitedTodoCall).lose)
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
func (s *Session) named(c *AwaitedTodoCall) Call {
	return Call{Tool: c.Tool.Name, ID: c.ID, SubAgent: cmp.Or(c.SubAgent, s.SubAgent)}
}

// lose reports a call whose result never came.
func (c *AwaitedTodoCall) lose() {
	if !c.ReadsOnly() && !c.Told {
		s, named := c.s, c.s.named(c)
		s.Counts.Lists.Unconfirmed++
		s.r.name(&s.Counts.Unconfirmed, named)
		s.Warn("%s was called, but the stream does not show its result: not applied", c)
	}
}
