package hook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// MaxInput is how many bytes of an event are read; a longer one is no event for us.
const MaxInput = 1 << 20

// payload is an object that an agent sent. Its members are found by name whatever their style:
// session_id, sessionId and SessionID are the same. What is missing or of another kind is zero.
type payload []member

type member struct {
	name  string
	value value
}

// value is a JSON text; an empty one is none.
type value jsontext.Value

// lenient lets through what agents are known to send: text that was cut within a character.
func lenient() []jsontext.Options {
	return []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}
}

// readPayload reads the one object that an event is.
func readPayload(data []byte) (payload, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	d := jsontext.NewDecoder(bytes.NewBuffer(slices.Clip(data)), lenient()...)
	if kind := d.PeekKind(); kind != jsontext.KindBeginObject {
		_, err := d.ReadToken()
		switch {
		case err == nil:
			return nil, errors.New("read the event: it is not a JSON object")
		case errors.Is(err, io.EOF) && len(bytes.TrimSpace(data)) == 0:
			return nil, errors.New("read the event: standard input is empty")
		}
		return nil, fmt.Errorf("read the event: %w", err)
	}
	p, err := members(d, data)
	if err == nil {
		if _, err = d.ReadToken(); errors.Is(err, io.EOF) {
			return p, nil
		}
		if err == nil {
			err = errors.New("something stands behind the object")
		}
	}
	return nil, fmt.Errorf("read the event: %w", err)
}

// members reads an object member by member; the values are parts of data.
func members(d *jsontext.Decoder, data []byte) (payload, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	var p payload
	for d.PeekKind() != jsontext.KindEndObject {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := member{name: name.String()}
		v, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		end := d.InputOffset()
		m.value = data[end-int64(len(v)) : end]
		p = append(p, m)
	}
	_, err := d.ReadToken()
	return p, err
}

// get gives the first member that has one of the names and is not null. The names are in lower case with underscores.
func (p payload) get(names ...string) value {
	for _, name := range names {
		for _, m := range p {
			if object.SameName(m.name, name) && string(m.value) != "null" {
				return m.value
			}
		}
	}
	return nil
}

func (p payload) text(names ...string) string { return p.get(names...).text() }

// prose gives the first text for people: a string, not a number.
func (p payload) prose(names ...string) string {
	for _, name := range names {
		if v := p.get(name); v.kind() == jsontext.KindString {
			return v.text()
		}
	}
	return ""
}

func (p payload) object(names ...string) payload { return p.get(names...).object() }
func (p payload) list(names ...string) []value   { return p.get(names...).list() }
func (p payload) flag(names ...string) bool      { return string(p.get(names...)) == "true" }

// number gives a number, or nil.
func (p payload) number(names ...string) *float64 {
	v := p.get(names...)
	if v.kind() != jsontext.KindNumber {
		return nil
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return nil
	}
	return &n
}

// count gives a number of things, or nil.
func (p payload) count(names ...string) *int {
	n := p.number(names...)
	if n == nil || *n < 0 || *n > 1_000_000 {
		return nil
	}
	whole := int(*n)
	return &whole
}

func (v value) kind() jsontext.Kind { return jsontext.Value(v).Kind() }

// text gives a string; a number, as some ids are, is one too.
func (v value) text() string {
	switch v.kind() {
	case jsontext.KindString:
		// What is no character becomes U+FFFD; the error says only that.
		s, _ := jsontext.AppendUnquote(nil, []byte(v))
		return strings.ToValidUTF8(string(s), "\uFFFD")
	case jsontext.KindNumber:
		return string(v)
	}
	return ""
}

// object gives the members of an object. Some agents send an object as a string with JSON in it.
func (v value) object() payload {
	if v.kind() == jsontext.KindString {
		inner := strings.TrimSpace(v.text())
		if !strings.HasPrefix(inner, "{") {
			return nil
		}
		v = value(inner)
	}
	if v.kind() != jsontext.KindBeginObject {
		return nil
	}
	p, err := members(jsontext.NewDecoder(bytes.NewBuffer(slices.Clip(v)), lenient()...), v)
	if err != nil {
		return nil
	}
	return p
}

// list gives the elements of an array.
func (v value) list() []value {
	if v.kind() != jsontext.KindBeginArray {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(slices.Clip(v)), lenient()...)
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	var out []value
	for d.PeekKind() != jsontext.KindEndArray {
		e, err := d.ReadValue()
		if err != nil {
			return nil
		}
		end := d.InputOffset()
		out = append(out, v[end-int64(len(e)):end])
	}
	return out
}
