package stream

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// Session is one session of one agent: its turns and what was counted.
// A session that is resumed later in the same input is the same stream.
type Session struct {
	r         *Reader
	a         *Adapter // the agent
	by        *Adapter // whose parser reads it
	ID        string   // as the agent names the session; may be empty
	SubAgent  string   // whose file it is, if a sub-agent has one of its own
	Counts    *Counts
	state     any         // what its parser remembers of it, where sessions run side by side
	Abandoned bool        // it is given up
	active    bool        // it had lines since its agent stopped last
	open      []*OpenTurn // turns without an end, oldest first
	TurnOver  bool        // the last turn has ended, and nothing came since
	ordinal   int
	unread    int      // items of that list that cannot be kept
	leftOut   []string // their texts
	Copies    bool     // what follows is a copy of another session's lines, and counted there
	running   []string // ids of calls in the open turns whose results have not come
	unnamed   int      // such calls without an id
	Asks      bool     // it waits for its user
	Called    bool     // its todo tool was called, so that it is there unless the agent says otherwise
	LastLine  int      // line of the input that was its last so far
}

// SetID sets the id of a session, if the stream names it late.
func (s *Session) SetID(id string) {
	if id == "" || id == s.ID {
		return
	}
	delete(s.r.sessions, s.by.key(s.ID, s.SubAgent))
	s.ID, s.Counts.Sessions[0] = id, id
	if key := s.by.key(id, s.SubAgent); s.r.sessions[key] == nil {
		s.r.sessions[key] = s
	}
}

// SetAdapter makes the session another agent's, whose lines are read by the same parser.
func (s *Session) SetAdapter(a *Adapter) {
	s.a, s.Counts.Kind, s.Counts.Format, s.Counts.Title = a, a.Kind, a.Format, a.Title
}

// Emit completes an update and queues it for the caller.
func (s *Session) Emit(u Update) {
	u.Kind, u.Session = s.a.Kind, s.ID
	if u.SubAgent == "" {
		u.SubAgent = s.SubAgent
	}
	if u.Turn == 0 {
		u.Turn = s.Turns()
	}
	s.ordinal++
	u.ordinal = s.ordinal
	s.r.out = append(s.r.out, u)
}

// EmitList emits a list as it is now. A list that a tool only read is marked as partial: items that it lacks stay.
//
// A list without a readable item is not an empty one, which would clear what is saved: it is
// named, and the list stays as it was.
func (s *Session) EmitList(u Update, items []todo.Item) {
	unread, leftOut := s.unread, s.leftOut
	s.unread, s.leftOut = 0, nil
	if len(items) == 0 {
		items = nil
		if u.Event.Partial {
			s.Counts.TodoTool = TodoToolOn
			return
		}
		if unread > 0 {
			s.Counts.TodoTool = TodoToolOn
			s.Warn("no item of a list can be read: the list stays as it was")
			return
		}
	}
	u.Event = continuation.Event{Type: continuation.Todos, Items: items, LeftOut: leftOut, Source: s.a.Source, Partial: u.Event.Partial, Removes: u.Event.Removes, Deletes: u.Event.Deletes}
	if !s.Copies {
		s.Counts.Lists.Emitted++
	}
	s.Counts.TodoTool = TodoToolOn
	s.Emit(u)
	if sub := s.r.out[len(s.r.out)-1].SubAgent; sub != "" && len(s.Counts.SubAgents) < maxSubAgents && !slices.Contains(s.Counts.SubAgents, sub) {
		s.Counts.SubAgents = append(s.Counts.SubAgents, sub)
	}
}

// took counts a line that the session's parser has read.
func (s *Session) took() {
	s.Counts.Lines++
	s.LastLine = s.r.sum.Lines
}

// Saved returns the list that is known about the session from before, and whether anything can be known.
func (s *Session) Saved() (saved Saved, known bool) {
	if s.r.opt.Saved == nil {
		return Saved{}, false
	}
	return s.r.opt.Saved(s.a.Kind, s.ID), true
}

// Adapter is the agent whose session it is.
func (s *Session) Adapter() *Adapter { return s.a }

// Requested reports whether the input was said to be of a format.
func (s *Session) Requested(format Format) bool { return s.r.opt.Format == format }

// HasProblems reports whether what the program writes to standard error is known as well, in full at its end.
func (s *Session) HasProblems() bool { return s.r.opt.Problems != nil }

// FindsLoops reports whether repeated calls are looked for, so that calls and their results are to be noted.
func (s *Session) FindsLoops() bool { return s.r.opt.Clock != nil }

// InputLine is the number of the line that is being read.
func (s *Session) InputLine() int { return s.r.sum.Lines }

// Turns is how many turns there were.
func (s *Session) Turns() int { return s.Counts.turns() }

// finish decides what only the end of the input shows: whether the todo tool was missing, for example.
func (s *Session) finish() {
	off := s.Counts.TodoTool == TodoToolOff || s.Counts.TodoTool == TodoToolUnknown && s.a.NeverTellsTool && !s.Called
	failed := !slices.ContainsFunc(s.Counts.Turns, func(t Turn) bool { return t.Status != continuation.Failed }) // before it could use any tool
	if s.Counts.Lists.Emitted == 0 && s.Turns() > 0 && off && !failed && len(s.r.damages) == 0 {
		s.Counts.Hint = s.a.Hint
	}
}

// name adds a call to the summary, unless there are too many.
func (r *Reader) name(calls *[]Call, c Call) {
	if r.named++; r.named <= maxNamed {
		*calls = append(*calls, c)
	}
}

// Reject records a call that the agent refused, and its reason; missing means that there is no such tool.
func (s *Session) Reject(c AwaitedTodoCall, why string, missing bool) {
	if c.ReadsOnly() {
		return
	}
	s.Counts.Lists.Rejected++
	s.r.name(&s.Counts.Rejected, s.named(&c))
	s.Warn("%s was rejected by the agent%s", &c, refusal(why))
	switch {
	case !missing:
		s.Counts.TodoTool = TodoToolOn
	case s.Counts.TodoTool == TodoToolUnknown:
		s.Counts.TodoTool = TodoToolOff
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
	return ": " + Quote(strings.Join(words, " "))
}

const maxWarnings = 100

// Warn keeps a warning about the session for stderr. If there are enough of them, it is only counted.
func (s *Session) Warn(format string, args ...any) {
	if s.r.sum.Warned >= maxWarnings {
		s.r.sum.Warned++
		return
	}
	text := fmt.Sprintf(format, args...)
	if s.ID != "" {
		text = s.ID + ": " + text
	}
	s.r.warnOf(s.a.Source + " " + text)
}

// warnOf keeps a warning about the input.
func (r *Reader) warnOf(text string) {
	if r.sum.Warned++; r.sum.Warned <= maxWarnings {
		r.sum.Warnings = append(r.sum.Warnings, text)
	}
}

// Quote makes a text of the stream fit for a message: short, on one line, and without anything that moves a cursor.
func Quote(text string) string {
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
