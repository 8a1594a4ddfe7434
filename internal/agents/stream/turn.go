package stream

import (
	"cmp"
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// OpenTurn is a model's turn that has not ended.
type OpenTurn struct {
	n           int      // from 1, within the session
	Tools       int      // the main agent's calls, todo tools not counted
	Denied      int      // of these, those that the host denied
	reads       int      // those of them that change nothing, or failed
	Begun       bool     // it has a message of the model
	HasSubAgent bool     // it has a sub-agent
	Background  bool     // something that it started in the background is not known to have ended
	Interrupted bool     // the user's own interrupt was seen
	Last        LastStep // the last thing in it, which tells how it ended if no line does
	Failure     Failure
	Early       string              // why a turn that did not fail came to no end of its own, in words
	Limit       continuation.Reset  // the end of a limit that the stream reported since the model's last message
	Usage       continuation.Usage  // so far, if the stream shows it within the turn
	responses   map[string]response // the last one of each agent
	Text        lastLine
	Speaks      bool                       // the last line was a piece of that message, so more pieces may follow
	Asked       bool                       // it has a call of a todo tool
	question    string                     // what the last call asks the user, unless that has an answer; empty if it asks nothing
	questionID  string                     // of that call
	denied      RecentIDs                  // ids of those that the host denied
	deniedTools []string                   // their names
	counted     RecentIDs                  // ids of its calls
	changes     RecentIDs                  // ids of those that may change something
	failed      RecentIDs                  // ids of those of them that failed
	subReads    RecentIDs                  // ids of those whose sub-agent was seen to read
	subChanges  RecentIDs                  // ids of those whose sub-agent made a call that may change something
	repeats     map[string]*RepeatDetector // the last calls of each agent
	runsOn      bool                       // a command was left running, which no line tells the end of
	loop        *RepeatedCall              // the call for which it is ended
	named       RecentIDs                  // ids of its calls that were told
	calls       []string                   // the first of them, in words
	callIDs     []string                   // their ids
	whole       string                     // a message that came as a whole, until it is told
	spoken      string                     // the message that was told last
	Told        []todo.Item                // the list that was reported last in the turn, since some streams repeat it; nil if none was
}

// maxDenied is how many denied tools of a turn are named.
const maxDenied = 8

// NoteDenied notes that the agent's host denied a call for lack of a permission, and names its tool. Without an id it is the last one.
func (t *OpenTurn) NoteDenied(id []byte, tool string) {
	news := len(id) == 0 || t.denied.Add(id)
	if len(id) == 0 || news && t.counted.Has(id) { // else it is a sub-agent's, or one of the todo tool
		t.Denied++
		if len(id) > 0 && t.failed.Has(id) {
			t.reads-- // it is no longer one that failed
		}
	}
	if at := slices.Index(t.callIDs, string(id)); at >= 0 && len(id) > 0 && news {
		t.calls[at] = continuation.DeniedCall + t.calls[at]
	}
	if tool != "" && len(t.deniedTools) < maxDenied && !slices.Contains(t.deniedTools, tool) {
		t.deniedTools = append(t.deniedTools, tool)
	}
}

// NoteQuestion notes what the last call asks the user; nothing if it is a call of another kind.
func (t *OpenTurn) NoteQuestion(id []byte, text string) { t.questionID, t.question = string(id), text }

// NoteQuestionAnswered takes it that a call has a result. If it was a question, the user has answered it.
func (t *OpenTurn) NoteQuestionAnswered(id []byte) {
	if t.questionID == string(id) {
		t.question = ""
	}
}

// RecordMessage records the turn's last message so far. One without text, which only calls tools, replaces none.
func (t *OpenTurn) RecordMessage(text []byte) {
	if len(text) > 0 {
		t.Text.Reset()
		t.Text.Add(text)
		t.whole = strings.TrimSpace(strings.ToValidUTF8(string(text[:min(len(text), maxSaid)]), ""))
	}
}

// response is a response of the model, which can have several lines.
type response struct {
	id   string
	used continuation.Usage
}

// maxSpenders is how many agents of a turn are followed at once.
const maxSpenders = 256

// CountUsage counts the tokens of a response of the main agent, whose name is empty, or of a sub-agent; several may answer at the
// same time. A response may have several lines, and each repeats the counts so far, so only
// the increase is added. Without an id its lines cannot be distinguished from those of the next one, so its tokens count at the turn's end.
func (t *OpenTurn) CountUsage(agent string, id Word, used continuation.Usage) {
	if len(id) == 0 {
		return
	}
	if t.responses == nil || len(t.responses) >= maxSpenders {
		t.responses = make(map[string]response)
	}
	last := t.responses[agent]
	if string(id) != last.id {
		last = response{id: string(id)}
	}
	more := used.Since(last.used)
	last.used.Add(more)
	t.responses[agent] = last
	t.Usage.Add(more)
}

// lastMessage returns the end of the model's last message.
func (t *OpenTurn) lastMessage() string { return t.Text.lastWords() }

// BeginTurn opens a turn.
func (s *Session) BeginTurn(at todo.Time, inferred ...string) *OpenTurn {
	s.r.turns++
	s.TurnOver = false
	if len(s.open) == 0 {
		s.running, s.unnamed = nil, 0
	}
	t := &OpenTurn{n: s.Counts.addTurn()}
	s.open = append(s.open, t)
	s.Emit(Update{
		Event: continuation.Event{Type: continuation.TurnStart},
		Turn:  t.n, At: at, Inferred: inferred,
	})
	return t
}

// NewestTurn is the turn that began last, nil if it has ended.
func (s *Session) NewestTurn() *OpenTurn {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// OldestTurn is the open turn that began first; nil if none is open.
func (s *Session) OldestTurn() *OpenTurn {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[0]
}

// LastTurnInterrupted reports whether the user interrupted the turn that began last.
func (s *Session) LastTurnInterrupted() bool {
	turns := s.Counts.Turns
	return len(turns) > 0 && turns[len(turns)-1].Status == continuation.Aborted
}

// CurrentTurn is the open turn. If the stream shows none, its beginning was cut off and is inferred.
func (s *Session) CurrentTurn(at todo.Time) *OpenTurn {
	if t := s.NewestTurn(); t != nil {
		return t
	}
	return s.BeginTurn(at, InferredTurn)
}

// EndTurn closes the oldest open turn. Statuses of items stay as they are: turns end with open items all the time.
// A pause comes before the end, so that a question right after the end includes it;
// a turn that was cut off has no last message, so it has no pause.
func (s *Session) EndTurn(status continuation.TurnStatus, at todo.Time) {
	if status == continuation.Aborted && s.r.terminated.Load() {
		status = continuation.CutOff
	}
	t := s.open[0]
	s.speak(t)
	if s.r.opt.Problems != nil {
		tools := slices.Collect(s.r.texts.denials(s.r.opt.Problems()))
		for _, tool := range tools[min(s.r.denials, len(tools)):] {
			t.Tools++
			t.NoteDenied(nil, tool)
		}
		s.r.denials = len(tools)
	}
	s.r.repeated = t.repeatedCall()
	s.open, s.Asks = s.open[1:], false
	s.TurnOver = len(s.open) == 0
	reason, pauses := t.Text.pause()
	if !pauses && status == continuation.Done && t.question != "" {
		reason, pauses = t.question, true
	}
	if pauses && status != continuation.CutOff {
		s.Emit(Update{
			Event: continuation.Event{Type: continuation.Pause, Reason: reason},
			Turn:  t.n, At: at,
		})
	}
	e := continuation.Event{Type: continuation.TurnEnd, Status: status, ToolCalls: t.Tools, Acted: t.Tools > t.reads+t.Denied, DeniedToolCalls: min(t.Denied, t.Tools), DeniedTools: t.deniedTools, Usage: t.Usage, Calls: t.calls, Background: t.Background || t.runsOn, HasSubAgent: t.HasSubAgent}
	if s.r.opt.OnTalk != nil {
		e.Said = t.lastMessage()
	}
	switch {
	case t.loop != nil:
		// However the agent ended once it was interrupted: that is neither its user's doing, nor its host's failure.
		status = continuation.CutOff
		e.Status, e.RepeatedCall, e.Repeats = status, t.loop.Call, t.loop.Count
	case status == continuation.Failed:
		e.ErrorClass = s.r.texts.Class(t.Failure)
		switch e.ErrorClass {
		case continuation.ErrorRateLimit:
			if e.Reset = t.Limit; e.Reset.IsZero() {
				e.Reset = s.r.texts.Reset(t.Failure.text)
			}
		case continuation.ErrorServer, continuation.ErrorUnknown:
			e.Reset = s.r.texts.Reset(t.Failure.text)
		}
	case status == continuation.CutOff:
		e.ErrorClass = continuation.ErrorTurnCutOff
	}
	why := s.failureText(t, &e)
	s.Counts.setTurn(t.n, Turn{Status: e.Status, ToolCalls: t.Tools, Denied: e.DeniedToolCalls, ErrorClass: e.ErrorClass})
	s.Emit(Update{Event: e, Turn: t.n, At: at, Said: t.lastMessage(), Model: s.Counts.Model, Why: why})
}

// failureText returns in the agent's or its host's words why a turn failed or ended early; empty if nothing tells. Where the stream names no class of
// the failure, what the program wrote to standard error may: then that is the end of the turn.
func (s *Session) failureText(t *OpenTurn, e *continuation.Event) string {
	switch e.Status {
	case continuation.Done:
		return t.Early
	case continuation.Aborted:
		return ""
	}
	says := FailureSentence(t.Failure.text)
	if s.r.opt.Problems == nil || e.ErrorClass != continuation.ErrorUnknown && e.ErrorClass != continuation.ErrorTurnCutOff {
		return says
	}
	p := s.r.texts.ProblemIn(s.r.opt.Problems())
	if p.Class == "" {
		return cmp.Or(says, p.Line)
	}
	e.Status, e.ErrorClass, e.Reset = continuation.Failed, p.Class, p.Reset
	return p.Line
}

// CloseTurn ends the oldest open turn, and abandons the calls whose result never came.
func (s *Session) CloseTurn(status continuation.TurnStatus, at todo.Time) {
	s.AbandonCalls()
	s.EndTurn(status, at)
}

// Stop ends the turns, and abandons what is unfinished.
func (s *Session) Stop() { s.EndPreviousTurns(0) }

// EndPreviousTurns ends the turns of a file that has no line for it.
func (s *Session) EndPreviousTurns(at todo.Time) {
	s.AbandonCalls()
	s.EndOpenTurns(at)
}

// EndOpenTurns ends the turns that have no line for their end. How they ended is concluded from the last thing in them; if that shows
// nothing, they were cut off. Such a turn counts as stopped by the user only if something proves it: a stream also ends
// without a word after a crash, a kill or a lost connection.
func (s *Session) EndOpenTurns(at todo.Time) {
	for len(s.open) > 0 {
		switch t := s.open[0]; {
		case t.Last == LastAnswer:
			s.EndTurn(continuation.Done, at)
		case t.Last == LastFailure:
			s.EndTurn(continuation.Failed, at)
		case t.Last == LastCancel:
			s.EndTurn(continuation.Aborted, at)
		case t.Interrupted || s.r.interrupted.Load():
			s.EndTurn(continuation.Aborted, 0)
			s.TurnOver = false
		case t.Last == LastMessage:
			s.EndTurn(continuation.Done, at)
		default:
			s.EndTurn(continuation.CutOff, 0)
			s.TurnOver = false
		}
	}
}

// IsDuplicateEnd reports whether the line of a turn's end is a duplicate: no turn is open, and the last one has ended already. It warns
// if so.
func (s *Session) IsDuplicateEnd() bool {
	if s.TurnOver {
		s.Warn("the end of a turn is duplicated")
	}
	return s.TurnOver
}

// LastStep is the last thing in a turn that shows how the turn ends if nothing follows.
type LastStep int

// The last thing in a turn.
const (
	LastOther   LastStep = iota
	LastCalls            // the model's calls, whose results it waits for
	LastAnswer           // the model's message, which ends a turn
	LastMessage          // a message that is not known to be the last one, from a program that may not print the end
	LastFailure
	LastCancel // the user's
)

// SetLastStep notes the last thing in the open turn, if there is one.
func (s *Session) SetLastStep(how LastStep) {
	if t := s.NewestTurn(); t != nil {
		t.Last = how
	}
}
