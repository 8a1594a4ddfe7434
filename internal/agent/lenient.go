package agent

import (
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The types here take a member as it comes: of the kind that is expected, or as good as absent.
// Agents change their streams without notice, and one member of another kind must not cost the whole line.

// word is a string. A number is taken as written, because some agents number their items.
type word string

func (w *word) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*w = ""
	switch d.PeekKind() {
	case jsontext.KindString:
		t, err := d.ReadToken()
		if err != nil {
			return err
		}
		*w = word(t.String())
		return nil
	case jsontext.KindNumber:
		v, err := d.ReadValue()
		*w = word(v)
		return err
	}
	return d.SkipValue()
}

// truth is a boolean; what is not true is false.
type truth bool

func (f *truth) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*f = d.PeekKind() == jsontext.KindTrue
	return d.SkipValue()
}

// words is an array of strings and numbers; other elements are left out.
type words []string

func (w *words) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*w = nil
	return eachElement(d, func() error {
		var one word
		if err := one.UnmarshalJSONFrom(d); err != nil {
			return err
		}
		if one != "" {
			*w = append(*w, string(one))
		}
		return nil
	})
}

// eachElement calls read at each element of an array, which must consume it.
// A value of another kind is skipped.
func eachElement(d *jsontext.Decoder, read func() error) error {
	if d.PeekKind() != jsontext.KindBeginArray {
		return d.SkipValue()
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != jsontext.KindEndArray {
		if err := read(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// objects decodes the objects of an array; other elements are left out.
func objects[T any](d *jsontext.Decoder, out *[]T) error {
	*out = nil
	return eachElement(d, func() error {
		if d.PeekKind() != jsontext.KindBeginObject {
			return d.SkipValue()
		}
		var one T
		err := json.UnmarshalDecode(d, &one)
		*out = append(*out, one)
		return err
	})
}

// objectAs decodes a value of which only an object is of interest.
func objectAs[T any](v jsontext.Value) (T, bool) {
	var out T
	if len(v) == 0 || v.Kind() != jsontext.KindBeginObject {
		return out, false
	}
	err := decode(v, &out, false)
	return out, err == nil
}

// textOf decodes a string.
func textOf(v jsontext.Value) (string, bool) {
	k := walker{b: v}
	if text, ok := k.raw(); ok && k.done() && utf8.Valid(text) {
		if plain, ok := unescaped(text); ok {
			return string(plain), true
		}
	}
	var text string
	err := json.Unmarshal(v, &text)
	return text, err == nil
}

// objectOrNothing decodes an object; a value of another kind leaves out as it was.
func objectOrNothing[T any](d *jsontext.Decoder, out *T) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		return d.SkipValue()
	}
	return json.UnmarshalDecode(d, out)
}

// errUnknownType is what a parser gives for a line of a known type that holds something of an unknown one.
var errUnknownType = errors.New("unknown type")

// errForeign is what a parser gives for a line of a type that it knows, but that another agent wrote.
var errForeign = errors.New("another agent's line")

// badShape reports that a line is JSON, but not what its agent writes.
func badShape(err error) bool {
	if errors.Is(err, errUnknownType) || errors.Is(err, errForeign) {
		return true
	}
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return false
	}
	var syntactic *jsontext.SyntacticError
	return !errors.As(err, &syntactic)
}
