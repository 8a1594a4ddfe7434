package main

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"onward/internal/schema"
)

// drawValue and drawSchema keep to few names and small numbers, so that schemas and values meet.
func drawValue(t *rapid.T, depth int) any {
	switch rapid.IntRange(0, 5+min(depth, 1)*2).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2, 3:
		return rapid.SampledFrom([]float64{-1, -0.5, 0, 0.07, 0.3, 0.5, 1, 1.1, 1.5, 2, 2.5, 3, 19.99}).Draw(t, "number")
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
			s["multipleOf"] = rapid.SampledFrom([]float64{0.01, 0.1, 0.5, 1, 1.5, 2}).Draw(t, "of")
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

// TestVerdictsAreThoseOfTheBuiltInChecker compares the two where both know the schema: what a call comes to
// must not depend on what is installed. A format is the one thing that only the companion holds to.
func TestVerdictsAreThoseOfTheBuiltInChecker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document, err := json.Marshal(drawSchema(t, 2))
		if err != nil {
			t.Fatal(err)
		}
		builtin, err := schema.Compile(document)
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		q := schema.Question{Schemas: []jsontext.Value{document}}
		for range 5 {
			value, err := json.Marshal(drawValue(t, 2))
			if err != nil {
				t.Fatal(err)
			}
			q.Values = append(q.Values, schema.Value{Value: value})
		}
		a := asked(t, q)
		if a.Schemas[0].Problem != "" {
			t.Fatalf("%s: %+v", document, a.Schemas[0])
		}
		for i, v := range q.Values {
			value, err := schema.Decode(v.Value)
			if err != nil {
				t.Fatal(err)
			}
			if want, got := builtin.Check(value), a.Values[i].Err(); (want == nil) != (got == nil) {
				t.Fatalf("%s with %s: built in says %v, the companion %v", document, v.Value, want, got)
			}
		}
	})
}
