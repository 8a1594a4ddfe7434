// Package object reads and writes JSON objects one member at a time.
//
// The program reads a session document at every start, so it does not decode it by reflection,
// which costs more on a cold start than reading the file. The input must obey the strict rules
// of jsontext: no duplicate names, no invalid UTF-8. Members that the reader does not know are kept,
// so that an older program does not delete what a newer one wrote.
package object

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how deep a document may nest. Members that onward knows nest less; unknown ones are kept up to this depth.
const MaxDepth = 32

// ErrTooDeep marks a document that nests deeper.
var ErrTooDeep = errors.New("it nests deeper than 32")

// maxElements is how many values the arrays of a document may have in all, without those of unknown members.
// Only a document of tiny values has more, which would need many times its length in memory.
const maxElements = 200_000

// ErrTooMany marks a document that holds more.
var ErrTooMany = errors.New("its arrays hold more than 200000 values")

// Depth returns how deep a valid value nests.
// For invalid text the result may be too high, because brackets in comments count as well.
func Depth(text []byte) int {
	deepest, at, inString := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case c == '\n':
			inString = false // a string of JSON cannot contain this byte
		case inString:
		case c == '{' || c == '[':
			at++
			deepest = max(deepest, at)
		case c == '}' || c == ']':
			at--
		}
	}
	return deepest
}

// Reader reads values one after the other.
// Its first error is kept, and values read after it are zero, so callers check Err once.
type Reader struct {
	dec   *jsontext.Decoder
	err   error
	words []string // the strings that Interned has returned

	time     string // the last one that was read: the times of an item are mostly the same
	millis   int64  // the same in milliseconds
	elements int    // of all arrays so far
	missing  string // the first required member that was missing
	spare    *Fields
	strict   bool // an unknown member is an error
	lax      bool // a value of another type than expected counts as missing
}

// NewReader reads from a decoder.
func NewReader(dec *jsontext.Decoder) *Reader { return &Reader{dec: dec} }

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Missing returns the name of the first needed member that was not there, or an empty one.
func (r *Reader) Missing() string { return r.missing }

// Unread returns how many bytes of the text are not read yet.
func (r *Reader) Unread() int { return len(r.dec.UnreadBuffer()) }

// fail keeps the first error, with the place in the document.
func (r *Reader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = err
	}
}

// SetLenient makes a value of an unexpected kind count as missing, and half of a character as U+FFFD.
// Other programs write such values, and one member must not make the whole document unreadable.
func (r *Reader) SetLenient(is bool) { r.lax = is }

// Errorf reports the value that was just read as an error, with its position.
func (r *Reader) Errorf(format string, args ...any) {
	if r.lax {
		return
	}
	at := string(r.dec.StackPointer())
	if at == "" {
		at = "the document"
	}
	r.fail(fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...)))
}

// value reads the next value; nil after an error.
func (r *Reader) value() jsontext.Value {
	if r.err != nil {
		return nil
	}
	v, err := r.dec.ReadValue()
	if err != nil {
		r.fail(err)
		return nil
	}
	return v
}

// open reads the start of an object or array; null counts as a missing one.
func (r *Reader) open(kind jsontext.Kind, what string) bool {
	if r.err != nil || r.dec.PeekKind() != kind {
		r.scalar("", what) // accepts only null
		return false
	}
	_, err := r.dec.ReadToken()
	r.fail(err)
	return err == nil
}

// Object reads an object. For each member it calls member with the name, which reads the value or skips it.
func (r *Reader) Object(member func(name string)) {
	if !r.open('{', "an object") {
		return
	}
	for name, more := r.next(); more; name, more = r.next() {
		member(r.word(name))
	}
	r.close(nil, 0, nil)
}

// next reads the name of the next member, if there is one. The name is valid until the next value is read.
func (r *Reader) next() (name []byte, more bool) {
	if r.err != nil || r.dec.PeekKind() == '}' {
		return nil, false
	}
	raw := r.value()
	if raw == nil {
		return nil, false
	}
	name = raw[1 : len(raw)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		var err error
		name, err = jsontext.AppendUnquote(nil, raw)
		r.fail(err)
	}
	return name, r.err == nil
}

// appendUnknown adds the value of an unknown member to an object.
func (r *Reader) appendUnknown(rest jsontext.Value, name string) jsontext.Value {
	if value := r.any(); value != nil {
		return appendMember(rest, name, value)
	}
	return nil
}

// any reads a value of any kind, which may nest as deep as a document may; nil after an error.
func (r *Reader) any() jsontext.Value {
	v := r.value()
	if v != nil && r.dec.StackDepth()+Depth(v) > MaxDepth {
		r.fail(fmt.Errorf("%s: %w", r.dec.StackPointer(), ErrTooDeep))
		return nil
	}
	return v
}

// close reads the end of an object, and reports a required member that was not found.
func (r *Reader) close(rest jsontext.Value, found uint64, needed []string) jsontext.Value {
	if r.err == nil {
		if found != 1<<len(needed)-1 && r.missing == "" {
			r.missing = needed[bits.TrailingZeros64(^found)]
		}
		_, err := r.dec.ReadToken()
		r.fail(err)
	}
	if r.err != nil {
		return nil
	}
	if rest != nil {
		rest = append(rest, '}')
		r.fail(rest.Compact())
	}
	return rest
}

func appendMember(object jsontext.Value, name string, value jsontext.Value) jsontext.Value {
	if object == nil {
		object = append(object, '{')
	} else {
		object = append(object, ',')
	}
	object, _ = jsontext.AppendQuote(object, name)
	return append(append(object, ':'), value...)
}

// Skip reads a value and forgets it.
func (r *Reader) Skip() {
	if r.err == nil {
		r.fail(r.dec.SkipValue())
	}
}

// Null reads a null if it is the next value, and reports whether it was.
func (r *Reader) Null() bool {
	if r.err != nil || r.dec.PeekKind() != 'n' {
		return false
	}
	r.fail(r.dec.SkipValue())
	return true
}

// Array reads an array; element reads one value.
func (r *Reader) Array(element func()) {
	if !r.open('[', "an array") {
		return
	}
	for r.err == nil && r.dec.PeekKind() != ']' {
		if r.elements++; r.elements > maxElements {
			r.fail(fmt.Errorf("%s: %w", r.dec.StackPointer(), ErrTooMany))
			return
		}
		element()
	}
	if r.err == nil {
		_, err := r.dec.ReadToken()
		r.fail(err)
	}
}

// Raw reads any value unchanged. It may nest as deep as a document may.
func (r *Reader) Raw() jsontext.Value {
	v := r.any().Clone()
	if v != nil {
		r.fail(v.Compact())
	}
	return v
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	default:
		return k.String()
	}
}
