package agent

import (
	"bytes"
	"errors"
	"io"
	"runtime/debug"
)

// MaxLine is the length over which a line is skipped, in bytes. Agents write a whole tool output into one line:
// tens of megabytes were seen, so a limit that a real line meets would lose updates.
const MaxLine = 256 << 20

const (
	firstBuffer = 64 << 10
	usualBuffer = 256 << 10 // what a long input is read with
	firstBytes  = 512       // of the input that are kept
	largeBuffer = 8 << 20   // a longer line is read in parts of this size
)

// lineReader cuts the input into lines. It never waits for more than the line's end.
//
// The lines are in one buffer, which grows to the longest of them; what is copied is the piece of a line at the buffer's end.
// A line longer than largeBuffer is read in parts, which are joined once its end is found,
// so that its time grows with its length and not with the square of it.
type lineReader struct {
	in    io.Reader
	limit int

	parts   [][]byte // what comes before buf of the line that is being read, or of those that are joined
	buf     []byte   // the places below are in it; one in a part is negative
	base    int      // where the line begins that is being given, or the first of those that are joined
	given   int      // where the line begins that was given last
	start   int      // where the next line begins
	scanned int      // up to here no line ends
	end     int      // of what was read
	busy    bool     // the last read filled the buffer: the input is long
	bytes   int64
	first   []byte // of the input
	err     error  // why the input ended

	grows func(bytes int)
}

// next gives a line without its end, the space around it and a byte order mark;
// every line may have one, since files are concatenated.
// A line over the limit is read to its end and dropped. The bytes are valid until the next call.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	l.base, l.parts = l.start, nil
	line, tooLong, err = l.cut()
	return trim(line), tooLong, err
}

// join adds the next line to the one that was given, and gives it. The limit holds for all of them together.
func (l *lineReader) join() (line []byte, tooLong bool, err error) { return l.cut() }

// joined gives all lines since next, as they are in the input.
func (l *lineReader) joined() []byte {
	l.assemble()
	return trim(l.buf[l.base:l.start])
}

// unread gives the line back that join gave last; next gives it again.
func (l *lineReader) unread() { l.start, l.scanned = l.given, l.given }

// cut finds the end of the next line.
func (l *lineReader) cut() (line []byte, tooLong bool, err error) {
	for l.given = l.start; ; {
		if n := bytes.IndexByte(l.buf[l.scanned:l.end], '\n'); n >= 0 {
			l.start, l.scanned = l.scanned+n+1, l.scanned+n+1
			break
		}
		l.scanned = l.end
		if l.end-l.base > l.limit {
			tooLong = true
			l.base, l.given, l.start, l.parts = l.end, l.end, l.end, nil
		}
		if l.err != nil {
			if l.start == l.end && !tooLong {
				return nil, false, l.err
			}
			l.start = l.end
			break
		}
		l.fill()
	}
	if tooLong || l.start-l.base > l.limit {
		return nil, true, nil
	}
	if l.given < 0 {
		l.assemble()
	}
	return bytes.TrimSuffix(l.buf[l.given:l.start], []byte("\n")), false, nil
}

// fill reads once.
func (l *lineReader) fill() {
	if l.end == l.base && (l.buf == nil || l.busy && len(l.buf) < usualBuffer) {
		l.buf = make([]byte, max(firstBuffer, min(4*len(l.buf), usualBuffer)))
		l.move(l.buf, 0)
	}
	l.makeRoom(1)
	n, err := readSome(l.in, l.buf[l.end:])
	if len(l.first) < firstBytes {
		l.first = append(l.first, l.buf[l.end:][:min(n, firstBytes-len(l.first))]...)
	}
	l.busy = n == len(l.buf)-l.end
	l.end += n
	l.bytes += int64(n)
	l.err = err
}

// readSome reads something, or finds out why there is nothing.
func readSome(in io.Reader, into []byte) (int, error) {
	for range 100 {
		if n, err := in.Read(into); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// makeRoom sees to it that n bytes fit behind what was read.
// Where the buffer is full, what is still needed moves to its start, or into a larger one.
func (l *lineReader) makeRoom(n int) {
	switch kept := l.end - l.base; {
	case kept == 0 && n <= len(l.buf):
		l.move(l.buf, 0)
	case l.end+n <= len(l.buf):
	case (l.base > len(l.buf)/2 || len(l.buf) > l.limit) && l.parts == nil && kept+n <= len(l.buf):
		l.move(l.buf, 0)
	case len(l.buf) < largeBuffer:
		l.move(make([]byte, max(kept+n, min(2*len(l.buf), l.limit+usualBuffer))), 0)
	default:
		l.part()
	}
}

// part goes on in a new buffer, and keeps the full one as a part.
// The piece of a short line moves along, so that only a long one has to be joined.
func (l *lineReader) part() {
	at := l.end
	if l.start >= 0 && l.end-l.start < largeBuffer/2 {
		at = l.start
	}
	l.parts = append(l.parts, l.buf[max(0, l.base):at])
	l.needs(l.end - l.base + largeBuffer)
	buf := make([]byte, largeBuffer)
	copy(buf, l.buf[at:l.end])
	l.shift(buf, at)
}

// assemble brings the parts together in one buffer.
func (l *lineReader) assemble() {
	if l.parts == nil {
		return
	}
	size := l.end - l.base
	l.needs(2 * size)
	buf := make([]byte, 0, size)
	for _, p := range l.parts {
		buf = append(buf, p...)
	}
	buf = append(buf, l.buf[:l.end]...)
	l.parts = nil
	l.shift(buf, l.base)
	// Otherwise the parts would stay beside what is made of the line.
	debug.FreeOSMemory()
}

// needs tells how many bytes lines take.
func (l *lineReader) needs(bytes int) {
	if l.grows != nil {
		l.grows(bytes)
	}
}

// move brings what is still needed to a place in a buffer, which may be the same one.
func (l *lineReader) move(buf []byte, to int) {
	copy(buf[to:], l.buf[l.base:l.end])
	l.shift(buf, l.base-to)
}

// shift goes on in a buffer in which everything is so many bytes further to the front.
func (l *lineReader) shift(buf []byte, by int) {
	l.buf = buf
	l.base, l.given, l.start, l.scanned, l.end = l.base-by, l.given-by, l.start-by, l.scanned-by, l.end-by
}

func trim(line []byte) []byte {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	for len(line) > 0 && isSpace(line[0]) {
		line = line[1:]
	}
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// ErrUnfinished is what an input gives when its reader leaves and its writer goes on.
// Next then gives it back and draws none of the conclusions that the end of an input allows:
// open turns stay open, and calls without a result are not unconfirmed.
var ErrUnfinished = errors.New("the input was left before its end")

func unfinished(err error) bool { return errors.Is(err, ErrUnfinished) }
