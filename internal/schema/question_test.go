package schema

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

func drawText(t *rapid.T) string { return rapid.String().Draw(t, "text") }

func drawRaw(t *rapid.T) jsontext.Value {
	raw, err := json.Marshal(map[string]any{drawText(t): drawText(t), "n": rapid.Float64().Draw(t, "n")})
	if err != nil {
		return jsontext.Value("true")
	}
	return raw
}

// TestWhatIsAskedArrives sends questions and answers through the protocol.
func TestWhatIsAskedArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Question
		a := Answer{Version: drawText(t)}
		verdict := func() Verdict {
			if rapid.Bool().Draw(t, "good") {
				return Verdict{Ignored: rapid.SampledFrom([][]string{nil, {"a/b", "c"}}).Draw(t, "ignored")}
			}
			return Verdict{At: drawText(t), Problem: "p" + drawText(t)}
		}
		for range rapid.IntRange(0, 3).Draw(t, "schemas") {
			q.Schemas = append(q.Schemas, drawRaw(t))
			a.Schemas = append(a.Schemas, verdict())
		}
		for range rapid.IntRange(0, 3*len(q.Schemas)).Draw(t, "values") {
			q.Values = append(q.Values, Value{rapid.IntRange(0, len(q.Schemas)-1).Draw(t, "schema"), drawRaw(t)})
			a.Values = append(a.Values, verdict())
		}
		if got, err := DecodeQuestion(q.Encode()); err != nil || !reflect.DeepEqual(got, q) {
			t.Fatalf("%+v came as %+v, %v", q, got, err)
		}
		got, err := DecodeAnswer(a.Encode(), q, a.Version)
		if err != nil || !reflect.DeepEqual(got, a) {
			t.Fatalf("%+v came as %+v, %v", a, got, err)
		}
		if _, err := DecodeAnswer(a.Encode(), q, a.Version+"x"); !errors.Is(err, ErrVersion) {
			t.Fatalf("got %v", err)
		}
	})
}

// TestNoAnswerIsNotAGoodOne refuses whatever is not a verdict on everything that was asked.
func TestNoAnswerIsNotAGoodOne(t *testing.T) {
	q := Question{Schemas: []jsontext.Value{jsontext.Value("true")}, Values: []Value{{0, jsontext.Value("{}")}}}
	const good = `{"protocol":1,"version":"v","schemas":[{"ok":true}],"values":[{"ok":true}]}`
	if _, err := DecodeAnswer([]byte(good), q, "v"); err != nil {
		t.Fatal(err)
	}
	for i := range len(good) {
		if _, err := DecodeAnswer([]byte(good[:i]), q, "v"); err == nil {
			t.Errorf("%s was taken", good[:i])
		}
	}
	for _, c := range [][2]string{
		{`"values":[{"ok":true}]`, `"values":[]`},
		{`"values":[{"ok":true}]`, `"values":[{"ok":true},{"ok":true}]`},
		{`"values":[{"ok":true}]`, `"values":[{}]`},
		{`"values":[{"ok":true}]`, `"values":[null]`},
		{`"values":[{"ok":true}]`, `"values":[{"ok":false}]`},
		{`"values":[{"ok":true}]`, `"values":[{"ok":true,"problem":"x"}]`},
		{`"values":[{"ok":true}]`, `"values":[{"ok":"true"}]`},
		{`"version":"v"`, `"version":"v","version":"v"`},
		{`"version":"v"`, `"version":"w"`},
		{`"protocol":1`, `"protocol":2`},
		{`"protocol":1`, `"protocol":1,"more":1`},
		{`}]}`, `}]} {}`},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if _, err := DecodeAnswer([]byte(bad), q, "v"); !errors.Is(err, ErrProtocol) && !errors.Is(err, ErrVersion) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}
