package agent

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the length over which a line is skipped, in bytes. Agents write a whole tool output into one line:
// tens of megabytes were seen, so a limit that a real line meets would lose updates.
const MaxLine = 256 << 20

const bufferSize = 64 << 10

// lineReader cuts the input into lines. It holds one line at a time and never waits for more than the line's end.
type lineReader struct {
	in    *bufio.Reader
	limit int
	long  []byte // a line that does not fit into the buffer of in
	bytes int64
	err   error // why the input ended
}

func newLineReader(r io.Reader, limit int) lineReader {
	return lineReader{in: bufio.NewReaderSize(r, bufferSize), limit: limit}
}

// next gives a line without its end, the space around it and a byte order mark;
// every line may have one, since files are concatenated.
// A line over the limit is read to its end and dropped. The bytes are valid until the next call.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	if l.err != nil {
		return nil, false, l.err
	}
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		l.bytes += int64(len(part))
		tooLong = tooLong || len(l.long)+len(part) > l.limit
		switch {
		case tooLong:
			l.long = l.long[:0]
		case len(l.long) > 0 || errors.Is(err, bufio.ErrBufferFull):
			l.long = append(l.long, part...)
			line = l.long
		default:
			line = part
		}
		switch {
		case err == nil:
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		default:
			l.err = err
			if !tooLong && len(line) == 0 {
				return nil, false, err
			}
		}
		if tooLong {
			return nil, true, nil
		}
		return trim(line), false, nil
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
