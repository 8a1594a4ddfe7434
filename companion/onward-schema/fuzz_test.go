package main

import (
	"bytes"
	"io"
	"testing"

	"onward/internal/schema"
)

// FuzzQuestion holds the library to an answer, whatever the schema and the value.
func FuzzQuestion(f *testing.F) {
	for _, seed := range []string{
		`{"protocol":1,"schemas":[{"$id":"a","$ref":"#/$defs/b","$defs":{"b":{"$anchor":"c","not":{"$ref":"#c"}}}}],"values":[{"schema":0,"value":{"a":[1,"b"]}}]}`,
		`{"protocol":1,"schemas":[{"$schema":"http://json-schema.org/draft-04/schema#","id":"x","items":[{"type":"string"}],"dependencies":{"a":["b"]}}],"values":[{"schema":0,"value":[]}]}`,
		`{"protocol":1,"schemas":[{"unevaluatedItems":{"$dynamicRef":"#n"},"$dynamicAnchor":"n","format":"regex","pattern":"^(a|b)*$"}],"values":[{"schema":0,"value":1e300}]}`,
		`{"protocol":1,"schemas":[{"$ref":"#"},{"multipleOf":1e-300,"minLength":1e300}],"values":[{"schema":1,"value":0.1},{"schema":0,"value":null}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := schema.DecodeQuestion(data)
		var out bytes.Buffer
		code := run(nil, bytes.NewReader(data), &out, io.Discard)
		switch {
		case err != nil && code != exitData:
			t.Errorf("exit code %d for what is no question: %v", code, err)
		case err != nil:
		case code != exitOK:
			t.Errorf("exit code %d", code)
		default:
			if _, err := schema.DecodeAnswer(out.Bytes(), q, version); err != nil {
				t.Error(err)
			}
		}
	})
}
