package execute

import (
	"fmt"
	"os"
	"sync"
	"time"
	"unicode/utf8"
)

// shown is how long after its first output a call that still runs has that in a file, where it can be followed.
const shown = 100 * time.Millisecond

// maxFile bounds the file with the whole output of one call, in bytes. What comes after it is lost.
const maxFile = 256 << 20

// capture collects the output of one call: of each stream the beginning and the end,
// and the whole of both, in the order in which it came, once it is too long to be kept.
type capture struct {
	mu       sync.Mutex
	limit    int // characters of each stream that are kept
	out, err ends
	whole    []byte                   // everything so far, until it goes to a file
	create   func() (*os.File, error) // makes the file, at most once; nil where the whole is not wanted
	file     *os.File
	size     int64
	failed   error // of the file
	show     *time.Timer
	ended    bool
}

// ends keeps the beginning and the end of a stream. A character has at most four bytes,
// so as long as all of it fits, nothing was lost.
type ends struct {
	to    *capture
	head  []byte
	tail  []byte // of what follows: all of it, or at least as many of its last bytes as are shown
	total int64
	chars int    // characters so far; a byte that belongs to none counts as one
	begun []byte // the beginning of a character whose end has not come yet
}

func newCapture(limit int, create func() (*os.File, error)) *capture {
	c := &capture{limit: limit, create: create}
	c.out.to, c.err.to = c, c
	return c
}

// headSize returns how many characters of the beginning are kept of a long stream; the rest is of the end.
func (c *capture) headSize() int { return c.limit / 5 }

// tailSize returns how many bytes of the end are kept of a long stream.
func (c *capture) tailSize() int { return 4 * (c.limit - c.headSize()) }

func (e *ends) Write(p []byte) (int, error) {
	c := e.to
	c.mu.Lock()
	defer c.mu.Unlock()
	c.record(p)
	e.total += int64(len(p))
	e.count(p)
	begins := max(0, min(4*c.headSize()-len(e.head), len(p)))
	e.head, e.tail = append(e.head, p[:begins]...), append(e.tail, p[begins:]...)
	if size := c.tailSize(); len(e.tail) > 2*size {
		e.tail = append(e.tail[:0], e.tail[len(e.tail)-size:]...)
	}
	return len(p), nil
}

// count counts characters, which may come in pieces.
func (e *ends) count(p []byte) {
	if len(e.begun) > 0 {
		p = append(e.begun, p...)
	}
	whole := len(p)
	for i := whole - 1; i >= 0 && i > whole-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				whole = i
			}
			break
		}
	}
	e.chars += utf8.RuneCount(p[:whole])
	e.begun = append([]byte(nil), p[whole:]...)
}

// record keeps the whole output.
func (c *capture) record(p []byte) {
	if c.create == nil {
		return
	}
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

// reveal puts what there is into the file while the call runs.
func (c *capture) reveal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil && c.failed == nil && !c.ended {
		c.spill()
	}
}

// spill moves what there is into the file.
func (c *capture) spill() {
	if c.file, c.failed = c.create(); c.failed != nil {
		return
	}
	n, err := c.file.Write(c.whole)
	c.size, c.failed, c.whole = int64(n), err, nil
}

// finish returns the texts of both streams, and whether something was left out of them.
// Then the whole is in the file; otherwise the file is no longer needed.
func (c *capture) finish(path string) (stdout, stderr string, truncated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.show != nil {
		c.show.Stop()
	}
	stdout, cutOut := c.out.text(c.limit, path)
	stderr, cutErr := c.err.text(c.limit, path)
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

// text returns a stream as text: what is no UTF-8 is replaced, and of a long one the middle is left out.
func (e *ends) text(limit int, path string) (string, bool) {
	head, end := characters(e.head), characters(e.tail)
	if e.whole() {
		all := characters(append(e.head[:len(e.head):len(e.head)], e.tail...))
		if len(all) <= limit {
			return string(all), false
		}
		head, end = all, all
	}
	head = head[:limit/5]
	end = end[len(end)-(limit-limit/5):]
	left := e.chars + utf8.RuneCount(e.begun) - limit
	return fmt.Sprintf("%s\n[%d characters left out; the whole output is in %s]\n%s", string(head), left, path, string(end)), true
}

// whole reports whether all of a stream is kept.
func (e *ends) whole() bool { return e.total == int64(len(e.head)+len(e.tail)) }

// end returns the end of a stream: at least as much as is kept of it in characters.
func (e *ends) end() string {
	e.to.mu.Lock()
	defer e.to.mu.Unlock()
	if e.whole() {
		return string(e.head) + string(e.tail)
	}
	return string(e.tail[max(0, len(e.tail)-e.to.tailSize()):])
}

// characters returns valid text; each invalid byte becomes a replacement character.
func characters(b []byte) []rune { return []rune(string(b)) }
