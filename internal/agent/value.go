package agent

import (
	"bytes"
	"errors"
	"hash/fnv"
	"strconv"

	"onward/internal/todo"
)

// A member is of the expected type, or counts as absent.
// Agents change their streams without notice, and one member of another kind must not cost the whole line.

// word is a string without its quotes and escape sequences. It is valid as long as the line is.
// A number is kept as written, because some agents number their items.
type word []byte

// value is a value as written in the line, and valid as long as the line; nil if there is none.
type value []byte

// isString reports whether the value is a string.
func (v value) isString() bool { return len(v) > 0 && v[0] == '"' }

// isNumber reports whether the value is a number, as counters are.
func (v value) isNumber() bool { return len(v) > 0 && v[0] >= '0' && v[0] <= '9' }

// Longer texts are cut, so that the memory of a line is bounded.
const (
	maxWord  = 512
	maxText  = 2 * todo.MaxText
	maxWords = 1000
)

// word reads a string that is an id, a name or a state. Long ones stay different from each other.
func (w *walker) word() word {
	raw, ok := w.raw()
	switch {
	case ok && len(raw) > maxWord:
		h := fnv.New64a()
		h.Write(raw)
		return strconv.AppendUint(append(resolved(raw[:maxWord/2]), '-'), h.Sum64(), 36)
	case ok && bytes.IndexByte(raw, '\\') >= 0:
		return w.unescaped(raw)
	case ok:
		return raw
	}
	return w.number()
}

// text reads a string for display; a number does not count. Of a long one the beginning and the last lines are kept.
func (w *walker) text() word {
	raw, ok := w.raw()
	switch {
	case ok && bytes.IndexByte(raw, '\\') < 0 && len(raw) <= maxText:
		return raw
	case ok && len(raw) <= maxText:
		return w.unescaped(raw)
	case ok:
		end := raw[lineBreak(raw, len(raw)-maxText/2):]
		return append(append(resolved(raw[:maxText]), "\n…"...), resolved(end)...)
	}
	w.skip()
	return nil
}

// number reads a number as it is written; any other value is skipped.
func (w *walker) number() word {
	if b := w.peek(); b == '-' || b >= '0' && b <= '9' {
		if v := w.value(); len(v) <= maxWord {
			return word(v)
		}
		return nil
	}
	w.skip()
	return nil
}

// plain reads a string that holds no escape sequence. Any other value ends the walk.
func (w *walker) plain() []byte {
	raw, ok := w.raw()
	if !ok || bytes.IndexByte(raw, '\\') >= 0 {
		w.fail()
		return nil
	}
	return raw
}

// truth reads a boolean; anything but true is false.
func (w *walker) truth() bool {
	is := w.peek() == 't'
	w.skip()
	return is
}

// words reads an array of strings and numbers; other elements are left out.
func (w *walker) words() (out []string) {
	if !w.array() {
		return nil
	}
	for w.element() {
		if len(out) == maxWords {
			w.skip()
		} else if one := w.word(); len(one) > 0 {
			out = append(out, string(one))
		}
	}
	return out
}

// value reads a value.
func (w *walker) value() value {
	w.peek()
	start := w.i
	w.skip()
	return value(w.b[start:w.i])
}

// member finds a value within objects, by the names that lead to it.
func (v value) member(path ...string) value {
	for _, want := range path {
		k := walker{b: v}
		v = nil
		for name, more := k.object(); more; name, more = k.key() {
			if one := k.value(); string(name) == want {
				v = one
			}
		}
		if k.bad {
			return nil
		}
	}
	return v
}

// word returns a value that is a word.
func (v value) word() word {
	k := walker{b: v}
	return k.word()
}

// text returns a value that is a text.
func (v value) text() word {
	k := walker{b: v}
	return k.text()
}

// message returns the message of an error: a string in some programs, an object with a message in most.
func (v value) message() string {
	if v.isString() {
		return string(v.text())
	}
	return string(v.member("message").text())
}

// unpacked returns the value that a string holds as JSON, of the size of a call at most.
func (v value) unpacked() value {
	if !v.isString() || len(v) > maxInput {
		return v
	}
	inner, _ := unescaped(v[1 : len(v)-1])
	return value(bytes.TrimSpace(inner))
}

// truth reports whether a value is true.
func (v value) truth() bool { return string(v) == "true" }

// The errors of a parser for a line that it cannot apply.
var (
	errNotJSON     = errors.New("not JSON")
	errUnknownType = errors.New("unknown type")         // a line of a known type that holds something of an unknown one
	errForeign     = errors.New("another agent's line") // a line of a type that it knows, but that another agent wrote
)
