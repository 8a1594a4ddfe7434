package ingest

import (
	"errors"
	"io"
)

// LineEnder ends the last line of a file, so that it does not run into the next one.
type LineEnder struct {
	In    io.Reader
	begun bool // the last line has not ended yet
}

func (l *LineEnder) Read(p []byte) (int, error) {
	n, err := l.In.Read(p)
	switch {
	case n > 0:
		l.begun = p[n-1] != '\n'
		if errors.Is(err, io.EOF) {
			err = nil // the next Read returns it again
		}
	case errors.Is(err, io.EOF) && l.begun && len(p) > 0:
		p[0], l.begun = '\n', false
		return 1, nil
	}
	return n, err
}
