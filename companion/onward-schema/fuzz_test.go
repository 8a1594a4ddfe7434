package main

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzQuestion checks that the validator answers each question, whatever the schema and the value are.
func FuzzQuestion(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"$id":"a","$ref":"#/$defs/b","$defs":{"b":{"$anchor":"c","not":{"$ref":"#c"}}}}`, `{"a":[1,"b"]}`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","id":"x","items":[{"type":"string"}],"dependencies":{"a":["b"]}}`, `[]`},
		{`{"unevaluatedItems":{"$dynamicRef":"#n"},"$dynamicAnchor":"n","format":"regex","pattern":"^(a|b)*$"}`, `1e300`},
		{`{"multipleOf":1e-300,"minLength":1e300}`, `0.1`},
		{`{"$ref":"#"}`, `null`},
		{`true`, `1e999`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		if !jsontext.Value(text).IsValid() || !jsontext.Value(value).IsValid() {
			return
		}
		if a := asked(t, text, value); !a[0].OK && a[1].Problem != a[0].Problem {
			t.Errorf("a value fits a schema that cannot be used: %+v", a)
		}
	})
}
