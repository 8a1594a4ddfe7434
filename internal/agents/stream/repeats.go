package stream

import (
	"bytes"
	"hash/fnv"
	"slices"
	"time"
)

// The limits of a loop: so many calls in a row, each shorter than loopCall, within loopSpan.
const (
	loopCalls = 20
	loopCall  = 5 * time.Second
	loopSpan  = 10 * time.Minute
)

// RepeatDetector finds a loop within a turn: the same tool call again and again, with the same result each time. It knows the calls of one
// turn by their digests. A call that waits for something is none of a loop, and neither is one that takes its time.
type RepeatDetector struct {
	pending []repeatable // calls without a result
	last    repeatable   // the call that was made last
	result  uint64       // of these calls
	began   []time.Time  // when the last of these calls in a row were made
	count   int          // how many of them there are
	ended   time.Time    // when the last result came
}

// repeatable is the part of a call by which a loop is recognised.
type repeatable struct {
	id     string
	digest uint64 // of the tool and its arguments
	waits  bool
	text   string // for the user and the agent
	began  time.Time
}

// RepeatedCall is a call that was made again and again.
type RepeatedCall struct {
	Call  string // as the user reads it
	Count int
	Since time.Time // when the first of these calls was made
}

// call takes a call that is made.
func (r *RepeatDetector) call(c repeatable) {
	if c.digest != r.last.digest {
		r.restart()
	}
	r.last = c
	r.pending = slices.DeleteFunc(r.pending, func(p repeatable) bool { return p.id == c.id })
	r.pending = append(r.pending, c)
	r.pending = r.pending[max(0, len(r.pending)-maxRunning):]
}

// addAnswer takes the result of a call. How long the call took may be known better than by when its lines were read.
func (r *RepeatDetector) addAnswer(id string, result uint64, took time.Duration, now time.Time) {
	i := slices.IndexFunc(r.pending, func(p repeatable) bool { return p.id == id })
	if i < 0 {
		return
	}
	c := r.pending[i]
	r.pending = slices.Delete(r.pending, i, i+1)
	switch {
	case c.digest != r.last.digest:
		return
	case c.waits || max(took, now.Sub(c.began)) >= loopCall:
		r.restart()
		return
	case result != r.result:
		r.restart()
	}
	r.result, r.ended = result, now
	r.began, r.count = append(r.began, c.began), r.count+1
	r.began = r.began[max(0, len(r.began)-loopCalls):]
}

// loop returns the loop that the last calls are; nil if they are none.
func (r *RepeatDetector) loop() *RepeatedCall {
	if len(r.began) < loopCalls || r.ended.Sub(r.began[0]) > loopSpan {
		return nil
	}
	return &RepeatedCall{Call: r.last.text, Count: r.count, Since: r.began[0]}
}

// restart forgets the calls so far.
func (r *RepeatDetector) restart() { r.began, r.count = nil, 0 }

// digest identifies parts of a call or of its result.
func digest(parts ...[]byte) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write(p)
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// MayRepeat reports whether the end of a conversation's file may have a loop, without reading its lines, which takes a hook longer
// than all else: whether the arguments of the last call begin like those of enough others.
func MayRepeat(tail []byte) bool {
	for end := len(tail); end > 0; {
		start := bytes.LastIndexByte(tail[:end], '\n') + 1
		line := tail[start:end]
		end = max(0, start-1)
		for _, member := range []string{`"input":`, `"arguments":`, `"args":`} {
			if at := bytes.Index(line, []byte(member)); at >= 0 {
				begins, _, _ := bytes.Cut(line[at:min(at+200, len(line))], []byte(`,"`))
				begins, _, _ = bytes.Cut(begins, []byte(`, "`))
				return bytes.Count(tail, begins) >= loopCalls
			}
		}
	}
	return false
}
