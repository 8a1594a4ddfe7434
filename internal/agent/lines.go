package agent

import (
	"bytes"
	"io"
	"runtime/debug"
)

// MaxLine is the length over which a line is skipped, in bytes. Agents write a whole tool output into one line:
// tens of megabytes were seen, so a limit that a real line meets would lose updates.
const MaxLine = 256 << 20

const (
	firstBuffer = 64 << 10
	usualBuffer = 1 << 20 // what a long input is read with
	largeBuffer = 8 << 20 // from this size on, a buffer that is replaced goes back to the system at once
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
}

func newLineReader(r io.Reader, limit int) lineReader {
	return lineReader{in: r, limit: limit}
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
			line = l.buf[l.start : l.scanned+n]
			l.start = l.scanned + n + 1
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

// fill reads once. Where the buffer is full, what is still needed moves to its start, or into one of twice the size.
func (l *lineReader) fill() {
	switch kept := l.end - l.base; {
	case kept == 0:
		if l.buf == nil || l.busy && len(l.buf) < usualBuffer {
			l.buf = make([]byte, max(firstBuffer, min(4*len(l.buf), usualBuffer)))
		}
		l.move(l.buf)
	case l.end < len(l.buf):
	case l.base > len(l.buf)/2 || len(l.buf) > l.limit:
		l.move(l.buf)
	default:
		l.move(make([]byte, min(2*len(l.buf), l.limit+usualBuffer)))
		if len(l.buf) > largeBuffer {
			// Otherwise the buffers of all sizes before would stand beside this one for a while.
			debug.FreeOSMemory()
		}
	}
	for range 100 {
		n, err := l.in.Read(l.buf[l.end:])
		l.busy = n == len(l.buf)-l.end
		l.end += n
		l.bytes += int64(n)
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// move brings what is still needed to the start of a buffer, which may be the same one.
func (l *lineReader) move(buf []byte) {
	by := l.base
	l.end = copy(buf, l.buf[by:l.end])
	l.base, l.given, l.start, l.scanned = 0, l.given-by, l.start-by, l.scanned-by
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
