package schema

import (
	stdjson "encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{``, `{"a":1}`, ""},
		{`true`, `1`, ""},
		{`false`, `1`, "nothing is allowed here"},
		{`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`, `{"path":"x"}`, ""},
		{`{"type":"object","required":["path"]}`, `{}`, `"path" is missing`},
		{`{"properties":{"path":{"type":"string"}}}`, `{"path":5}`, "path: 5 is not a string"},
		{`{"properties":{"a":{"items":{"type":"integer"}}}}`, `{"a":[1,2.5]}`, "a/1: 2.5 is not an integer"},
		{`{"type":["string","null"]}`, `1`, "1 is not a string or null"},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"b":1}`, `"b" is not among the parameters`},
		{`{"patternProperties":{"^x":{"type":"number"}},"additionalProperties":false}`, `{"x1":1}`, ""},
		{`{"enum":["a","b"]}`, `"c"`, `"c" is not one of ["a","b"]`},
		{`{"const":{"a":[1]}}`, `{"a":[1]}`, ""},
		{`{"minimum":1}`, `0`, "0 must be at least 1"},
		{`{"exclusiveMaximum":1}`, `1`, "1 must be less than 1"},
		{`{"maxLength":2}`, `"äöü"`, "3 characters, where at most 2 are wanted"},
		{`{"minItems":1}`, `[]`, "0 elements, where at least 1 are wanted"},
		{`{"pattern":"^a"}`, `"b"`, `"b" does not match the pattern ^a`},
		{`{"multipleOf":0.5}`, `1.25`, "1.25 is no multiple of 0.5"},
		{`{"multipleOf":0.01}`, `19.99`, ""},
		{`{"multipleOf":0.1}`, `0.35`, "0.35 is no multiple of 0.1"},
		{`{"multipleOf":3}`, `9007199254740992`, "9007199254740992 is no multiple of 3"},
		{`{"uniqueItems":true}`, `[1,{"a":1},{"a":1}]`, `2: {"a":1} stands twice`},
		{`{"contains":{"const":1}}`, `[2]`, "no element is as the schema wants one to be"},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",1]`, "1: nothing is allowed here"},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, "1 is not a string"},
		{`{"oneOf":[{"type":"number"},{"minimum":0}]}`, `1`, "1 fits 2 of the forms where it must fit one"},
		{`{"not":{"type":"null"}}`, `null`, "null is what it must not be"},
		{`{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"null"}}`, `""`, "0 characters, where at least 1 are wanted"},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `"b" is missing, which "a" needs`},
		{`{"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}},"additionalProperties":false}},"$ref":"#/$defs/n"}`, `{"next":{"next":{"x":1}}}`, `next/next: "x" is not among the parameters`},
		{`{"$ref":"#"}`, `1`, "the schema refers to itself without end"},
	} {
		s, err := Compile(jsontext.Value(c.schema))
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		v, err := Decode(jsontext.Value(c.value))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := s.Check(v); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s with %s: got %q, want %q", c.schema, c.value, got, c.want)
		}
	}
}

// TestWhatWouldBeWithoutEffectIsRefused holds misspelt and unknown keywords back.
func TestWhatWouldBeWithoutEffectIsRefused(t *testing.T) {
	for _, bad := range []string{
		`{"requires":["a"]}`, `{"type":"text"}`, `{"type":5}`, `{"properties":[]}`, `{"minimum":"1"}`, `{"pattern":"("}`, `{"required":"a"}`,
		`{"anyOf":[]}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"https://example.org/x"}`, `{"multipleOf":0}`, `[]`, `5`, `{`,
		`{"properties":{"a":{"unevaluatedProperties":false}}}`, strings.Repeat(`{"not":`, 70) + "true" + strings.Repeat("}", 70),
	} {
		if _, err := Compile(jsontext.Value(bad)); !errors.Is(err, ErrSchema) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

// drawValue and drawSchema keep to few names and small numbers, so that schemas and values meet.
func drawValue(t *rapid.T, depth int) any {
	switch rapid.IntRange(0, 5+min(depth, 1)*2).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2, 3:
		return float64(rapid.IntRange(-2, 6).Draw(t, "number")) / 2
	case 4, 5:
		return rapid.SampledFrom([]string{"", "a", "b", "ab", "äö"}).Draw(t, "text")
	case 6:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	default:
		m := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			m[rapid.SampledFrom([]string{"a", "b", "ab"}).Draw(t, "name")] = drawValue(t, depth-1)
		}
		return m
	}
}

func drawSchema(t *rapid.T, depth int) any {
	if rapid.IntRange(0, 9).Draw(t, "boolean") == 0 {
		return rapid.Bool().Draw(t, "bool")
	}
	s := map[string]any{}
	some := func() any { return drawSchema(t, depth-1) }
	several := func() []any {
		list := []any{}
		for range rapid.IntRange(1, 3).Draw(t, "schemas") {
			list = append(list, some())
		}
		return list
	}
	small := func() any { return float64(rapid.IntRange(0, 3).Draw(t, "bound")) }
	name := rapid.SampledFrom([]string{"a", "b", "ab"})
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		deep := 0
		if depth > 0 {
			deep = 14
		}
		switch rapid.IntRange(0, 12+deep).Draw(t, "keyword") {
		case 0, 1:
			s["type"] = rapid.SampledFrom([]string{"null", "boolean", "number", "integer", "string", "array", "object"}).Draw(t, "type")
		case 2:
			s["enum"] = []any{drawValue(t, 1), drawValue(t, 1)}
		case 3:
			s["const"] = drawValue(t, 1)
		case 4:
			s["minimum"] = small()
		case 5:
			s["exclusiveMaximum"] = small()
		case 6:
			s["maxLength"] = small()
		case 7:
			s["pattern"] = rapid.SampledFrom([]string{"a", "^b", "ä"}).Draw(t, "pattern")
		case 8:
			s["required"] = []any{name.Draw(t, "name")}
		case 9:
			s["minItems"] = small()
		case 10:
			s["uniqueItems"] = true
		case 11:
			s["maxProperties"] = small()
		case 12:
			s["multipleOf"] = 0.5 * float64(rapid.IntRange(1, 4).Draw(t, "of"))
		case 13, 14:
			s["properties"] = map[string]any{name.Draw(t, "name"): some(), name.Draw(t, "name"): some()}
		case 15:
			s["additionalProperties"] = some()
		case 16:
			s["patternProperties"] = map[string]any{"^a": some()}
		case 17:
			s["items"] = some()
		case 18:
			s["prefixItems"] = several()
		case 19:
			s["contains"] = some()
		case 20:
			s["allOf"] = several()
		case 21:
			s["anyOf"] = several()
		case 22:
			s["oneOf"] = several()
		case 23:
			s["not"] = some()
		case 24:
			s["if"], s["then"], s["else"] = some(), some(), some()
		case 25:
			s["propertyNames"] = some()
		default:
			s["dependentRequired"] = map[string]any{name.Draw(t, "name"): []any{name.Draw(t, "other")}}
		}
	}
	return s
}

// TestVerdictsAreThoseOfAFullImplementation compares with a library that knows all of JSON Schema.
func TestVerdictsAreThoseOfAFullImplementation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := drawSchema(t, 2)
		document, err := stdjson.Marshal(drawn)
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("drawn.json", drawn); err != nil {
			t.Fatal(err)
		}
		theirs, err := compiler.Compile("drawn.json")
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		ours, err := Compile(jsontext.Value(document))
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		for range 5 {
			v := drawValue(t, 2)
			if want, got := theirs.Validate(v), ours.Check(v); (want == nil) != (got == nil) {
				t.Fatalf("%s with %v: we say %v, they say %v", document, v, got, want)
			}
		}
	})
}
