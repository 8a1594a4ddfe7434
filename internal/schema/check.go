package schema

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Check holds a value against the schema. Its error names the first place that does not fit.
func (s *Schema) Check(v any) error { return s.check(v, "", 0) }

// problem is what does not fit, and where.
func problem(at, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if at == "" {
		return errors.New(text)
	}
	return errors.New(strings.TrimPrefix(at, "/") + ": " + text)
}

func (s *Schema) check(v any, at string, depth int) error {
	if depth > maxDepth {
		return problem(at, "the schema refers to itself without end")
	}
	if s.never {
		return problem(at, "nothing is allowed here")
	}
	if s.ref != "" {
		target, err := s.root.lookup(s.ref, 0)
		if err == nil {
			err = target.check(v, at, depth+1)
		}
		if err != nil {
			return err
		}
	}
	if s.types != nil && !slices.ContainsFunc(s.types, func(t string) bool { return isType(v, t) }) {
		return problem(at, "%s is not %s", show(v), article(strings.Join(s.types, " or ")))
	}
	if s.enum != nil && !slices.ContainsFunc(s.enum, func(e any) bool { return reflect.DeepEqual(e, v) }) {
		return problem(at, "%s is not one of %s", show(v), show(s.enum))
	}
	if s.fixed != nil && !reflect.DeepEqual(s.fixed[0], v) {
		return problem(at, "%s is not %s", show(v), show(s.fixed[0]))
	}
	for _, l := range s.limits {
		if err := l.check(v, at); err != nil {
			return err
		}
	}
	var err error
	switch v := v.(type) {
	case map[string]any:
		err = s.checkObject(v, at, depth+1)
	case []any:
		err = s.checkArray(v, at, depth+1)
	case string:
		if s.pattern != nil && !s.pattern.MatchString(v) {
			err = problem(at, "%s does not match the pattern %s", show(v), s.pattern)
		}
	case float64:
		if s.multiple > 0 && !isMultiple(v, s.multiple) {
			err = problem(at, "%s is no multiple of %v", show(v), s.multiple)
		}
	}
	if err != nil {
		return err
	}
	return s.checkLogic(v, at, depth+1)
}

func (s *Schema) checkObject(v map[string]any, at string, depth int) error {
	for _, name := range s.required {
		if _, ok := v[name]; !ok {
			return problem(at, "%q is missing", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.dependent)) {
		if _, given := v[name]; !given {
			continue
		}
		for _, other := range s.dependent[name] {
			if _, ok := v[other]; !ok {
				return problem(at, "%q is missing, which %q needs", other, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		place := at + "/" + name
		if s.propertyNames != nil {
			if err := s.propertyNames.check(name, place, depth); err != nil {
				return err
			}
		}
		sub, known := s.properties[name]
		if known {
			if err := sub.check(v[name], place, depth); err != nil {
				return err
			}
		}
		for _, p := range s.patterns {
			if !p.name.MatchString(name) {
				continue
			}
			known = true
			if err := p.schema.check(v[name], place, depth); err != nil {
				return err
			}
		}
		if known || s.additional == nil {
			continue
		}
		if s.additional.never {
			return problem(at, "%q is not among the parameters", name)
		}
		if err := s.additional.check(v[name], place, depth); err != nil {
			return err
		}
	}
	return nil
}

func (s *Schema) checkArray(v []any, at string, depth int) error {
	found := s.contains == nil
	for i := range v {
		place := at + "/" + strconv.Itoa(i)
		sub := s.items
		if i < len(s.prefix) {
			sub = s.prefix[i]
		}
		if sub != nil {
			if err := sub.check(v[i], place, depth); err != nil {
				return err
			}
		}
		found = found || s.contains.check(v[i], place, depth) == nil
		if s.unique && slices.ContainsFunc(v[:i], func(e any) bool { return reflect.DeepEqual(e, v[i]) }) {
			return problem(place, "%s stands twice", show(v[i]))
		}
	}
	if !found {
		return problem(at, "no element is as the schema wants one to be")
	}
	return nil
}

// checkLogic takes the schemas that are joined by words.
func (s *Schema) checkLogic(v any, at string, depth int) error {
	for _, sub := range s.allOf {
		if err := sub.check(v, at, depth); err != nil {
			return err
		}
	}
	fits := func(list []*Schema) (n int, first error) {
		for _, sub := range list {
			if err := sub.check(v, at, depth); err == nil {
				n++
			} else if first == nil {
				first = err
			}
		}
		return n, first
	}
	if n, why := fits(s.anyOf); s.anyOf != nil && n == 0 {
		return why
	}
	if n, why := fits(s.oneOf); s.oneOf != nil && n == 0 {
		return why
	} else if n > 1 {
		return problem(at, "%s fits %d of the forms where it must fit one", show(v), n)
	}
	if s.not != nil && s.not.check(v, at, depth) == nil {
		return problem(at, "%s is what it must not be", show(v))
	}
	branch := s.otherwise
	if s.when == nil {
		return nil
	} else if s.when.check(v, at, depth) == nil {
		branch = s.then
	}
	if branch == nil {
		return nil
	}
	return branch.check(v, at, depth)
}

// check holds what the limit is about against it; it says nothing of values of other types.
func (l limit) check(v any, at string) error {
	var n float64
	what := ""
	switch v := v.(type) {
	case float64:
		if !strings.HasSuffix(strings.ToLower(l.keyword), "imum") {
			return nil
		}
		n = v
	case string:
		if !strings.HasSuffix(l.keyword, "Length") {
			return nil
		}
		n, what = float64(utf8.RuneCountInString(v)), " characters"
	case []any:
		if !strings.HasSuffix(l.keyword, "Items") {
			return nil
		}
		n, what = float64(len(v)), " elements"
	case map[string]any:
		if !strings.HasSuffix(l.keyword, "Properties") {
			return nil
		}
		n, what = float64(len(v)), " members"
	default:
		return nil
	}
	ok, word := n >= l.bound, "at least"
	switch {
	case l.keyword == "exclusiveMinimum":
		ok, word = n > l.bound, "more than"
	case l.keyword == "exclusiveMaximum":
		ok, word = n < l.bound, "less than"
	case strings.HasPrefix(l.keyword, "max"):
		ok, word = n <= l.bound, "at most"
	}
	if ok {
		return nil
	}
	if what == "" {
		return problem(at, "%v must be %s %v", n, word, l.bound)
	}
	return problem(at, "%v%s, where %s %v are wanted", n, what, word, l.bound)
}

// isMultiple takes numbers as they are written: 0.3 is a multiple of 0.1, though their nearest binary fractions are none.
func isMultiple(v, of float64) bool {
	if of == math.Trunc(of) {
		return math.Remainder(v, of) == 0
	}
	const rounding = 4e-16 // of one multiplication, relative
	return math.Abs(math.Round(v/of)*of-v) <= rounding*math.Abs(v)
}

func isType(v any, t string) bool {
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case float64:
		return t == "number" || t == "integer" && v == math.Trunc(v)
	case string:
		return t == "string"
	case []any:
		return t == "array"
	default:
		return t == "object"
	}
}

func article(types string) string {
	switch {
	case types == "null":
		return types
	case strings.ContainsRune("aio", rune(types[0])):
		return "an " + types
	default:
		return "a " + types
	}
}

// show gives a value for a message, cut where it is long.
func show(v any) string {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return "it"
	}
	if text := []rune(string(data)); len(text) > 60 {
		return string(text[:59]) + "…"
	}
	return string(data)
}
