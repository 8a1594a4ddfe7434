package object

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// scalar reads a value of one kind; null and what follows an error are nil.
func (r *Reader) scalar(kind jsontext.Kind, what string) jsontext.Value {
	if r.err != nil {
		return nil
	}
	v, err := r.dec.ReadValue()
	switch {
	case err != nil:
		r.fail(err)
	case v.Kind() == 'n':
	case v.Kind() == kind:
		return v
	default:
		r.Refuse("%s where %s belongs", kindName(v.Kind()), what)
	}
	return nil
}

// String reads a string.
func (r *Reader) String() string {
	v := r.scalar('"', "a string")
	if v == nil {
		return ""
	}
	if inner := v[1 : len(v)-1]; !escaped(inner) && !r.lax {
		return string(inner)
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if r.lax {
		return strings.ToValidUTF8(string(s), "\uFFFD")
	}
	r.fail(err)
	return string(s)
}

// Word reads a string that is one of a few, such as a status: each is kept in memory once.
func (r *Reader) Word() string {
	v := r.scalar('"', "a string")
	if v == nil {
		return ""
	}
	if inner := v[1 : len(v)-1]; !escaped(inner) {
		return r.word(inner)
	}
	s, err := jsontext.AppendUnquote(nil, v)
	r.fail(err)
	return string(s)
}

// word returns a text as a string, the same one for the same text where there are few.
func (r *Reader) word(text []byte) string {
	for _, known := range r.words {
		if string(text) == known {
			return known
		}
	}
	word := string(text)
	if len(r.words) < 64 && len(word) <= 64 {
		r.words = append(r.words, word)
	}
	return word
}

func escaped(v []byte) bool { return bytes.IndexByte(v, '\\') >= 0 }

// Strings reads an array of strings.
func (r *Reader) Strings() []string {
	var out []string
	r.Array(func() { out = append(out, r.String()) })
	return out
}

// Int reads a whole number that is not negative.
func (r *Reader) Int() int { return int(r.Uint64() & (1<<62 - 1)) }

// Uint64 reads a whole number that is not negative.
func (r *Reader) Uint64() uint64 {
	v := r.scalar('0', "a number")
	if v == nil {
		return 0
	}
	n, err := strconv.ParseUint(string(v), 10, 62)
	if err != nil {
		r.Refuse("%s is not a whole number in range", v)
	}
	return n
}

// Integer reads a whole number of 32 bits, which may be negative.
func (r *Reader) Integer() int {
	v := r.scalar('0', "a number")
	if v == nil {
		return 0
	}
	n, err := strconv.ParseInt(string(v), 10, 32)
	if err != nil {
		r.Refuse("%s is not a whole number in range", v)
	}
	return int(n)
}

// Bool reads true or false.
func (r *Reader) Bool() bool {
	if r.err != nil {
		return false
	}
	v, err := r.dec.ReadValue()
	if err != nil {
		r.fail(err)
		return false
	}
	switch v.Kind() {
	case 't':
		return true
	case 'f', 'n':
	default:
		r.Refuse("%s where true or false belongs", kindName(v.Kind()))
	}
	return false
}

// Millis reads an RFC 3339 time as milliseconds since the Unix epoch; none is 0.
func (r *Reader) Millis() int64 {
	v := r.scalar('"', "a string")
	if len(v) <= 2 {
		return 0
	}
	var buffer [64]byte
	s, err := jsontext.AppendUnquote(buffer[:0], v)
	r.fail(err)
	at, err := time.Parse(time.RFC3339, string(s))
	// An offset can lead out of the years that the form can write.
	if year := at.UTC().Year(); err != nil || year < 1 || year > 9999 {
		r.Refuse("%s is not an RFC 3339 time", v)
		return 0
	}
	return at.UnixMilli()
}
