package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// stream is one session of one agent: its turns and what was counted.
// A session that is resumed later in the same input is the same stream.
type stream struct {
	r       *Reader
	a       *adapter // the agent
	by      *adapter // whose parser reads it
	id      string   // as the agent names the session; may be empty
	sub     string   // whose file it is, where a sub-agent has one of its own
	sum     *Stream
	state   any     // what its parser remembers of it, where sessions run side by side
	left    bool    // it is given up
	active  bool    // it had lines since its agent stopped last
	open    []*turn // turns without an end, oldest first
	over    bool    // the last turn has ended, and nothing came since
	ordinal int
	unread  int      // items of that list that cannot be kept
	copies  bool     // what follows is a copy of another session's lines, and counted there
	running []string // ids of calls in the open turns whose results have not come
	called  bool     // its todo tool was called, so that it is there unless the agent says otherwise
	last    int      // line of the input that was its last so far
}

// name sets the id of a session, where the stream names it late.
func (s *stream) name(id string) {
	if id == "" || id == s.id {
		return
	}
	delete(s.r.sessions, s.by.key(s.id, s.sub))
	s.id, s.sum.Sessions[0] = id, id
	if key := s.by.key(id, s.sub); s.r.sessions[key] == nil {
		s.r.sessions[key] = s
	}
}

// becomes makes the session another agent's, whose lines are read by the same parser.
func (s *stream) becomes(format Format) {
	a := &s.r.adapters[s.r.row(format)]
	s.a, s.sum.Kind, s.sum.Format = a, a.kind, a.format
}

// emit completes an update and queues it for the caller.
func (s *stream) emit(u Update) {
	u.Kind, u.Session = s.a.kind, s.id
	if u.SubAgent == "" {
		u.SubAgent = s.sub
	}
	if u.Turn == 0 {
		u.Turn = s.sum.turns()
	}
	s.ordinal++
	u.ordinal = s.ordinal
	s.r.out = append(s.r.out, u)
}

// list emits a list as it is now. A list that a tool only read is marked as partial: items that it lacks stay.
//
// A list of which no item can be read is not an empty one, which would clear what is saved: it is
// named, and the list stays as it was.
func (s *stream) list(u Update, items []todo.Item) {
	unread := s.unread
	s.unread = 0
	if len(items) == 0 {
		items = nil
		if u.Event.Partial {
			s.sum.TodoTool = TodoToolOn
			return
		}
		if unread > 0 {
			s.sum.TodoTool = TodoToolOn
			s.warn("no item of a list can be read: the list stays as it was")
			return
		}
	}
	u.Event = continuation.Event{Type: continuation.Todos, Items: items, Source: s.a.source, Partial: u.Event.Partial, Removes: u.Event.Removes}
	if !s.copies {
		s.sum.Lists.Emitted++
	}
	s.sum.TodoTool = TodoToolOn
	s.emit(u)
	if sub := s.r.out[len(s.r.out)-1].SubAgent; sub != "" && len(s.sum.SubAgents) < maxSubAgents && !slices.Contains(s.sum.SubAgents, sub) {
		s.sum.SubAgents = append(s.sum.SubAgents, sub)
	}
}

// took counts a line of the session.
func (s *stream) took() {
	s.sum.Lines++
	s.last = s.r.sum.Lines
}

// finish draws the conclusions that need the whole input.
func (s *stream) finish() {
	off := s.sum.TodoTool == TodoToolOff || s.sum.TodoTool == TodoToolUnknown && s.a.silent && !s.called
	failed := !slices.ContainsFunc(s.sum.Turns, func(t Turn) bool { return t.Status != continuation.Failed }) // before it could use any tool
	if s.sum.Lists.Emitted == 0 && s.sum.turns() > 0 && off && !failed {
		s.sum.Hint = s.a.hint
	}
}

// name names a call where not too many are.
func (r *Reader) name(calls *[]Call, c Call) {
	if r.named++; r.named <= maxNamed {
		*calls = append(*calls, c)
	}
}

// rejected records a call that the agent refused, and its reason; missing means that there is no such tool.
func (s *stream) rejected(c todoCall, why string, missing bool) {
	if c.looks() {
		return
	}
	s.sum.Lists.Rejected++
	s.r.name(&s.sum.Rejected, s.named(&c))
	s.warn("%s %s was rejected by the agent%s", c.tool.Name, c.id, refusal(why))
	switch {
	case !missing:
		s.sum.TodoTool = TodoToolOn
	case s.sum.TodoTool == TodoToolUnknown:
		s.sum.TodoTool = TodoToolOff
	}
}

// refusal is an agent's message about a call that it refused. It is formatted for a warning, and only if that is kept.
type refusal string

func (s refusal) String() string {
	// More than quote keeps is not put on one line.
	text := strings.TrimPrefix(string(s[:min(len(s), 4096)]), "<tool_use_error>")
	words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(text), "</tool_use_error>"))
	if len(words) == 0 {
		return ""
	}
	return ": " + quote(strings.Join(words, " "))
}

const maxWarnings = 100

// warn keeps a sentence for stderr, with the session that it is about, or only counts it where there are enough.
func (s *stream) warn(format string, args ...any) {
	if s.r.sum.Warned >= maxWarnings {
		s.r.sum.Warned++
		return
	}
	text := fmt.Sprintf(format, args...)
	if s.id != "" {
		text = s.id + ": " + text
	}
	s.r.warnOf(s.a.source + " " + text)
}

// warnOf keeps a sentence about the input.
func (r *Reader) warnOf(text string) {
	if r.sum.Warned++; r.sum.Warned <= maxWarnings {
		r.sum.Warnings = append(r.sum.Warnings, text)
	}
}

// quote writes a stream's own text in a message: short, on one line, nothing in it can move a cursor.
func quote(text string) string {
	const most = 60
	cut := ""
	n := 0
	for i := range text {
		if n == most {
			text, cut = text[:i], "…"
			break
		}
		n++
	}
	return strconv.Quote(text) + cut
}
