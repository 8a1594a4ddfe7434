package execute

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
	"unicode/utf8"
)

// shown is how long after its first output a call's output is put into a file, where others can follow it.
const shown = 100 * time.Millisecond

// maxFile bounds the file with the whole output of one call, in bytes. What comes after it is lost.
const maxFile = 256 << 20

// capture collects the output of one call: of each stream the beginning and the end, which are kept with the call, and
// if that is not everything, all output of both streams in one file, in the order in which it came.
type capture struct {
	mu       sync.Mutex
	limit    int // characters of each stream that are kept
	out, err ends
	whole    []byte                   // everything so far, until it goes to a file
	create   func() (*os.File, error) // makes the file, at most once
	file     *os.File
	size     int64
	failed   error // of the file
	show     *time.Timer
	ended    bool
}

// ends keeps the beginning and the end of a stream, both of whole characters.
type ends struct {
	to   *capture
	head []byte // nil as long as nothing was lost
	tail []byte // what follows the head: all of it, or at least as many of its last bytes as are shown
	lost int    // the number of characters between head and tail; an invalid byte counts as one
}

func newCapture(limit int, create func() (*os.File, error)) *capture {
	c := &capture{limit: limit, create: create}
	c.out.to, c.err.to = c, c
	return c
}

// headSize returns how many of the characters that are kept of a long stream are from its beginning.
func (c *capture) headSize() int { return c.limit / 5 }

// tailSize returns how many characters of the end are kept of a long stream.
func (c *capture) tailSize() int { return c.limit - c.headSize() }

func (e *ends) Write(p []byte) (int, error) {
	c := e.to
	c.mu.Lock()
	defer c.mu.Unlock()
	c.record(p)
	e.tail = append(e.tail, p...)
	head, tail := utf8.UTFMax*c.headSize(), utf8.UTFMax*c.tailSize()
	if len(e.tail) > head+2*tail {
		from, to := 0, boundary(e.tail, len(e.tail)-tail)
		if e.head == nil {
			from = boundary(e.tail, head)
			e.head = slices.Clone(e.tail[:from])
		}
		e.lost += utf8.RuneCount(e.tail[from:to])
		e.tail = append(e.tail[:0], e.tail[to:]...)
	}
	return len(p), nil
}

// boundary returns the offset of the character that a byte belongs to; that of the byte itself, if it is invalid.
func boundary(b []byte, at int) int {
	for i := at; i >= 0 && i > at-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			return i
		}
	}
	return at
}

// record keeps the whole output.
func (c *capture) record(p []byte) {
	if c.show == nil {
		c.show = time.AfterFunc(shown, c.reveal)
	}
	if c.file == nil && c.failed == nil {
		if len(c.whole)+len(p) <= 8*c.limit {
			c.whole = append(c.whole, p...)
			return
		}
		c.spill()
	}
	if c.file != nil && c.failed == nil && c.size < maxFile {
		n, err := c.file.Write(p[:min(int64(len(p)), maxFile-c.size)])
		c.size += int64(n)
		c.failed = err
	}
}

// reveal puts the output so far into the file, while the call runs.
func (c *capture) reveal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil && c.failed == nil && !c.ended {
		c.spill()
	}
}

// spill moves the output so far into the file.
func (c *capture) spill() {
	if c.file, c.failed = c.create(); c.failed != nil {
		return
	}
	n, err := c.file.Write(c.whole)
	c.size, c.failed, c.whole = int64(n), err, nil
}

// finish returns the texts of both streams, and whether something was left out of them.
// If so, the file has all of it; otherwise the file is not needed any more.
func (c *capture) finish(path string) (stdout, stderr string, truncated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.show != nil {
		c.show.Stop()
	}
	stdout, cutOut := c.out.text(path)
	stderr, cutErr := c.err.text(path)
	truncated = cutOut || cutErr
	if truncated && c.file == nil && c.failed == nil {
		c.spill()
	}
	if c.file != nil {
		if err := c.file.Close(); c.failed == nil {
			c.failed = err
		}
	}
	if !truncated {
		c.failed = nil
	}
	return stdout, stderr, truncated
}

// text returns a stream as text: invalid UTF-8 is replaced, and the middle of a long stream is left out.
func (e *ends) text(path string) (string, bool) {
	all := append(characters(e.head), characters(e.tail)...)
	left := len(all) + e.lost - e.to.limit
	if left <= 0 {
		return string(all), false
	}
	head, end := all[:e.to.headSize()], all[len(all)-e.to.tailSize():]
	return fmt.Sprintf("%s\n[%d characters left out; the whole output is in %s]\n%s", string(head), left, path, string(end)), true
}

// characters returns valid text; each invalid byte becomes a replacement character.
func characters(b []byte) []rune { return []rune(string(b)) }
