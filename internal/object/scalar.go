package object

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// scalar reads a value of one of these kinds; it returns nil for null and after an error.
func (r *Reader) scalar(kinds, what string) jsontext.Value {
	v := r.value()
	switch {
	case v == nil, v.Kind() == 'n':
	case strings.IndexByte(kinds, byte(v.Kind())) >= 0:
		return v
	default:
		r.Errorf("%s where %s belongs", kindName(v.Kind()), what)
	}
	return nil
}

// text reads the bytes of a string, which are valid until the next value is read.
func (r *Reader) text() []byte {
	v := r.scalar(`"`, "a string")
	if v == nil {
		return nil
	}
	if inner := v[1 : len(v)-1]; !r.lax && bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if !r.lax { // a lenient reader accepts half of a character, as U+FFFD
		r.fail(err)
	}
	return s
}

// String reads a string.
func (r *Reader) String() string { return string(r.text()) }

// interned reads a string that is one of a few, such as a status. Equal ones share their memory.
func (r *Reader) interned() string { return r.word(r.text()) }

// word returns a text as a string. Equal texts share one string, as long as there are few.
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

// int reads a whole number that is not negative.
func (r *Reader) int() int { return int(r.uint64() & (1<<62 - 1)) }

// uint64 reads a whole number that is not negative.
func (r *Reader) uint64() uint64 {
	v := r.scalar("0", "a number")
	if v == nil {
		return 0
	}
	n, err := strconv.ParseUint(string(v), 10, 62)
	if err != nil {
		r.Errorf("%s is not a whole number in range", v)
	}
	return n
}

// integer reads a whole number of 32 bits, which may be negative.
func (r *Reader) integer() int {
	v := r.scalar("0", "a number")
	if v == nil {
		return 0
	}
	n, err := strconv.ParseInt(string(v), 10, 32)
	if err != nil {
		r.Errorf("%s is not a whole number in range", v)
	}
	return int(n)
}

// Bool reads true or false.
func (r *Reader) Bool() bool { return string(r.scalar("tf", "true or false")) == "true" }

// Millis reads an RFC 3339 time as milliseconds since the Unix epoch; null and the empty text are 0.
func (r *Reader) Millis() int64 {
	text := r.text()
	if len(text) == 0 {
		return 0
	}
	if string(text) == r.time {
		return r.millis
	}
	var at time.Time
	err := at.UnmarshalText(text) // quicker, but stricter
	if err != nil {
		at, err = time.Parse(time.RFC3339, string(text))
	}
	// With its offset, the time may be in a year that the form of files cannot write.
	if year := at.UTC().Year(); err != nil || year < 1 || year > 9999 {
		r.Errorf("%q is not an RFC 3339 time", text)
		return 0
	}
	r.time, r.millis = string(text), at.UnixMilli()
	return r.millis
}
