package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"onward/internal/schema"
)

// place is the address under which a schema is compiled; it does not lead anywhere.
const place = "onward://parameters/schema"

// answer gives a verdict on everything that is asked.
func answer(q schema.Question) schema.Answer {
	a := schema.Answer{Version: version, Schemas: make([]schema.Verdict, len(q.Schemas)), Values: make([]schema.Verdict, len(q.Values))}
	compiled := make([]*jsonschema.Schema, len(q.Schemas))
	for i, raw := range q.Schemas {
		document, err := schema.Decode(raw)
		if err == nil {
			compiled[i], err = compile(document)
		}
		if err != nil {
			a.Schemas[i] = verdictOnSchema(err)
			continue
		}
		a.Schemas[i].Ignored = ignored(document, compiled[i].DraftVersion)
	}
	for i, v := range q.Values {
		if compiled[v.Schema] == nil {
			a.Values[i] = a.Schemas[v.Schema]
			continue
		}
		value, err := schema.Decode(v.Value)
		if err != nil {
			a.Values[i] = verdict("", err.Error())
			continue
		}
		a.Values[i] = verdictOnValue(compiled[v.Schema].Validate(value))
	}
	return a
}

// compile takes a schema by itself. Without $schema it is of draft 2020-12. A format is held to in every draft.
func compile(document any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(nowhere{})
	if err := c.AddResource(place, document); err != nil {
		return nil, err
	}
	return c.Compile(place)
}

// nowhere loads nothing, neither from the network nor from files.
type nowhere struct{}

var errNowhere = errors.New("it is not within the schema, and nothing is fetched")

func (nowhere) Load(string) (any, error) { return nil, errNowhere }

// verdictOnSchema says why a schema cannot be used, and where in it the reason stands.
func verdictOnSchema(err error) schema.Verdict {
	var invalid *jsonschema.SchemaValidationError
	var load *jsonschema.LoadURLError
	var pattern *jsonschema.InvalidRegexError
	switch {
	case errors.As(err, &invalid):
		v := verdictOnValue(invalid.Err)
		at := strings.Trim(pointer(invalid.URL)+"/"+v.At, "/")
		return verdict(at, v.Problem)
	case errors.As(err, &load):
		return verdict("", fmt.Sprintf("%q: %v", load.URL, load.Err))
	case errors.As(err, &pattern):
		return verdict(pointer(pattern.URL), fmt.Sprintf("%q: %v", pattern.Regex, pattern.Err))
	}
	return verdict("", strings.ReplaceAll(err.Error(), place, ""))
}

// pointer gives the place in the schema that an address of the library means.
func pointer(url string) string {
	_, fragment, _ := strings.Cut(url, "#")
	return strings.Trim(fragment, "/")
}

// verdictOnValue picks one of the problems that the library found: the same one each time, though it finds them
// in no order, and one that says something by itself.
func verdictOnValue(err error) schema.Verdict {
	var all *jsonschema.ValidationError
	switch {
	case err == nil:
		return schema.Verdict{}
	case !errors.As(err, &all):
		return verdict("", err.Error())
	}
	return slices.MinFunc(leaves(nil, nil, all), func(a, b leaf) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.rank, b.rank), cmp.Compare(a.Problem, b.Problem))
	}).Verdict
}

// leaf is a problem that has no further reason.
type leaf struct {
	schema.Verdict
	rank int
}

// leaves collects them. At is the place of the problem that they are a reason for: a name by itself has none.
func leaves(to []leaf, at []string, e *jsonschema.ValidationError) []leaf {
	if len(e.InstanceLocation) > len(at) {
		at = e.InstanceLocation
	}
	rank := 0
	switch e.ErrorKind.(type) {
	case *kind.Contains, *kind.MinContains:
		// Why the other elements do not count says less than that they do not.
		return append(to, leaf{verdict(strings.Join(at, "/"), words(e.ErrorKind)), rank})
	case *kind.Type:
		// Where a value may have one of several forms, the form of its own type says more than the others.
		rank = 1
	}
	for _, cause := range e.Causes {
		to = leaves(to, at, cause)
	}
	if len(e.Causes) == 0 {
		to = append(to, leaf{verdict(strings.Join(at, "/"), words(e.ErrorKind)), rank})
	}
	return to
}

// words says what is wrong.
func words(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.FalseSchema:
		return "nothing is allowed here"
	case *kind.Not:
		return "it is what it must not be"
	case *kind.Format:
		if text, is := k.Got.(string); is && k.Want != "regex" {
			return fmt.Sprintf("%q is no valid %s", text, k.Want)
		}
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
	case *kind.Required:
		slices.Sort(k.Missing)
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}

// verdict keeps a verdict within its limits.
func verdict(at, problem string) schema.Verdict {
	return schema.Verdict{At: cut(at), Problem: cut(cmp.Or(problem, "it does not fit"))}
}

func cut(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= schema.MaxProblem {
		return s
	}
	end := schema.MaxProblem - len("…")
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
