package stream

import "bytes"

// walker walks over the structure of a JSON text.
// It jumps over strings from quote to quote, which is several times as fast as decoding them.
//
// On valid JSON it sees what a decoder sees. It does not check what is inside strings, so it reads the rest of a line in which
// only a string is invalid. If the structure itself is broken, it sets bad and ends.
type walker struct {
	b    []byte
	i    int
	bad  bool
	deep int // nested values that are being skipped
}

// fail ends the walk.
func (w *walker) fail() { w.bad, w.i = true, len(w.b) }

// done reports whether the walk saw one whole value and nothing after it.
func (w *walker) done() bool { return !w.bad && w.peek() == 0 && w.i == len(w.b) }

// peek returns the next byte that is not a space, 0 at the end.
func (w *walker) peek() byte {
	for w.i < len(w.b) && isSpace(w.b[w.i]) {
		w.i++
	}
	if w.i == len(w.b) {
		return 0
	}
	return w.b[w.i]
}

// object steps into an object and returns the name of its first member, whose value comes next; key returns the others.
// A value of another kind is skipped.
func (w *walker) object() (name []byte, ok bool) {
	if w.peek() != '{' {
		w.skip()
		return nil, false
	}
	w.i++
	return w.nextKey()
}

// nextKey goes to the next member of the object and returns its name, the value comes next.
// At the end it steps out of the object.
func (w *walker) nextKey() (name []byte, ok bool) {
	if w.peek() == ',' {
		w.i++
	}
	if w.peek() == '}' {
		w.i++
		return nil, false
	}
	name, ok = w.raw()
	if !ok || w.peek() != ':' {
		w.fail()
		return nil, false
	}
	w.i++
	if bytes.IndexByte(name, '\\') >= 0 {
		if name, ok = unescaped(name); !ok {
			w.fail()
		}
	}
	return name, ok
}

// array steps into the array that comes next; element goes through its values.
func (w *walker) array() {
	w.peek()
	w.i++
}

// element goes to the next value of the array. At the end it steps out of the array.
func (w *walker) element() bool {
	if w.peek() == ',' {
		w.i++
	}
	switch w.peek() {
	case ']':
		w.i++
		return false
	case 0, '}':
		w.fail()
		return false
	}
	return true
}

// raw reads a string and returns the text between its quotes, with its escape sequences.
func (w *walker) raw() ([]byte, bool) {
	if w.peek() != '"' {
		return nil, false
	}
	start := w.i + 1
	end := stringEnd(w.b, start)
	if end < 0 {
		w.fail()
		return nil, false
	}
	w.i = end + 1
	return w.b[start:end], true
}

// stringEnd finds the quote that ends a string, or -1.
func stringEnd(b []byte, i int) int {
	for from := i; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		// The quote ends the string unless an odd number of backslashes precedes it.
		k := i
		for k > from && b[k-1] == '\\' {
			k--
		}
		if (i-k)%2 == 0 {
			return i
		}
	}
	return -1
}

// skip steps over a value.
func (w *walker) skip() {
	switch w.peek() {
	case '"':
		w.raw()
	case '{', '[':
		w.skipNested()
	default:
		w.skipLiteral()
	}
}

func (w *walker) skipLiteral() {
	start := w.i
	for w.i < len(w.b) {
		switch w.b[w.i] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			if !isLiteral(w.b[start:w.i]) {
				w.fail()
			}
			return
		}
		w.i++
	}
	w.bad = true
}

func isLiteral(text []byte) bool {
	switch string(text) {
	case "true", "false", "null":
		return true
	}
	for _, b := range text {
		if (b < '0' || b > '9') && b != '-' && b != '+' && b != '.' && b != 'e' && b != 'E' {
			return false
		}
	}
	return len(text) > 0
}

// maxDepth is deeper than any program's output that is not meant to harm.
const maxDepth = 10_000

// skipNested steps over an object or an array.
func (w *walker) skipNested() {
	if w.deep++; w.deep > maxDepth {
		w.fail()
		return
	}
	if w.peek() == '{' {
		for _, more := w.object(); more; _, more = w.nextKey() {
			w.skip()
		}
	} else {
		for w.array(); w.element(); {
			w.skip()
		}
	}
	w.deep--
}
