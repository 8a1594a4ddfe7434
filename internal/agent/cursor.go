package agent

import "bytes"

// cursor walks over the structure of one JSON object without decoding or checking it.
// It jumps over strings from quote to quote, which is several times as fast as reading them.
//
// On valid JSON it sees what a decoder sees. On anything else it may see nonsense, and that is harmless:
// its only use is to find lines that need no decoding, and a line that is not JSON changes nothing either way.
// A name or a word that holds an escape sequence is not judged: bad is set and the line is decoded.
type cursor struct {
	b   []byte
	i   int
	bad bool
}

// peek gives the next byte that is no space, 0 at the end.
func (c *cursor) peek() byte {
	for c.i < len(c.b) && isSpace(c.b[c.i]) {
		c.i++
	}
	if c.i == len(c.b) {
		return 0
	}
	return c.b[c.i]
}

// enter steps into an object or an array, if there is one.
func (c *cursor) enter(bracket byte) bool {
	if c.peek() != bracket {
		return false
	}
	c.i++
	return true
}

// key goes to the next member of the object and gives its name, the value comes next.
// At the end it steps out of the object.
func (c *cursor) key() (name []byte, ok bool) {
	if c.peek() == ',' {
		c.i++
	}
	if c.peek() == '}' {
		c.i++
		return nil, false
	}
	name, ok = c.word()
	if !ok || c.peek() != ':' {
		c.bad = true
		return nil, false
	}
	c.i++
	return name, true
}

// element goes to the next value of the array. At the end it steps out of the array.
func (c *cursor) element() bool {
	if c.peek() == ',' {
		c.i++
	}
	switch c.peek() {
	case ']':
		c.i++
		return false
	case 0, '}':
		c.bad = true
		return false
	}
	return true
}

// word reads a string that holds no escape sequence. Any other value sets bad.
func (c *cursor) word() ([]byte, bool) {
	raw, ok := c.raw()
	if !ok || bytes.IndexByte(raw, '\\') >= 0 {
		c.bad = true
		return nil, false
	}
	return raw, true
}

// raw reads a string and gives what stands between its quotes, escape sequences as they are.
func (c *cursor) raw() ([]byte, bool) {
	if c.peek() != '"' {
		return nil, false
	}
	start := c.i + 1
	for i := start; ; i++ {
		n := bytes.IndexByte(c.b[i:], '"')
		if n < 0 {
			c.i, c.bad = len(c.b), true
			return nil, false
		}
		i += n
		// The quote ends the string unless an odd number of backslashes stands before it.
		// Counting stops at the opening quote at the latest.
		k := i
		for c.b[k-1] == '\\' {
			k--
		}
		if (i-k)%2 == 0 {
			c.i = i + 1
			return c.b[start:i], true
		}
	}
}

// null reports whether the value is null, and steps over it.
func (c *cursor) null() bool {
	is := c.peek() == 'n'
	c.skip()
	return is
}

// skip steps over a value.
func (c *cursor) skip() {
	switch c.peek() {
	case '"':
		c.raw()
		return
	case '{', '[':
	default:
		for c.i < len(c.b) {
			switch c.b[c.i] {
			case ',', '}', ']', ' ', '\t':
				return
			}
			c.i++
		}
		return
	}
	for depth := 0; c.i < len(c.b); c.i++ {
		switch c.b[c.i] {
		case '"':
			c.raw()
			c.i--
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.i++
				return
			}
		}
	}
	c.bad = true
}

// quickType finds the type of a line; ok is false where only a decoder can tell.
func quickType(line []byte) (typ []byte, ok bool) {
	c := cursor{b: line}
	if !c.enter('{') {
		return nil, false
	}
	for name, more := c.key(); more; name, more = c.key() {
		if string(name) == "type" {
			return c.word()
		}
		c.skip()
	}
	return nil, false
}

// mayHold looks for a text in strings that are not decoded. It errs towards true where an escape sequence
// for an ASCII character stands, since that could hide a letter of the text.
func mayHold(raw []byte, text string) bool {
	return bytes.Contains(raw, []byte(text)) || bytes.Contains(raw, []byte(`\u00`))
}
