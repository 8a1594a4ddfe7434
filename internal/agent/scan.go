package agent

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// walker walks over the structure of one JSON object without decoding or checking it.
// It jumps over strings from quote to quote, which is several times as fast as reading them.
//
// On valid JSON it sees what a decoder sees. On anything else it may see nonsense, and that is harmless:
// its only use is to find lines that need no decoding, and a line that is not JSON changes nothing either way.
// A name or a word that holds an escape sequence is not judged: bad is set and the line is decoded.
type walker struct {
	b   []byte
	i   int
	bad bool
}

// peek gives the next byte that is no space, 0 at the end.
func (w *walker) peek() byte {
	if w.i < len(w.b) && w.b[w.i] > ' ' {
		return w.b[w.i]
	}
	return w.peekOn()
}

// peekOn is peek where a space stands, apart so that peek is small enough to be part of its callers.
func (w *walker) peekOn() byte {
	for w.i < len(w.b) && isSpace(w.b[w.i]) {
		w.i++
	}
	if w.i == len(w.b) {
		return 0
	}
	return w.b[w.i]
}

// enter steps into an object or an array, if there is one.
func (w *walker) enter(bracket byte) bool {
	if w.peek() != bracket {
		return false
	}
	w.i++
	return true
}

// key goes to the next member of the object and gives its name, the value comes next.
// At the end it steps out of the object.
func (w *walker) key() (name []byte, ok bool) {
	// Programs write members without spaces, and names without escape sequences.
	b, i := w.b, w.i
	if i < len(b) && b[i] == ',' {
		i++
	}
	if i < len(b) && b[i] == '"' {
		for start, near := i+1, min(i+32, len(b)-1); i < near; {
			i++
			if b[i] == '"' && i < near && b[i+1] == ':' {
				w.i = i + 2
				return b[start:i], true
			}
			if b[i] == '"' || b[i] == '\\' {
				break
			}
		}
	}
	if w.peek() == ',' {
		w.i++
	}
	if w.peek() == '}' {
		w.i++
		return nil, false
	}
	name, ok = w.word()
	if !ok || w.peek() != ':' {
		w.bad = true
		return nil, false
	}
	w.i++
	return name, true
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
		w.bad = true
		return false
	}
	return true
}

// word reads a string that holds no escape sequence. Any other value sets bad.
func (w *walker) word() ([]byte, bool) {
	if start := w.i + 1; start < len(w.b) && w.b[w.i] == '"' {
		for i, near := start, min(start+24, len(w.b)); i < near && w.b[i] != '\\'; i++ {
			if w.b[i] == '"' {
				w.i = i + 1
				return w.b[start:i], true
			}
		}
	}
	raw, ok := w.raw()
	if !ok || bytes.IndexByte(raw, '\\') >= 0 {
		w.bad = true
		return nil, false
	}
	return raw, true
}

// text reads a string and resolves its escape sequences. Any other value sets bad.
func (w *walker) text() (string, bool) {
	raw, ok := w.raw()
	if !ok || bytes.IndexByte(raw, '\\') < 0 {
		w.bad = w.bad || !ok
		return string(raw), ok
	}
	quoted := append(append([]byte{'"'}, raw...), '"')
	plain, err := jsontext.AppendUnquote(nil, quoted)
	w.bad = w.bad || err != nil
	return string(plain), err == nil
}

// raw reads a string and gives what stands between its quotes, escape sequences as they are.
func (w *walker) raw() ([]byte, bool) {
	if w.peek() != '"' {
		return nil, false
	}
	start := w.i + 1
	i := start
	// Most strings are short, and are read sooner than a search for their end begins.
	for near := min(start+16, len(w.b)); i < near; i++ {
		if w.b[i] == '"' {
			w.i = i + 1
			return w.b[start:i], true
		}
		if w.b[i] == '\\' {
			i++
		}
	}
	for from := i; i < len(w.b); i++ {
		n := bytes.IndexByte(w.b[i:], '"')
		if n < 0 {
			break
		}
		i += n
		// The quote ends the string unless an odd number of backslashes stands before it.
		k := i
		for k > from && w.b[k-1] == '\\' {
			k--
		}
		if (i-k)%2 == 0 {
			w.i = i + 1
			return w.b[start:i], true
		}
	}
	w.i, w.bad = len(w.b), true
	return nil, false
}

// null reports whether the value is null, and steps over it.
func (w *walker) null() bool {
	is := w.peek() == 'n'
	w.skip()
	return is
}

// wordOrNull reads a string that holds no escape sequence; null, a truth or something nested is as good as no string.
// A number is one to a decoder, so it sets bad.
func (w *walker) wordOrNull() []byte {
	switch b := w.peek(); {
	case b == '"':
		word, _ := w.word()
		return word
	case b == '-' || b >= '0' && b <= '9':
		w.bad = true
	}
	w.skip()
	return nil
}

// done reports whether the walk saw one whole object and nothing after it.
func (w *walker) done() bool { return !w.bad && w.peek() == 0 && w.i == len(w.b) }

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
			w.bad = w.bad || !isLiteral(w.b[start:w.i])
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

// skipNested steps over an object or an array. One that is nested deeper than any agent's sets bad.
func (w *walker) skipNested() {
	var arrays uint64 // a bit for each level: an array or an object
	for depth := 0; w.i < len(w.b); w.i++ {
		b := w.b[w.i]
		if b == ',' || b == ':' {
			continue
		}
		switch b {
		case '"':
			w.raw()
			w.i--
		case '{', '[':
			if depth++; depth == 64 {
				w.bad, w.i = true, len(w.b)
				return
			}
			arrays = arrays<<1 | uint64(b>>5&1^1) // '[' is 0x5b, '{' is 0x7b
		case '}', ']':
			if arrays&1 != uint64(b>>5&1^1) {
				w.bad, w.i = true, len(w.b)
				return
			}
			arrays >>= 1
			if depth--; depth == 0 {
				w.i++
				return
			}
		}
	}
	w.bad = true
}

// firstType gives the type of a line that begins with it, and nil for any other one.
func firstType(line []byte) []byte {
	w := walker{b: line}
	if !w.enter('{') {
		return nil
	}
	if name, ok := w.key(); !ok || string(name) != "type" {
		return nil
	}
	typ, _ := w.word()
	return typ
}

// quickType finds the type of a line; ok is false where only a decoder can tell.
func quickType(line []byte) (typ []byte, ok bool) {
	w := walker{b: line}
	if !w.enter('{') {
		return nil, false
	}
	for name, more := w.key(); more; name, more = w.key() {
		if string(name) == "type" {
			return w.word()
		}
		w.skip()
	}
	return nil, false
}

// mayHold looks for a text in strings that are not decoded. It errs towards true where an escape sequence
// for an ASCII character stands, since that could hide a letter of the text.
func mayHold(raw []byte, text string) bool {
	return bytes.Contains(raw, []byte(text)) || bytes.Contains(raw, []byte(`\u00`))
}
