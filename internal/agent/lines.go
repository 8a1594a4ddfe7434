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
	largeBuffer = 8 << 20   // from this size on, a buffer that is replaced goes back to the system at once
)

// lineReader cuts the input into lines. It never waits for more than the line's end.
//
// The lines stand in one buffer, which grows to the longest of them.
// What is copied is the piece of a line that stands at the buffer's end.
type lineReader struct {
	in    io.Reader
	limit int

	buf     []byte
	base    int  // where the line begins that is being given, or the first of those that are joined
	given   int  // where the line begins that was given last
	start   int  // where the next line begins
	scanned int  // up to here no line ends
	end     int  // of what was read
	busy    bool // the last read filled the buffer: the input is long
	bytes   int64
	err     error // why the input ended

	grows func(bytes int)
}

// next gives a line without its end, the space around it and a byte order mark;
// every line may have one, since files are concatenated.
// A line over the limit is read to its end and dropped. The bytes are valid until the next call.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	l.base = l.start
	line, tooLong, err = l.cut()
	return trim(line), tooLong, err
}

// join adds the next line to the one that was given, and gives both that line and all of them,
// as they stand in the input. The limit holds for all of them together.
func (l *lineReader) join() (all, line []byte, tooLong bool, err error) {
	line, tooLong, err = l.cut()
	if tooLong || err != nil {
		return nil, nil, tooLong, err
	}
	return trim(l.buf[l.base:l.start]), line, false, nil
}

// unread gives the line back that join gave last; next gives it again.
func (l *lineReader) unread() { l.start, l.scanned = l.given, l.given }

// cut finds the end of the next line.
func (l *lineReader) cut() (line []byte, tooLong bool, err error) {
	for l.given = l.start; ; {
		if n := bytes.IndexByte(l.buf[l.scanned:l.end], '\n'); n >= 0 {
			end := l.scanned + n
			line = l.buf[l.start:end]
			l.start = end + 1
			l.scanned = l.start
			break
		}
		l.scanned = l.end
		if l.end-l.base > l.limit {
			tooLong = true
			l.base, l.given, l.start = l.end, l.end, l.end
		}
		if l.err != nil {
			if l.start == l.end && !tooLong {
				return nil, false, l.err
			}
			line = l.buf[l.start:l.end]
			l.start = l.end
			break
		}
		l.fill()
	}
	if tooLong || l.start-l.base > l.limit {
		return nil, true, nil
	}
	return line, false, nil
}

// fill reads once.
func (l *lineReader) fill() {
	if l.end == l.base && (l.buf == nil || l.busy && len(l.buf) < usualBuffer) {
		l.buf = make([]byte, max(firstBuffer, min(4*len(l.buf), usualBuffer)))
		l.move(l.buf, 0)
	}
	l.makeRoom(1)
	n, err := readSome(l.in, l.buf[l.end:])
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

// larger is the next size of a buffer: twice as large while that is little,
// then so that neither the old one and the new one together nor a line and its buffer take much more than two such lines.
func larger(size int) int {
	if size < largeBuffer {
		return 2 * size
	}
	return size + min(size/4, largeBuffer)
}

// makeRoom sees to it that n bytes fit behind what was read.
// Where the buffer is full, what is still needed moves to its start, or into a larger one.
func (l *lineReader) makeRoom(n int) {
	switch kept := l.end - l.base; {
	case kept == 0 && n <= len(l.buf):
		l.move(l.buf, 0)
	case l.end+n <= len(l.buf):
	case (l.base > len(l.buf)/2 || len(l.buf) > l.limit) && kept+n <= len(l.buf):
		l.move(l.buf, 0)
	default:
		l.grow(n)
	}
}

// grow goes on in a larger buffer, with room for n bytes behind what is still needed.
func (l *lineReader) grow(n int) {
	size := max(l.end-l.base+n, min(larger(len(l.buf)), l.limit+usualBuffer))
	if l.grows != nil {
		l.grows(len(l.buf) + size)
	}
	l.move(make([]byte, size), 0)
	if len(l.buf) > largeBuffer {
		// Otherwise the buffers of all sizes before would stand beside this one for a while.
		debug.FreeOSMemory()
	}
}

// move brings what is still needed to a place in a buffer, which may be the same one.
func (l *lineReader) move(buf []byte, to int) {
	by := l.base - to
	l.end = to + copy(buf[to:], l.buf[l.base:l.end])
	l.base, l.given, l.start, l.scanned = to, l.given-by, l.start-by, l.scanned-by
	l.buf = buf
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
