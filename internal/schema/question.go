package schema

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// Companion is the name of the program that links a library of JSON Schema. It reads a Question on standard input
// and writes an Answer, so that only the commands that hold arguments against schemas pay for the library.
const Companion = "onward-schema"

// Limits of what goes to the companion and of what comes back.
const (
	MaxQuestion = 48 << 20 // bytes; a document of calls and two files of declarations fit
	MaxAnswer   = 32 << 20 // bytes
	MaxProblem  = 500      // bytes of one problem, and of one place
	MaxIgnored  = 20       // keywords of one schema that are named as being without effect
)

// protocol is raised when a question or an answer changes its meaning.
const protocol = 1

// ErrProtocol marks a question or an answer that is not as it must be.
var ErrProtocol = errors.New("not what was agreed on")

// ErrVersion marks an answer of a companion that was not built with this program.
var ErrVersion = errors.New("another version")

// Question is what the companion is asked: whether schemas can be used, and whether values fit them.
type Question struct {
	Schemas []jsontext.Value
	Values  []Value
}

// Value is a value that is held against one of the schemas, which it names by its index.
type Value struct {
	Schema int
	Value  jsontext.Value
}

// Answer has a verdict on every schema and every value of a question, in their order.
// A value whose schema cannot be used has the verdict of the schema.
type Answer struct {
	Version string // of the companion
	Schemas []Verdict
	Values  []Verdict
}

// Verdict says what is wrong, and where; without a Problem nothing is.
type Verdict struct {
	At      string // names and indices with slashes between them; empty is the whole
	Problem string
	Ignored []string // of a schema: the places of keywords that are without effect, since its draft does not know them
}

// Err gives the verdict as an error, or nil.
func (v Verdict) Err() error {
	if v.Problem == "" {
		return nil
	}
	return problem(v.At, "%s", v.Problem)
}

// Encode writes a question.
func (q Question) Encode() []byte {
	w := object.NewWriter(1024)
	w.Open('{')
	w.Int("protocol", protocol)
	w.Name("schemas")
	w.Open('[')
	for _, s := range q.Schemas {
		w.Raw(s)
	}
	w.Close(']')
	w.Name("values")
	w.Open('[')
	for _, v := range q.Values {
		w.Open('{')
		w.Int("schema", v.Schema)
		w.Name("value")
		w.Raw(v.Value)
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	w.Line()
	return w.Bytes()
}

// DecodeQuestion reads a question. Bytes that are no UTF-8 and names that stand twice are errors.
func DecodeQuestion(data []byte) (Question, error) {
	var q Question
	err := decode(data, MaxQuestion, func(r *object.Reader, name string) bool {
		switch name {
		case "schemas":
			r.Array(func() { q.Schemas = append(q.Schemas, r.Raw()) })
		case "values":
			r.Array(func() {
				v := Value{Schema: -1}
				rest := r.Object(func(name string) bool {
					switch name {
					case "schema":
						v.Schema = r.Int()
					case "value":
						v.Value = r.Raw()
					default:
						return false
					}
					return true
				})
				if r.Err() == nil && (rest != nil || v.Value == nil) {
					r.Refuse("a value has a schema and a value, and nothing else")
				}
				q.Values = append(q.Values, v)
			})
		default:
			return false
		}
		return true
	})
	for _, v := range q.Values {
		if err == nil && (v.Schema < 0 || v.Schema >= len(q.Schemas)) {
			err = fmt.Errorf("%w: there is no schema %d", ErrProtocol, v.Schema)
		}
	}
	return q, err
}

// Encode writes an answer.
func (a Answer) Encode() []byte {
	w := object.NewWriter(1024)
	w.Open('{')
	w.Int("protocol", protocol)
	w.String("version", a.Version)
	for _, list := range []struct {
		name     string
		verdicts []Verdict
	}{{"schemas", a.Schemas}, {"values", a.Values}} {
		w.Name(list.name)
		w.Open('[')
		for _, v := range list.verdicts {
			w.Open('{')
			w.Bool("ok", v.Problem == "")
			w.SomeString("at", v.At)
			w.SomeString("problem", v.Problem)
			w.SomeStrings("ignored", v.Ignored)
			w.Close('}')
		}
		w.Close(']')
	}
	w.Close('}')
	w.Line()
	return w.Bytes()
}

// DecodeAnswer reads the answer to a question. It must come from a companion of this version
// and have a verdict on everything that was asked: one that is missing must never count as good.
func DecodeAnswer(data []byte, q Question, version string) (Answer, error) {
	var a Answer
	err := decode(data, MaxAnswer, func(r *object.Reader, name string) bool {
		switch name {
		case "version":
			a.Version = r.String()
		case "schemas":
			a.Schemas = readVerdicts(r)
		case "values":
			a.Values = readVerdicts(r)
		default:
			return false
		}
		return true
	})
	switch {
	case err != nil:
		return Answer{}, err
	case a.Version != version:
		return Answer{}, fmt.Errorf("%w: it is of version %q, this is version %q", ErrVersion, a.Version, version)
	case len(a.Schemas) != len(q.Schemas) || len(a.Values) != len(q.Values):
		return Answer{}, fmt.Errorf("%w: %d and %d verdicts on %d schemas and %d values", ErrProtocol, len(a.Schemas), len(a.Values), len(q.Schemas), len(q.Values))
	}
	return a, nil
}

func readVerdicts(r *object.Reader) []Verdict {
	var list []Verdict
	r.Array(func() {
		var v Verdict
		ok := false
		r.Object(func(name string) bool {
			switch name {
			case "ok":
				ok = r.Bool()
			case "at":
				v.At = r.String()
			case "problem":
				v.Problem = r.String()
			case "ignored":
				v.Ignored = r.Strings()
			default:
				return false
			}
			return true
		})
		if r.Err() == nil && ok != (v.Problem == "") {
			r.Refuse("a verdict is either good or has a problem")
		}
		list = append(list, v)
	})
	return list
}

// decode reads one object of the protocol. What is not known in it is an error.
func decode(data []byte, limit int, member func(r *object.Reader, name string) bool) error {
	if len(data) > limit {
		return fmt.Errorf("%w: more than %d bytes", ErrProtocol, limit)
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	r := object.NewReader(dec)
	spoken := 0
	rest := r.Object(func(name string) bool {
		if name == "protocol" {
			spoken = r.Int()
			return true
		}
		return member(r, name)
	})
	switch {
	case r.Err() != nil:
		return fmt.Errorf("%w: %w", ErrProtocol, r.Err())
	case spoken != protocol:
		return fmt.Errorf("%w: protocol %d, and not %d", ErrVersion, spoken, protocol)
	case rest != nil:
		return fmt.Errorf("%w: members that are not known: %s", ErrProtocol, rest)
	case len(bytes.TrimSpace(data[dec.InputOffset():])) > 0:
		return fmt.Errorf("%w: something stands behind the object", ErrProtocol)
	}
	return nil
}
