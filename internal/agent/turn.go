package agent

import (
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// turn is a model's turn that has not ended.
type turn struct {
	n           int  // from 1, within the session
	tools       int  // the main agent's calls, todo tools not counted
	begun       bool // it has a message of the model
	sub         bool // it has a sub-agent
	interrupted bool // the user's own interrupt was seen
	last        last // where no line ends turns
	failure     failure
	limit       continuation.Reset // the end of a limit that the stream reported since the model's last message
	usage       continuation.Usage // so far, where the stream shows it within the turn
	response    response           // the last one
	text        lastLine
	speaks      bool        // the last thing was a piece of that message, and more can follow
	asked       bool        // it has a call of a todo tool
	counted     recent      // ids of its calls
	told        []todo.Item // the list that was reported in it last, for streams that repeat it; nil if none was
}

// count counts a call. One that has several lines is recognised by its id.
func (t *turn) count(id []byte) {
	if len(id) == 0 || t.counted.add(id) {
		t.tools++
	}
}

// recordMessage records the turn's last message so far. One without text, which only calls tools, replaces none.
func (t *turn) recordMessage(text []byte) {
	if len(text) > 0 {
		t.text.reset()
		t.text.add(text)
	}
}

// response is a response of the model, which can have several lines.
type response struct {
	id   string
	used continuation.Usage
}

// spend counts what a response used. Each of its lines repeats the counts of the one before, or raises them.
// A response without an id counts for nothing until the turn's end.
func (t *turn) spend(id word, used continuation.Usage) {
	if len(id) == 0 {
		return
	}
	if string(id) != t.response.id {
		t.response = response{id: string(id)}
	}
	more := used.Since(t.response.used)
	t.response.used.Add(more)
	t.usage.Add(more)
}

// said returns the end of the model's last message.
func (t *turn) said() string {
	return strings.TrimSpace(strings.ToValidUTF8(string(t.text.tail), ""))
}

// begin opens a turn.
func (s *stream) begin(at todo.Time, inferred ...string) *turn {
	s.r.turns++
	s.over = false
	if len(s.open) == 0 {
		s.running = nil
	}
	t := &turn{n: s.sum.addTurn()}
	s.open = append(s.open, t)
	s.emit(Update{
		Event: continuation.Event{Type: continuation.TurnStart},
		Turn:  t.n, At: at, Inferred: inferred,
	})
	return t
}

// newest is the turn that began last, nil if it has ended.
func (s *stream) newest() *turn {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// current is the open turn. If the stream shows none, its beginning was cut off and is inferred.
func (s *stream) current(at todo.Time) *turn {
	if t := s.newest(); t != nil {
		return t
	}
	return s.begin(at, InferredTurn)
}

// end closes the oldest open turn. Statuses of items stay as they are: turns end with open items all the time.
// A pause comes before the end, so that a question right after the end includes it;
// a turn that was cut off has no last message, so it has no pause.
func (s *stream) end(status continuation.TurnStatus, at todo.Time) {
	t := s.open[0]
	s.open = s.open[1:]
	s.over = len(s.open) == 0
	if reason, ok := t.text.pause(); ok && status != continuation.CutOff {
		s.emit(Update{
			Event: continuation.Event{Type: continuation.Pause, Reason: reason},
			Turn:  t.n, At: at,
		})
	}
	e := continuation.Event{Type: continuation.TurnEnd, Status: status, ToolCalls: t.tools, Usage: t.usage}
	switch status {
	case continuation.Failed:
		e.ErrorClass = t.failure.class()
		switch e.ErrorClass {
		case continuation.ErrorRateLimit:
			if e.Reset = t.limit; e.Reset.IsZero() {
				e.Reset = resetIn(t.failure.text)
			}
		case continuation.ErrorServer, continuation.ErrorUnknown:
			e.Reset = resetIn(t.failure.text)
		}
	case continuation.CutOff:
		e.ErrorClass = continuation.ErrorCutOff
	}
	s.sum.setTurn(t.n, Turn{Status: status, ToolCalls: t.tools, ErrorClass: e.ErrorClass})
	s.emit(Update{Event: e, Turn: t.n, At: at, Said: t.said()})
}

// close ends the oldest open turn, and abandons the calls whose result never came.
func (s *stream) close(status continuation.TurnStatus, at todo.Time) {
	s.drop()
	s.end(status, at)
}

// stop ends the turns, and abandons what is unfinished.
func (s *stream) stop() { s.conclude(0) }

// conclude ends the turns of a file that has no line for it.
func (s *stream) conclude(at todo.Time) {
	s.drop()
	s.cut(at)
}

// cut ends the turns that have no line for their end: as the last thing in them shows, else the end is missing.
// That the user stopped such a turn needs evidence: a stream that merely stops is a crash, a kill or a lost network.
func (s *stream) cut(at todo.Time) {
	for len(s.open) > 0 {
		switch t := s.open[0]; {
		case t.last == lastAnswer:
			s.end(continuation.Done, at)
		case t.last == lastFailure:
			s.end(continuation.Failed, at)
		case t.last == lastCancel:
			s.end(continuation.Aborted, at)
		case t.interrupted || s.r.interrupted.Load():
			s.end(continuation.Aborted, 0)
			s.over = false
		default:
			s.end(continuation.CutOff, 0)
			s.over = false
		}
	}
}

// again reports that there is no turn that an end could end, since the last one has its own: the line is duplicated.
func (s *stream) again() bool {
	if s.over {
		s.warn("the end of a turn is duplicated")
	}
	return s.over
}

// last is the last thing in a turn, as far as it shows how the turn ends if nothing follows.
type last int

const (
	lastOther  last = iota
	lastCalls       // the model's calls, whose results it waits for
	lastAnswer      // the model's message, which ends a turn
	lastFailure
	lastCancel // the user's
)

// ends notes the last thing in the open turn, if there is one.
func (s *stream) ends(how last) {
	if t := s.newest(); t != nil {
		t.last = how
	}
}
