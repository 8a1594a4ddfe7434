package stream

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime/debug"
)

// maxLine is the length in bytes above which a line is skipped. Agents write the whole output of a tool into one line, of
// which some have had tens of megabytes. The limit is far above that, because an update may be in such a line.
const maxLine = 256 << 20

const (
	usualBuffer = 128 << 10 // a longer line is read in parts of this size, at first
	largeBuffer = 8 << 20   // the parts of a longer line are released immediately
	firstBytes  = 512       // of the input that are kept
)

// lineReader cuts the input into lines. It never waits for more than the line's end.
//
// Most lines are in the buffer and are not copied. A longer one is read in parts, which are joined
// once its end is found, so that its time grows with its length and not with the square of it.
type lineReader struct {
	in    source
	limit int
	grows func(bytes int)

	buf   *bufio.Reader
	line  []byte // that was given last, with its end
	again bool   // the last line was put back: next returns it once more
	err   error  // why the input ended
}

// source is the input; it keeps the beginning and counts the bytes.
type source struct {
	io.Reader
	bytes int64
	first []byte
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	s.bytes += int64(n)
	s.first = append(s.first, b[:min(n, firstBytes-len(s.first))]...)
	return n, err
}

// next returns a line without its end, the space around it and a byte order mark;
// every line may have one, since files are concatenated.
// A line over the limit is read to its end and dropped. The bytes are valid until the next call.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	if l.again {
		l.again = false
		return trim(l.line), false, nil
	}
	line, tooLong, err = l.read(0)
	return trim(line), tooLong, err
}

// unread puts back the line that was returned last; next returns it again.
func (l *lineReader) unread() { l.again = true }

// read returns the next line with its end, if it is within the limit, together with the lines that it is joined to.
func (l *lineReader) read(before int) (line []byte, tooLong bool, err error) {
	if l.buf == nil {
		l.buf = bufio.NewReaderSize(&l.in, usualBuffer)
	}
	var parts [][]byte // of a line that does not fit into the buffer
	size, last := 0, l.line
	for l.line = nil; l.err == nil; {
		part, err := l.buf.ReadSlice('\n')
		size += len(part)
		tooLong = tooLong || before+size > l.limit+1
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			l.err = err
		}
		switch {
		case tooLong:
			parts = nil
		case err == nil && parts == nil:
			l.line = part
		default:
			if size%largeBuffer < len(part) {
				l.needs(before + size + largeBuffer)
			}
			parts = copyPart(parts, part)
		}
		if err == nil {
			break
		}
	}
	if size == 0 {
		l.line = last // the caller may still put it back
		return nil, false, l.err
	}
	if parts != nil {
		l.line = l.whole(parts, size)
		if l.buf.Size() < largeBuffer {
			l.buf = bufio.NewReaderSize(l.buf, 2*l.buf.Size()) // more lines of this length may follow
		}
	}
	return l.line, tooLong, nil
}

// copyPart appends a copy of a part.
func copyPart(parts [][]byte, more []byte) [][]byte {
	last := len(parts) - 1
	if last < 0 || cap(parts[last])-len(parts[last]) < len(more) {
		return append(parts, append(make([]byte, 0, max(usualBuffer, len(more))), more...))
	}
	parts[last] = append(parts[last], more...)
	return parts
}

// whole brings parts together.
func (l *lineReader) whole(parts [][]byte, size int) []byte {
	l.needs(2 * size)
	all := bytes.Join(parts, nil)
	if clear(parts); size > largeBuffer {
		debug.FreeOSMemory() // otherwise the parts would stay in memory next to the line that is made of them
	}
	return all
}

// needs reports how many bytes the lines take that are in memory.
func (l *lineReader) needs(bytes int) {
	if l.grows != nil && bytes > largeBuffer {
		l.grows(bytes)
	}
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

// ErrInputContinues is returned by an input whose writer continues after the reader has stopped.
// Next passes it on, and concludes nothing from it: open turns stay open, and calls without a result may still get one.
var ErrInputContinues = errors.New("the input was left before its end")
