package main

import (
	"bytes"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"onward/internal/calls/tool"
	"onward/internal/schema"
)

// asked sends a schema and values to the program on standard input, and returns its answers.
func asked(t interface {
	Fatalf(format string, args ...any)
}, text string, values ...string,
) []schema.Answer {
	questions := "{\"schema\":" + text + "}\n"
	for _, v := range values {
		questions += "{\"value\":" + v + "}\n"
	}
	var out, errs bytes.Buffer
	if code := run(nil, strings.NewReader(questions), &out, &errs); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	var answers []schema.Answer
	for line := range strings.Lines(out.String()) {
		var a schema.Answer
		if err := json.Unmarshal([]byte(line), &a, json.RejectUnknownMembers(true)); err != nil || a.Version != version || a.OK != (a.Problem == "") {
			t.Fatalf("%v: %s", err, line)
		}
		answers = append(answers, a)
	}
	if len(answers) != 1+len(values) {
		t.Fatalf("%d answers: %s", len(answers), &out)
	}
	return answers
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`true`, `{}`, ""},
		{`false`, `{}`, "nothing is allowed here"},
		{`{"properties":{"a":{"type":"string"}},"unevaluatedProperties":false}`, `{"a":"x","c":1,"b":1}`, "b: nothing is allowed here"},
		{`{"prefixItems":[{}],"unevaluatedItems":false}`, `[1,2]`, "1: nothing is allowed here"},
		{`{"dependentSchemas":{"a":{"required":["c","b"]}}}`, `{"a":1}`, `"b", "c" are missing`},
		{`{"contains":{"type":"number"},"minContains":2}`, `[1,"a"]`, "min 2 items required to match contains schema, but matched 1 items at 0"},
		{`{"contains":{"type":"number"},"maxContains":1}`, `[1,2]`, "max 1 items required to match contains schema, but matched 2 items at 0 1"},
		{`{"additionalProperties":false}`, `{"b":1,"a":1}`, `"a", "b" are not among the parameters`},
		{`{"not":{"type":"null"}}`, `null`, "it is what it must not be"},
		// If several forms are allowed, the error is about the form that has the type of the value.
		{`{"oneOf":[{"type":"string"},{"type":"object","required":["x"]}]}`, `{}`, `"x" is missing`},
		// References within the schema can be by anchor, by id and by dynamic anchor.
		{`{"$ref":"#n","$defs":{"n":{"$anchor":"n","type":"null"}}}`, `1`, "got number, want null"},
		{`{"$id":"https://example.org/a","$ref":"b","$defs":{"b":{"$id":"b","type":"null"}}}`, `1`, "got number, want null"},
		{`{"$dynamicRef":"#n","$defs":{"n":{"$dynamicAnchor":"n","type":"null"}}}`, `1`, "got number, want null"},
		{`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"minLength":"a"}`, "minLength: got string, want integer"},
		{`{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`, `{"a":{"a":{"b":1}}}`, `a/a: "b" is not among the parameters`},
		// A format is validated in every draft; an unknown one is ignored.
		{`{"format":"email"}`, `"me"`, `"me" is not a valid email`},
		{`{"format":"date-time"}`, `"2026-11-21T09:30:00Z"`, ""},
		{`{"format":"path"}`, `"x"`, ""},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","format":"uuid"}`, `"x"`, `"x" is not a valid uuid`},
		// Keywords of older drafts are supported.
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, "last 1 additionalItem(s) not allowed"},
		{`{"$schema":"http://json-schema.org/draft-06/schema#","dependencies":{"a":["b"]}}`, `{"a":1}`, "properties 'b' required, if 'a' exists"},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `1`, "exclusiveMinimum: got 1, want 1"},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}},"unevaluatedProperties":false}`, `{"a":{"b":1}}`, "a/b: nothing is allowed here"},
		// Errors repeat numbers as they were written.
		{`{"multipleOf":0.01}`, `19.99`, ""},
		{`{"type":"integer"}`, `1.0`, ""},
		{`{"maxLength":1}`, `"👍"`, ""},
		{`{"const":"` + strings.Repeat("ä", 600) + `"}`, `""`, "value must be '" + strings.Repeat("ä", 241) + "…"},
	} {
		for range 5 { // several times, because the library checks members in a random order
			a := asked(t, c.schema, c.value)
			if !a[0].OK {
				t.Errorf("%s: %+v", c.schema, a[0])
				break
			}
			got := ""
			if err := a[1].Err(); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s with %s: got %q, want %q", c.schema, c.value, got, c.want)
				break
			}
		}
	}
}

// TestSchemas checks that an invalid schema is reported with the place of the error. No value matches such a schema.
func TestSchemas(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"text"}`:                           "type: value must be one of",
		`{"properties":{"a":{"minLength":-1}}}`:     "properties/a/minLength: minimum: got -1, want 0",
		`{"properties":{"a":{"required":"b"}}}`:     "properties/a/required: got string, want array",
		`{"properties":{"a":{"pattern":"("}}}`:      "properties/a/pattern: ",
		`{"patternProperties":{"(":true}}`:          "patternProperties: '(' is not valid regex",
		`5`:                                         "got number, want boolean or object",
		`{"$ref":"#/$defs/none"}`:                   `json-pointer in "#/$defs/none" not found`,
		`{"$ref":"#none"}`:                          `anchor in "#none" not found`,
		`{"$ref":"https://example.org/x"}`:          `"https://example.org/x": it is not within the schema, and nothing is fetched`,
		`{"$ref":"file:///etc/hostname"}`:           `"file:///etc/hostname": it is not within the schema, and nothing is fetched`,
		`{"$ref":"other.json"}`:                     `"onward://parameters/other.json": it is not within the schema, and nothing is fetched`,
		`{"$schema":"https://example.org/dialect"}`: `"https://example.org/dialect": it is not within the schema, and nothing is fetched`,
		`{"$id":"https://example.org/a","$defs":{"b":{"$id":"a"}},"$ref":"#/$defs"}`: "duplicate id",
		`{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMinimum":1}`: "exclusiveMinimum",
	} {
		a := asked(t, text, `{}`)
		if err := a[0].Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
		if !reflect.DeepEqual(a[0], a[1]) {
			t.Errorf("%s: a value has the answer %+v", text, a[1])
		}
	}
}

// TestKeywordsWithoutEffect checks the warnings about keywords that are misspelt, made up, or of another draft. None of them
// is an error in JSON Schema.
func TestKeywordsWithoutEffect(t *testing.T) {
	for text, want := range map[string]string{
		`{"requires":["a"]}`: "requires",
		`{"properties":{"typ":{"typ":"string","x-order":1}},"default":{"typ":1},"enum":[{"typ":1}]}`:                                             "properties/typ/typ",
		`{"allOf":[{},{"then":{"minLenght":1}}],"items":{"nullable":true}}`:                                                                      "allOf/1/then/minLenght items/nullable",
		`{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{"a":1}],"items":[{"b":1}],"dependencies":{"c":["d"],"e":{"f":1}}}`: "dependencies/e/f items/0/b prefixItems",
		`{"$schema":"http://json-schema.org/draft-04/schema#","id":"http://example.org/a","const":1}`:                                            "const",
		`{"$id":"http://example.org/a","id":1,"const":1,"items":true,"not":false}`:                                                               "id",
		`true`: "",
		`{` + strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("a", 300)+`%":1,`, 30), ",") + `}`: "",
	} {
		for i := 0; strings.Contains(text, "%"); i++ {
			text = strings.Replace(text, "%", strconv.Itoa(i), 1)
		}
		a := asked(t, text)
		if err := a[0].Err(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got := a[0].Ignored; strings.Join(got, " ") != want && (want != "" || len(got) > schema.MaxIgnored) {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

// TestOwnDeclarations validates the parameters of the built-in tools, which onward itself never sends to the companion.
func TestOwnDeclarations(t *testing.T) {
	for _, own := range tool.Builtin() {
		a := asked(t, string(own.Parameters))
		if err := a[0].Err(); err != nil || a[0].Ignored != nil {
			t.Errorf("%s: %v, %q", own.Name, err, a[0].Ignored)
		}
	}
}

func TestInvalidQuestions(t *testing.T) {
	for text, want := range map[string]int{
		`{`: exitData, `[]`: exitData, `{}`: exitData, `{"schema":true,"value":1}`: exitData, `{"schema":true} rest`: exitData, `{"schema":true,"more":1}`: exitData,
		`{"schema":{"a":1,"a":2}}`: exitData, "{\"schema\":\"\xff\"}": exitData, ``: exitOK, `{"schema":true}`: exitOK, `{"value":1}`: exitOK,
	} {
		var out, errs bytes.Buffer
		if code := run(nil, strings.NewReader(text), &out, &errs); code != want || want == exitOK && (out.Len() > 0) != (text != "") {
			t.Errorf("%s: exit code %d, %s%s", text, code, &out, &errs)
		}
	}
	var errs bytes.Buffer
	if code := run(nil, broken{}, nil, &errs); code != exitIO || errs.String() != "onward-schema: read a question: jsontext: read error: gone\n" {
		t.Errorf("exit code %d, %s", code, &errs)
	}
	if code := run(nil, strings.NewReader(`{"schema":true}`), broken{}, &errs); code != exitIO {
		t.Errorf("exit code %d", code)
	}
}

// broken is a stream whose reads and writes fail.
type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("gone") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }
