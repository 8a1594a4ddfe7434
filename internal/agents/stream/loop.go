package stream

import (
	"bytes"
	"time"

	"onward/internal/native"
	"onward/internal/object"
)

// maxCallText is how many bytes of a repeated call are named.
const maxCallText = 160

// NoteCall notes a call of the main agent, by which a loop is known.
func (s *Session) NoteCall(id Word, tool string, input object.Value) {
	s.NoteCallOfAgent("", id, tool, input)
}

// NoteCallOfAgent notes a call of the main agent, whose name is empty, or of a sub-agent: a loop belongs to a single agent, no matter what the others
// do at the same time.
func (s *Session) NoteCallOfAgent(agent string, id Word, tool string, input object.Value) {
	t := s.NewestTurn()
	if t == nil {
		return
	}
	t.Background = t.Background || startsInBackground(input)
	if s.tellCall(t, agent, id, tool, input); s.r.opt.Clock == nil {
		return
	}
	c := repeatable{id: string(id), waits: native.IsWait(s.r.tools, tool, input), began: s.r.opt.Clock()}
	if line, shell := native.CommandLine(s.r.tools, tool, input); shell && line != "" {
		t.runsOn = t.runsOn || native.RunsOn(line)
		// What else a model says about a command, such as what it is for, may vary.
		c.digest, c.text = digest([]byte(tool), []byte(line)), line
	} else {
		c.digest, c.text = digest([]byte(tool), input), tool+" "+string(input)
	}
	c.text = cutText(c.text)
	t.repeatsOf(agent).call(c)
}

// startsInBackground reports whether a call says that what it starts runs on in the background, as the tools of several agents name it.
func startsInBackground(input object.Value) bool {
	_, is, found := bytes.Cut(input, []byte(`_background"`)) // run_in_background, is_background
	return found && bytes.HasPrefix(bytes.TrimLeft(is, ": "), []byte("true"))
}

// NoteAnswer notes the result of a call; a stream may show it in several parts.
func (s *Session) NoteAnswer(id Word, result ...Value) { s.NoteAnswerAfter(id, 0, result...) }

// NoteAnswerAfter is NoteAnswer if the stream tells how long the call took.
func (s *Session) NoteAnswerAfter(id Word, took time.Duration, result ...Value) {
	parts := make([][]byte, len(result))
	for i, v := range result {
		parts[i] = v.Raw()
	}
	s.answered(id, took, parts)
}

// NoteAnswerText is NoteAnswerAfter with parts of a result, without what is different each time.
func (s *Session) NoteAnswerText(id Word, took time.Duration, parts ...[]byte) {
	s.answered(id, took, parts)
}

func (s *Session) answered(id Word, took time.Duration, parts [][]byte) {
	if s.r.opt.Clock == nil {
		return
	}
	for _, t := range s.open {
		for _, calls := range t.repeats {
			calls.addAnswer(string(id), digest(parts...), took, s.r.opt.Clock())
		}
	}
}

// FindRepeatedCall returns the repeated call of an open turn; nil if there is none. Whether a file or an item has changed since it began is asked only
// then: if so, the calls up to now are no loop. The turn counts as one that is ended because of its loop from then on.
func (r *Reader) FindRepeatedCall(changed func(since time.Time) bool) *RepeatedCall {
	for _, s := range r.streams {
		for _, t := range s.open {
			for _, calls := range t.repeats {
				l := calls.loop()
				switch {
				case l == nil || t.loop != nil:
				case changed(l.Since):
					calls.restart()
				default:
					l.Count = loopCalls // however many were made before somebody looked
					t.loop = l
					return l
				}
			}
		}
	}
	return nil
}

// LastRepeatedCall returns the call that was repeated until the newest turn ended, once the input has been read to its end; nil if there is none.
func (r *Reader) LastRepeatedCall() *RepeatedCall { return r.repeated }

// repeatedCall returns the call that the turn repeats now; nil if it is none.
func (t *OpenTurn) repeatedCall() *RepeatedCall {
	for _, calls := range t.repeats {
		if l := calls.loop(); l != nil {
			return l
		}
	}
	return nil
}

// repeatsOf returns the last calls of an agent.
func (t *OpenTurn) repeatsOf(agent string) *RepeatDetector {
	calls := t.repeats[agent]
	if calls == nil {
		if t.repeats == nil || len(t.repeats) >= maxSpenders {
			t.repeats = make(map[string]*RepeatDetector)
		}
		calls = new(RepeatDetector)
		t.repeats[agent] = calls
	}
	return calls
}
