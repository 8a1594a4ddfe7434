package agent

import (
	"bytes"
	"io"
)

// ahead reads the input in chunks and finds the ends of their lines, in a goroutine,
// while the lines of the chunk before are followed. It lives until the input ends.
type ahead struct {
	full chan *chunk
	free chan *chunk

	now   *chunk // the last one that was taken
	begin int    // where its bytes stand in the line reader's buffer
	next  int    // of its line ends

	own  bool   // the line is too long for the room, so chunks are copied into a buffer of the line reader's own
	long []byte // the last such buffer
}

// chunk is what one read of the input came to.
type chunk struct {
	buf  []byte  // the bytes stand behind some room for the line that they go on with
	n    int     // how many they are
	ends []int32 // where lines end among them
	err  error   // why there are no more
}

const (
	aheadRoom   = 256 << 10 // how much of a line can stand before a chunk; one that goes on for longer has a buffer of its own
	aheadChunks = 3         // one is followed, one is being read, and one lies between so that neither side waits for the other
)

// start begins to read.
func (a *ahead) start(in io.Reader) {
	a.full, a.free = make(chan *chunk, aheadChunks), make(chan *chunk, aheadChunks)
	for range aheadChunks {
		a.free <- &chunk{buf: make([]byte, aheadRoom+usualBuffer)}
	}
	go func(full chan<- *chunk, free <-chan *chunk) {
		for c := range free {
			c.read(in)
			full <- c
			if c.err != nil {
				return
			}
		}
	}(a.full, a.free)
}

// read fills the chunk.
func (c *chunk) read(in io.Reader) {
	into := c.buf[aheadRoom:]
	c.n, c.err = readSome(in, into)
	c.ends = c.ends[:0]
	for at := 0; ; {
		n := bytes.IndexByte(into[at:c.n], '\n')
		if n < 0 {
			return
		}
		c.ends = append(c.ends, int32(at+n))
		at += n + 1
	}
}

// lineEnd gives the place of the first line end from a place on, or -1 where the chunk has none.
func (a *ahead) lineEnd(from int) int {
	if a.now == nil {
		return -1
	}
	ends := a.now.ends
	// Lines that are given back are found again.
	for a.next > 0 && a.begin+int(ends[a.next-1]) >= from {
		a.next--
	}
	for ; a.next < len(ends); a.next++ {
		if at := a.begin + int(ends[a.next]); at >= from {
			return at
		}
	}
	return -1
}

// swap goes on in the chunk that was read ahead, and gives the one before back to be read into.
func (l *lineReader) swap() {
	a := l.ahead
	if a.full == nil {
		a.start(l.in)
	}
	got := <-a.full
	l.bytes += int64(got.n)
	l.err = got.err
	old := a.now
	a.now, a.next = got, 0
	kept := l.end - l.base
	switch {
	case kept <= aheadRoom:
		if a.own {
			a.own, a.long = false, l.buf
		}
		l.move(got.buf, aheadRoom-kept)
	case a.own:
		l.makeRoom(got.n)
	case kept+got.n <= len(a.long):
		a.own = true
		l.move(a.long, 0)
	default:
		a.own = true
		l.grow(got.n)
	}
	if a.own {
		copy(l.buf[l.end:], got.buf[aheadRoom:aheadRoom+got.n])
	}
	a.begin = l.end
	l.end += got.n
	if old != nil {
		a.free <- old
	}
}
