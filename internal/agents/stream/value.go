package stream

import (
	"bytes"
	"errors"
	"hash/fnv"
	"strconv"

	"onward/internal/native"
	"onward/internal/todo"
)

// A member of another type than expected counts as absent. Agents change their streams without notice, and the rest of the
// line must still be read.

// Word is a string without its quotes and escape sequences. It is valid as long as the line is.
// A number is kept as written, because some agents number their items.
type Word []byte

// Raw is the value as it is written.
func (v Value) Raw() []byte {
	if len(v) == 0 {
		return nil
	}
	return v[0].raw
}

// Kind is the first byte of the value; 0 if there is no value.
func (v Value) Kind() byte {
	if len(v) == 0 {
		return 0
	}
	return v[0].raw[0]
}

// IsString reports whether the value is a string.
func (v Value) IsString() bool { return v.Kind() == '"' }

// IsNumber reports whether the value is a number, as counters are.
func (v Value) IsNumber() bool { return v.Kind() >= '0' && v.Kind() <= '9' }

// IsTrue reports whether a member is true.
func (v Value) IsTrue(path ...string) bool { return v.Member(path...).Kind() == 't' }

// Either returns the first of two members that is there.
func (v Value) Either(name, other string) Value {
	if one := v.Member(name); one != nil {
		return one
	}
	return v.Member(other)
}

// Has reports whether the value has all these members.
func (v Value) Has(names ...string) bool {
	for _, name := range names {
		if v.Member(name) == nil {
			return false
		}
	}
	return true
}

// Longer texts are cut, so that what is kept of a line is limited.
const (
	maxWord  = 512
	maxText  = 2 * todo.MaxText
	maxWords = 1000
)

// Word returns a string that is an id, a name or a state, or a number as it is written. Long ones
// stay different from each other.
func (v Value) Word(path ...string) Word {
	v = v.Member(path...)
	if !v.IsString() {
		if raw := v.Raw(); (v.IsNumber() || v.Kind() == '-') && len(raw) <= maxWord {
			return raw
		}
		return nil
	}
	raw := v.Raw()[1 : len(v.Raw())-1]
	if len(raw) > maxWord {
		h := fnv.New64a()
		h.Write(raw)
		return strconv.AppendUint(append(resolved(raw[:maxWord/2]), '-'), h.Sum64(), 36)
	}
	return plain(raw)
}

// Text returns a string for display; a number does not count. Of a long one the beginning and the last lines are kept.
func (v Value) Text(path ...string) Word {
	if v = v.Member(path...); !v.IsString() {
		return nil
	}
	raw := v.Raw()[1 : len(v.Raw())-1]
	if len(raw) > maxText {
		end := raw[lineBreak(raw, len(raw)-maxText/2):]
		return append(append(resolved(raw[:maxText]), "\n…"...), resolved(end)...)
	}
	return plain(raw)
}

// plain returns what a string means. One whose escape sequences are invalid counts as absent.
func plain(raw []byte) Word {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	if text, ok := unescaped(raw); ok {
		return text
	}
	return nil
}

// Words returns the strings and numbers of an array; other elements are left out.
func (v Value) Words(path ...string) (out []string) {
	for one := range v.Member(path...).Values('[') {
		if text := one.Word(); len(text) > 0 && len(out) < maxWords {
			out = append(out, string(text))
		}
	}
	return out
}

// Message returns the message of an error: a string in some programs, an object with a message in most.
func (v Value) Message() string {
	if v.IsString() {
		return string(v.Text())
	}
	return string(v.Text("message"))
}

// EmbeddedJSON returns the JSON that a string holds, of the size of a call at most; a value that is no
// string is itself JSON.
func (v Value) EmbeddedJSON() []byte {
	raw := v.Raw()
	if !v.IsString() || len(raw) > maxInput {
		return raw
	}
	inner, _ := unescaped(raw[1 : len(raw)-1])
	return bytes.TrimSpace(inner)
}

// List returns the list that a value is, or nil.
func (v Value) List() *native.List { return native.Read(v.Raw()) }

// The errors of a parser for a line that it cannot apply.
var (
	errNotJSON     = errors.New("not JSON")
	ErrUnknownType = errors.New("unknown type")         // a line of a known type that holds something of an unknown one
	ErrOtherAgent  = errors.New("another agent's line") // a line of a type that it knows, but that another agent wrote
)
