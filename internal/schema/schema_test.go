package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
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

func TestNumbersAreWithinRange(t *testing.T) {
	if _, err := Decode(jsontext.Value(`{"a":[1,1e999]}`)); err == nil || err.Error() != "a/1: the number is too large" {
		t.Errorf("got %v", err)
	}
	if v, err := Decode(jsontext.Value(`1e-999`)); err != nil || v != 0.0 {
		t.Errorf("got %v, %v", v, err)
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
