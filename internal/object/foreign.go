package object

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Members are the members of an object that another program wrote. They are found by name in any style:
// session_id, sessionId and SessionID are the same. A member that is missing or of another type is zero.
type Members []Member

// Member is a member of an object.
type Member struct {
	Name  string
	Value Value
}

// Value is a JSON text of another program; empty if there is none.
type Value []byte

// errNoObject is a JSON text of another kind.
var errNoObject = errors.New("it is not a JSON object")

// maxForeign is how many members of an object, or elements of an array, are looked at.
const maxForeign = 1 << 16

// lenient accepts text that was cut within a character, which programs are known to send.
func lenient(data []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(slices.Clip(data)), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// ReadMembers reads a text that is one object. The values are parts of it.
func ReadMembers(data []byte) (Members, error) {
	d := lenient(data)
	token, err := d.ReadToken()
	switch {
	case err != nil:
		return nil, err
	case token.Kind() != '{':
		return nil, errNoObject
	}
	var p Members
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := Member{Name: name.String()}
		if m.Value, err = nextPart(d, data); err != nil {
			return nil, err
		}
		if len(p) < maxForeign {
			p = append(p, m)
		}
	}
	if _, err = d.ReadToken(); err != nil {
		return nil, err
	}
	return p, CheckEnd(data, d)
}

// Get returns the first member that has one of the names and is not null. The names are in lower case with underscores.
func (p Members) Get(names ...string) Value {
	for _, name := range names {
		for _, m := range p {
			if SameName(m.Name, name) && string(m.Value) != "null" {
				return m.Value
			}
		}
	}
	return nil
}

// SameName compares names without regard to case, underscores, dashes and spaces.
func SameName(a, b string) bool {
	for {
		a, b = strings.TrimLeft(a, "_- "), strings.TrimLeft(b, "_- ")
		if a == "" || b == "" {
			return a == b
		}
		if lower(a[0]) != lower(b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Text returns a string, or the digits of a number, because some ids are numbers.
func (p Members) Text(names ...string) string { return p.Get(names...).Text() }

// Prose returns the first text for display: a string, not a number.
func (p Members) Prose(names ...string) string {
	for _, name := range names {
		if v := p.Get(name); v.Kind() == '"' {
			return v.Text()
		}
	}
	return ""
}

// Object returns the members of an object.
func (p Members) Object(names ...string) Members { return p.Get(names...).Object() }

// List returns the elements of an array.
func (p Members) List(names ...string) []Value { return p.Get(names...).List() }

// Texts returns the strings and numbers of an array.
func (p Members) Texts(names ...string) (texts []string) {
	for _, v := range p.List(names...) {
		if text := v.Text(); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// Flag reports whether a member is true.
func (p Members) Flag(names ...string) bool { return string(p.Get(names...)) == "true" }

// Number returns a number, or nil.
func (p Members) Number(names ...string) *float64 {
	v := p.Get(names...)
	if v.Kind() != '0' {
		return nil
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return nil
	}
	return &n
}

// Count returns a number from 0 to a million, rounded down, or nil.
func (p Members) Count(names ...string) *int {
	n := p.Number(names...)
	if n == nil || *n < 0 || *n > 1_000_000 {
		return nil
	}
	return new(int(*n))
}

// Kind returns the kind of the value, 0 if there is none.
func (v Value) Kind() jsontext.Kind { return jsontext.Value(v).Kind() }

// Text returns a string, or the digits of a number, because some ids are numbers.
func (v Value) Text() string {
	switch v.Kind() {
	case '"':
		// Invalid characters become U+FFFD; the error reports only that.
		s, _ := jsontext.AppendUnquote(nil, []byte(v))
		return string(s)
	case '0':
		return string(v)
	}
	return ""
}

// Object returns the members of an object. Some agents send an object as a string with JSON in it.
func (v Value) Object() Members {
	if v.Kind() == '"' {
		v = Value(strings.TrimSpace(v.Text()))
	}
	p, err := ReadMembers(v)
	if err != nil {
		return nil
	}
	return p
}

// List returns the elements of an array.
func (v Value) List() (out []Value) {
	if v.Kind() != '[' {
		return nil
	}
	d := lenient(v)
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	for d.PeekKind() != ']' && len(out) < maxForeign {
		e, err := nextPart(d, v)
		if err != nil {
			return nil
		}
		out = append(out, e)
	}
	return out
}

// nextPart reads the next value as a slice of the text, because the decoder reuses the memory of its own values.
func nextPart(d *jsontext.Decoder, text []byte) (Value, error) {
	v, err := d.ReadValue()
	end := d.InputOffset()
	return text[end-int64(len(v)) : end], err
}
