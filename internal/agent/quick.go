package agent

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The methods here read values of the lenient types with a walker. They give what a decoder gives, several times as fast,
// and set bad where a string is not valid.

// readWord reads a word.
func (w *walker) readWord() word {
	switch b := w.peek(); {
	case b == '"':
		raw, ok := w.raw()
		switch {
		case !ok || !utf8.Valid(raw):
			w.bad = true
			return ""
		case bytes.IndexByte(raw, '\\') < 0:
			return word(raw)
		}
		text, ok := unescaped(raw)
		w.bad = w.bad || !ok
		return text
	case b == '-' || b >= '0' && b <= '9':
		return word(w.value())
	}
	w.skip()
	return ""
}

// unescaped gives what a string means that has escape sequences. A long one is held once, not twice as by a buffer that grows.
func unescaped(raw []byte) (word, bool) {
	var b strings.Builder
	b.Grow(len(raw))
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			b.Write(raw)
			return word(b.String()), true
		}
		b.Write(raw[:n])
		raw = raw[n:]
		if len(raw) < 2 {
			return "", false
		}
		switch raw[1] {
		case '"', '\\', '/':
			b.WriteByte(raw[1])
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r := codeUnit(raw)
			if utf16.IsSurrogate(r) && len(raw) > 6 {
				// Half a character, and the other half follows; alone it is none.
				r, raw = utf16.DecodeRune(r, codeUnit(raw[6:])), raw[6:]
				if r == utf8.RuneError {
					return "", false
				}
			}
			if r < 0 || utf16.IsSurrogate(r) {
				return "", false
			}
			b.WriteRune(r)
			raw = raw[4:]
		default:
			return "", false
		}
		raw = raw[2:]
	}
}

// codeUnit reads \uXXXX; it gives -1 where that does not stand there.
func codeUnit(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}

// readTruth reads a truth.
func (w *walker) readTruth() truth {
	is := w.peek() == 't'
	w.skip()
	return truth(is)
}

// readWords reads words.
func (w *walker) readWords() words {
	if !w.enter('[') {
		w.skip()
		return nil
	}
	var out words
	for w.element() {
		if one := w.readWord(); one != "" {
			out = append(out, string(one))
		}
	}
	return out
}

// value gives a value as it stands in the line; it is valid as long as the line is.
func (w *walker) value() jsontext.Value {
	w.peek()
	start := w.i
	w.skip()
	return jsontext.Value(w.b[start:w.i])
}

// members calls read at each member of an object, which must consume its value. A value of another kind is skipped.
// A name that stands twice is an error to a decoder, so it sets bad, as do more names than are compared.
func (w *walker) members(read func(name []byte)) {
	if !w.enter('{') {
		w.skip()
		return
	}
	var seen [48][]byte
	n := 0
	for name, more := w.key(); more; name, more = w.key() {
		for _, before := range seen[:n] {
			w.bad = w.bad || string(before) == string(name)
		}
		if n == len(seen) {
			w.bad = true
		}
		if w.bad {
			w.i = len(w.b)
			return
		}
		seen[n] = name
		n++
		read(name)
	}
}

// objects calls read at each object of an array, which must consume it. Other elements and a value of another kind are skipped.
func (w *walker) objects(read func()) {
	if !w.enter('[') {
		w.skip()
		return
	}
	for w.element() {
		if w.peek() == '{' {
			read()
		} else {
			w.skip()
		}
	}
}

// objectOrNull is members for what a decoder takes as an object alone.
func (w *walker) objectOrNull(read func(name []byte)) {
	w.bad = w.bad || w.peek() != '{' && w.peek() != 'n'
	w.members(read)
}

// membered is an object that a walker can read, member by member.
type membered interface {
	member(name []byte, k *walker)
}

// scanned reads an object as a decoder does. It reports false where only the decoder can tell.
func scanned(v []byte, out membered) bool {
	k := walker{b: v}
	if k.peek() != '{' {
		return false
	}
	k.members(func(name []byte) { out.member(name, &k) })
	return k.done() && utf8.Valid(v)
}

// decode reads an object by itself where it can, and with a decoder where it must.
func decode[T any](v []byte, out *T, decodeAll bool) error {
	if m, ok := any(out).(membered); ok && !decodeAll {
		if scanned(v, m) {
			return nil
		}
		var zero T
		*out = zero
	}
	return json.Unmarshal(v, out)
}
