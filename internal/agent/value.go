package agent

import (
	"bytes"
	"errors"
	"hash/fnv"
	"strconv"

	"onward/internal/native"
	"onward/internal/todo"
)

// A member is of the expected type, or counts as absent.
// Agents change their streams without notice, and one member of another kind must not cost the whole line.

// word is a string without its quotes and escape sequences. It is valid as long as the line is.
// A number is kept as written, because some agents number their items.
type word []byte

// raw is the value as it is written.
func (v value) raw() []byte {
	if len(v) == 0 {
		return nil
	}
	return v[0].raw
}

// kind is the first byte of the value; 0 where there is none.
func (v value) kind() byte {
	if len(v) == 0 {
		return 0
	}
	return v[0].raw[0]
}

// isString reports whether the value is a string.
func (v value) isString() bool { return v.kind() == '"' }

// isNumber reports whether the value is a number, as counters are.
func (v value) isNumber() bool { return v.kind() >= '0' && v.kind() <= '9' }

// isTrue reports whether a member is true.
func (v value) isTrue(path ...string) bool { return v.member(path...).kind() == 't' }

// either returns the first of two members that is there.
func (v value) either(name, other string) value {
	if one := v.member(name); one != nil {
		return one
	}
	return v.member(other)
}

// has reports whether the value has all these members.
func (v value) has(names ...string) bool {
	for _, name := range names {
		if v.member(name) == nil {
			return false
		}
	}
	return true
}

// Longer texts are cut, so that the memory of a line is bounded.
const (
	maxWord  = 512
	maxText  = 2 * todo.MaxText
	maxWords = 1000
)

// word returns a string that is an id, a name or a state, or a number as it is written. Long ones
// stay different from each other.
func (v value) word(path ...string) word {
	v = v.member(path...)
	if !v.isString() {
		if raw := v.raw(); (v.isNumber() || v.kind() == '-') && len(raw) <= maxWord {
			return raw
		}
		return nil
	}
	raw := v.raw()[1 : len(v.raw())-1]
	if len(raw) > maxWord {
		h := fnv.New64a()
		h.Write(raw)
		return strconv.AppendUint(append(resolved(raw[:maxWord/2]), '-'), h.Sum64(), 36)
	}
	return plain(raw)
}

// text returns a string for display; a number does not count. Of a long one the beginning and the last lines are kept.
func (v value) text(path ...string) word {
	if v = v.member(path...); !v.isString() {
		return nil
	}
	raw := v.raw()[1 : len(v.raw())-1]
	if len(raw) > maxText {
		end := raw[lineBreak(raw, len(raw)-maxText/2):]
		return append(append(resolved(raw[:maxText]), "\n…"...), resolved(end)...)
	}
	return plain(raw)
}

// plain returns what a string means. One whose escape sequences are invalid counts as absent.
func plain(raw []byte) word {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	if text, ok := unescaped(raw); ok {
		return text
	}
	return nil
}

// words returns the strings and numbers of an array; other elements are left out.
func (v value) words(path ...string) (out []string) {
	for one := range v.member(path...).values('[') {
		if text := one.word(); len(text) > 0 && len(out) < maxWords {
			out = append(out, string(text))
		}
	}
	return out
}

// message returns the message of an error: a string in some programs, an object with a message in most.
func (v value) message() string {
	if v.isString() {
		return string(v.text())
	}
	return string(v.text("message"))
}

// unpacked returns the JSON that a string holds, of the size of a call at most; a value that is no
// string is itself JSON.
func (v value) unpacked() []byte {
	raw := v.raw()
	if !v.isString() || len(raw) > maxInput {
		return raw
	}
	inner, _ := unescaped(raw[1 : len(raw)-1])
	return bytes.TrimSpace(inner)
}

// list returns the list that a value is, or nil.
func (v value) list() *native.List { return native.Read(v.raw()) }

// The errors of a parser for a line that it cannot apply.
var (
	errNotJSON     = errors.New("not JSON")
	errUnknownType = errors.New("unknown type")         // a line of a known type that holds something of an unknown one
	errForeign     = errors.New("another agent's line") // a line of a type that it knows, but that another agent wrote
)
