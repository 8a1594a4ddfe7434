// Package schema holds the arguments of a tool against the JSON Schema that its declaration gives.
//
// What is built in knows the keywords that declarations of tools use, and refuses a schema with any other,
// so that nothing in a schema is silently without effect. The libraries that know all of JSON Schema
// add a tenth or more to every start of the program, called or not. So one of them is linked by a companion,
// which judges where it is installed; what it is asked and what it answers stands here too.
// A test of the companion compares the two.
package schema

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrSchema marks a schema that cannot be used.
var ErrSchema = errors.New("bad schema")

// maxDepth bounds how deep schemas may nest or refer to each other.
const maxDepth = 64

// Schema is a compiled schema. A nil one of a keyword says nothing.
type Schema struct {
	never bool // the schema `false`
	ref   string
	types []string
	enum  []any // nil: anything
	fixed []any // the one value of const

	properties    map[string]*Schema
	patterns      []patterned
	additional    *Schema
	propertyNames *Schema
	required      []string
	dependent     map[string][]string

	prefix   []*Schema
	items    *Schema
	contains *Schema
	unique   bool

	pattern  *regexp.Regexp
	limits   []limit
	multiple float64

	allOf, anyOf, oneOf []*Schema
	not, when           *Schema
	then, otherwise     *Schema

	root *root
}

type patterned struct {
	name   *regexp.Regexp
	schema *Schema
}

// limit is one bound on a number, a length or a count.
type limit struct {
	keyword string
	bound   float64
}

// root resolves references within one document.
type root struct {
	document any
	known    map[string]*Schema
}

// Compile reads a schema; an empty one accepts everything.
func Compile(raw jsontext.Value) (*Schema, error) {
	if len(raw) == 0 {
		return &Schema{}, nil
	}
	document, err := Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	r := &root{document: document, known: map[string]*Schema{}}
	s, err := r.compile(document, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	return s, nil
}

// Decode reads a value as the checks see it. Numbers are floating point.
func Decode(raw jsontext.Value) (any, error) {
	var v any
	err := json.Unmarshal(raw, &v)
	var unfit *json.SemanticError
	if errors.As(err, &unfit) {
		// Any JSON fits, but for a number without a nearest one.
		return nil, problem(string(unfit.JSONPointer), "the number is too large")
	}
	return v, err
}

// lookup finds the schema that a reference within the document means.
func (r *root) lookup(ref string, depth int) (*Schema, error) {
	if s, ok := r.known[ref]; ok {
		return s, nil
	}
	at := r.document
	pointer, local := strings.CutPrefix(ref, "#")
	if !local || pointer != "" && pointer[0] != '/' {
		return nil, fmt.Errorf("$ref %q leads out of the schema", ref)
	}
	if pointer != "" {
		for name := range strings.SplitSeq(pointer[1:], "/") {
			name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
			m, ok := at.(map[string]any)
			if !ok || m[name] == nil {
				return nil, fmt.Errorf("$ref %q leads nowhere", ref)
			}
			at = m[name]
		}
	}
	// It is entered before it is filled, so that a schema may refer to itself.
	s := &Schema{root: r}
	r.known[ref] = s
	full, err := r.compile(at, depth+1)
	if err != nil {
		return nil, err
	}
	*s = *full
	return s, nil
}

func (r *root) compile(v any, depth int) (*Schema, error) {
	if depth > maxDepth {
		return nil, errors.New("it nests deeper than 64")
	}
	switch v := v.(type) {
	case bool:
		return &Schema{never: !v, root: r}, nil
	case map[string]any:
		s := &Schema{root: r}
		for _, keyword := range slices.Sorted(maps.Keys(v)) {
			if err := s.keyword(keyword, v[keyword], depth+1); err != nil {
				return nil, err
			}
		}
		return s, nil
	}
	return nil, errors.New("a schema is an object, true or false")
}

// keyword takes in one member of a schema.
func (s *Schema) keyword(name string, v any, depth int) (err error) {
	one := func(to **Schema) {
		*to, err = s.root.compile(v, depth)
	}
	switch name {
	case "$schema", "$id", "$comment", "$anchor", "title", "description", "default", "examples", "format",
		"deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType":
		// They describe, and refuse nothing.
	case "$defs", "definitions":
		_, err = s.named(v, depth)
	case "$ref":
		ref, ok := v.(string)
		if !ok {
			return wrong(name, "a string")
		}
		s.ref = ref
		_, err = s.root.lookup(ref, depth)
	case "type":
		s.types, err = words(name, v)
	case "enum":
		list, ok := v.([]any)
		if !ok {
			return wrong(name, "an array")
		}
		s.enum = append([]any{}, list...)
	case "const":
		s.fixed = []any{v}
	case "properties":
		s.properties, err = s.named(v, depth)
	case "patternProperties":
		err = s.patternProperties(v, depth)
	case "additionalProperties":
		one(&s.additional)
	case "propertyNames":
		one(&s.propertyNames)
	case "required":
		s.required, err = words(name, v)
	case "dependentRequired":
		m, ok := v.(map[string]any)
		if !ok {
			return wrong(name, "an object")
		}
		s.dependent = map[string][]string{}
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if s.dependent[key], err = words(name, m[key]); err != nil {
				return err
			}
		}
	case "prefixItems":
		s.prefix, err = s.list(name, v, depth)
	case "items":
		one(&s.items)
	case "contains":
		one(&s.contains)
	case "uniqueItems":
		on, ok := v.(bool)
		if !ok {
			return wrong(name, "true or false")
		}
		s.unique = on
	case "pattern":
		text, ok := v.(string)
		if !ok {
			return wrong(name, "a string")
		}
		if s.pattern, err = regexp.Compile(text); err != nil {
			return fmt.Errorf("pattern: %w", err)
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		bound, ok := v.(float64)
		if !ok {
			return wrong(name, "a number")
		}
		s.limits = append(s.limits, limit{name, bound})
	case "multipleOf":
		n, ok := v.(float64)
		if !ok || n <= 0 {
			return wrong(name, "a number above 0")
		}
		s.multiple = n
	case "allOf":
		s.allOf, err = s.list(name, v, depth)
	case "anyOf":
		s.anyOf, err = s.list(name, v, depth)
	case "oneOf":
		s.oneOf, err = s.list(name, v, depth)
	case "not":
		one(&s.not)
	case "if":
		one(&s.when)
	case "then":
		one(&s.then)
	case "else":
		one(&s.otherwise)
	default:
		return fmt.Errorf("the keyword %q is not known", name)
	}
	return err
}

func (s *Schema) named(v any, depth int) (map[string]*Schema, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("named schemas stand in an object")
	}
	out := make(map[string]*Schema, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		sub, err := s.root.compile(m[name], depth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = sub
	}
	return out, nil
}

func (s *Schema) patternProperties(v any, depth int) error {
	named, err := s.named(v, depth)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		pattern, err := regexp.Compile(name)
		if err != nil {
			return fmt.Errorf("patternProperties: %w", err)
		}
		s.patterns = append(s.patterns, patterned{pattern, named[name]})
	}
	return nil
}

func (s *Schema) list(name string, v any, depth int) ([]*Schema, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, wrong(name, "an array of schemas")
	}
	out := make([]*Schema, len(list))
	for i := range list {
		var err error
		if out[i], err = s.root.compile(list[i], depth); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// words reads a string, or an array of strings.
func words(name string, v any) ([]string, error) {
	if one, ok := v.(string); ok && name == "type" {
		v = []any{one}
	}
	list, ok := v.([]any)
	if !ok {
		return nil, wrong(name, "an array of strings")
	}
	out := make([]string, len(list))
	for i := range list {
		if out[i], ok = list[i].(string); !ok {
			return nil, wrong(name, "an array of strings")
		}
		if name == "type" && !strings.Contains(" null boolean number integer string array object ", " "+out[i]+" ") {
			return nil, fmt.Errorf("type: %q is no type", out[i])
		}
	}
	return out, nil
}

func wrong(keyword, want string) error { return fmt.Errorf("%s must be %s", keyword, want) }
