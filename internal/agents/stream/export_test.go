package stream

import (
	"iter"
	"slices"
)

// Internals that the tests in package stream_test use.
const (
	MaxWarnings = maxWarnings
	MaxNamed    = maxNamed
	MaxStreams  = maxStreams
	UsualBuffer = usualBuffer
	LargeBuffer = largeBuffer
)

type LastLine = lastLine

func (l *lastLine) Pause() (reason string, ok bool) { return l.pause() }

func (l *lastLine) LastWords() string { return l.lastWords() }

func (l *lastLine) Size() int { return len(l.part) + len(l.done) }

var (
	FinishReason = finishReason
	StringEnd    = stringEnd
)

// Skips reports whether a text is exactly one JSON value.
func Skips(text []byte) bool {
	w := walker{b: text}
	w.skip()
	return w.done()
}

func (r *Reader) SetLimit(bytes int) { r.lines.limit = bytes }

func (r *Reader) LineMemory() int { return r.lines.buf.Size() + cap(r.lines.line) }

func (r *Reader) Sessions() iter.Seq[*Session] { return slices.Values(r.streams) }

func (s *Session) Running() []string { return s.running }
