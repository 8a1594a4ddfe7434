package stream_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"onward/internal/agents/stream"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// TestUnescaped compares the unescaping of strings with a decoder, on strings with all kinds of escape sequences.
func TestUnescaped(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		raw := ""
		for range rapid.IntRange(0, 6).Draw(rt, "pieces") {
			raw += rapid.SampledFrom([]string{
				`a`, `é`, `\n`, `\t`, `\"`, `\\`, `\/`, `\b`, `\f`, `\r`, `\u0041`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\uD83Dx`, `\u00`, `\x`, `\`, `u0041`,
			}).Draw(rt, "piece")
		}
		quoted := `"` + raw + `"`
		d := jsontext.NewDecoder(strings.NewReader(quoted), jsontext.AllowInvalidUTF8(true))
		token, err := d.ReadToken()
		valid, want := err == nil && int(d.InputOffset()) == len(quoted), ""
		if valid {
			want = token.String()
		}
		v, ok := stream.Parse([]byte(quoted))
		got := v.Word()
		if valid != (ok && got != nil) || ok && string(got) != want {
			rt.Errorf("%s: %q, %v; a decoder gives %q, %v", quoted, got, ok, want, err)
		}
	})
}

// TestValueReads reads each kind of value as each type. A value of another kind counts as absent.
func TestValueReads(t *testing.T) {
	for text, want := range map[string]string{
		`null`:                         `"" false [] null`,
		`true`:                         `"" true [] true`,
		`false`:                        `"" false [] false`,
		`"x"`:                          `"x" false [] "x"`,
		`"\u00fc"`:                     `"ü" false [] "\u00fc"`,
		`7`:                            `"7" false [] 7`,
		`-1.5e3`:                       `"-1.5e3" false [] -1.5e3`,
		`["a",7,null,[1],{"b":["c"]}]`: `"" false [a 7] ["a",7,null,[1],{"b":["c"]}]`,
		`{"a":{"b":"c"}}`:              `"" false [] {"a":{"b":"c"}}`,
		`[]`:                           `"" false [] []`,
		strings.Repeat("[", 200) + strings.Repeat("]", 200): `"" false [] ` + strings.Repeat("[", 200) + strings.Repeat("]", 200),
	} {
		v, ok := stream.Parse([]byte(text + " "))
		got := fmt.Sprintf("%q %v %v %s", v.Word(), v.IsTrue(), v.Words(), v.Raw())
		if got != want || !ok {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestIndexAgrees reads random JSON with an index and with a decoder, and compares the results.
func TestIndexAgrees(t *testing.T) {
	var value func(rt *rapid.T, depth int) any
	value = func(rt *rapid.T, depth int) any {
		switch kind := rapid.IntRange(0, 9).Draw(rt, "kind"); {
		case depth > 0 && kind < 3:
			var object []member
			for i := range rapid.IntRange(0, 4).Draw(rt, "members") {
				name := rapid.SampledFrom([]string{"", "type", "a \"b\"", "ü\\", "long " + strings.Repeat("x", 40)}).Draw(rt, "name")
				object = append(object, member{fmt.Sprint(name, i), value(rt, depth-1)})
			}
			return object
		case depth > 0 && kind < 6:
			list := []any{}
			for range rapid.IntRange(0, 4).Draw(rt, "length") {
				list = append(list, value(rt, depth-1))
			}
			return list
		}
		return rapid.SampledFrom([]any{
			"", "x", "a \"b\" \\", "\\\\\"", "ü✅\x1b\n", strings.Repeat("y\"", 20), nil, true, false, 7, -1.5,
		}).Draw(rt, "scalar")
	}
	rapid.Check(t, func(rt *rapid.T) {
		var b bytes.Buffer
		writeJSON(rt, &b, value(rt, 4))
		var want any
		if err := stdjson.Unmarshal(b.Bytes(), &want); err != nil {
			rt.Fatalf("%v", err)
		}
		b.WriteByte(' ')
		v, ok := stream.Parse(b.Bytes())
		if got := decodedValue(v); !reflect.DeepEqual(got, want) || !ok {
			rt.Errorf("%s\n got %#v\nwant %#v", b.Bytes(), got, want)
		}
		if !stream.Skips(b.Bytes()) {
			rt.Errorf("%s: not skipped whole", b.Bytes())
		}
	})
}

// decodedValue decodes a value with encoding/json.
func decodedValue(v stream.Value) any {
	switch v.Kind() {
	case '{':
		object := map[string]any{}
		for one := range v.Values('{') {
			object[string(one.Name())] = decodedValue(one)
		}
		return object
	case '[':
		list := []any{}
		for one := range v.Values('[') {
			list = append(list, decodedValue(one))
		}
		return list
	case '"':
		return string(v.Word())
	case 't', 'f':
		return v.IsTrue()
	case 'n':
		return nil
	}
	n, _ := strconv.ParseFloat(string(v.Word()), 64)
	return n
}

// The fast search for the end of a string must agree with one that reads byte by byte, for all offsets and lengths.
func TestStringEnd(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{`"`, `\`, `\"`, `\\`, "a", "é", "\xff\x00", "#", strings.Repeat("x", 7), strings.Repeat("y", 64)}), 0, 30).Draw(rt, "parts")
		b := []byte(strings.Join(parts, ""))
		from := rapid.IntRange(0, len(b)).Draw(rt, "from")
		want := -1
		for i := from; i < len(b); i++ {
			if b[i] == '"' {
				want = i
				break
			}
			if b[i] == '\\' {
				i++
			}
		}
		if got := stream.StringEnd(b, from); got != want {
			rt.Errorf("%q from %d ends at %d, not %d", b, from, got, want)
		}
	})
}
