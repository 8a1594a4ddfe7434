package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"onward/internal/schema"
)

// place is the address under which a schema is compiled. Nothing is loaded from it.
const place = "onward://parameters/schema"

// judge answers questions one after the other. Values are validated against the latest schema.
type judge struct {
	schema *jsonschema.Schema // nil if the schema is invalid
	bad    schema.Answer      // why it is invalid
}

func (j *judge) validate(q schema.Question) schema.Answer {
	raw := q.Value
	if q.Schema != nil {
		raw = q.Schema
	} else if j.schema == nil {
		return j.bad
	}
	v, err := schema.Decode(raw)
	switch {
	case q.Schema == nil && err != nil:
		return problem("", err.Error())
	case q.Schema == nil:
		return aboutValue(j.schema.Validate(v))
	}
	if err == nil {
		j.schema, err = compile(v)
	}
	if err != nil {
		j.schema, j.bad = nil, aboutSchema(err)
		return j.bad
	}
	return schema.Answer{OK: true, Ignored: ignored(v, j.schema.DraftVersion)}
}

// compile compiles a schema, without any other document. Without $schema, its draft is 2020-12. Formats are validated in every draft.
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

// aboutSchema returns why a schema is invalid, and where.
func aboutSchema(err error) schema.Answer {
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		v := aboutValue(invalid.Err)
		return problem(strings.Trim(pointer(invalid.URL)+"/"+v.At, "/"), v.Problem)
	}
	if load, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		return problem("", fmt.Sprintf("%q: %v", load.URL, load.Err))
	}
	if pattern, ok := errors.AsType[*jsonschema.InvalidRegexError](err); ok {
		return problem(pointer(pattern.URL), fmt.Sprintf("%q: %v", pattern.Regex, pattern.Err))
	}
	return problem("", strings.ReplaceAll(err.Error(), place, ""))
}

// pointer turns an address of the library into a place in the schema.
func pointer(url string) string {
	_, fragment, _ := strings.Cut(url, "#")
	return strings.Trim(fragment, "/")
}

// aboutValue picks one of the problems that the library found. It picks the same one each time, although their order
// varies, and one that makes sense on its own.
func aboutValue(err error) schema.Answer {
	if err == nil {
		return schema.Answer{OK: true}
	}
	all, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return problem("", err.Error())
	}
	return slices.MinFunc(leaves(nil, nil, all), func(a, b leaf) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.rank, b.rank), cmp.Compare(a.Problem, b.Problem))
	}).Answer
}

// leaf is a problem that does not follow from another one.
type leaf struct {
	schema.Answer
	rank int
}

// leaves collects the leaves of an error. At is the place of the problem above, which a problem without a place inherits.
func leaves(to []leaf, at []string, e *jsonschema.ValidationError) []leaf {
	if len(e.InstanceLocation) > len(at) {
		at = e.InstanceLocation
	}
	rank, causes := 0, e.Causes
	switch e.ErrorKind.(type) {
	case *kind.Contains, *kind.MinContains:
		causes = nil // that no element matches says more than why each does not
	case *kind.Type:
		rank = 1 // if a value may have several forms, the problem with the form of its own type says more
	}
	if len(causes) == 0 {
		return append(to, leaf{problem(strings.Join(at, "/"), words(e.ErrorKind)), rank})
	}
	for _, cause := range causes {
		to = leaves(to, at, cause)
	}
	return to
}

func words(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.FalseSchema:
		return "nothing is allowed here"
	case *kind.Not:
		return "it is what it must not be"
	case *kind.Format:
		if text, is := k.Got.(string); is && k.Want != "regex" {
			return fmt.Sprintf("%q is not a valid %s", text, k.Want)
		}
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		return listed(k.Properties) + " not among the parameters"
	case *kind.Required:
		slices.Sort(k.Missing)
		return listed(k.Missing) + " missing"
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}

// listed joins the names of properties, followed by the verb.
func listed(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	if len(names) == 1 {
		return quoted[0] + " is"
	}
	return strings.Join(quoted, ", ") + " are"
}

// problem returns an answer with its texts cut to their limits.
func problem(at, what string) schema.Answer {
	return schema.Answer{At: cut(at), Problem: cut(cmp.Or(what, "it does not fit"))}
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
