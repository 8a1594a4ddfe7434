package agent

import (
	stdjson "encoding/json"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// TestUnescaped compares with a decoder, on strings of the pieces that matter.
func TestUnescaped(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		raw := ""
		for range rapid.IntRange(0, 6).Draw(rt, "pieces") {
			raw += rapid.SampledFrom([]string{
				`a`, `é`, `\n`, `\t`, `\"`, `\\`, `\/`, `\b`, `\f`, `\r`, `\u0041`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\uD83Dx`, `\u00`, `\x`, `\`, `u0041`,
			}).Draw(rt, "piece")
		}
		quoted := `"` + raw + `"`
		want, err := jsontext.AppendUnquote(nil, quoted)
		k := walker{b: []byte(quoted)}
		got := k.readWord()
		if ok := k.done(); ok != (err == nil) || ok && string(got) != string(want) {
			rt.Errorf("%s: %q, %v; a decoder gives %q, %v", quoted, got, ok, want, err)
		}
	})
}

// TestCursorReads compares the cursor's values with a decoder's, on any JSON.
func TestCursorReads(t *testing.T) {
	for _, text := range []string{`null`, `true`, `false`, `"x"`, `"\u00fc"`, `7`, `-1.5e3`, `["a",7,null,[1],{"b":["c"]}]`, `{"a":{"b":"c"}}`, `[]`, `{}`, `""`} {
		var w word
		var f truth
		var ws words
		for _, v := range []any{&w, &f, &ws} {
			if err := json.Unmarshal([]byte(text), v); err != nil {
				t.Fatal(err)
			}
		}
		k := func() *walker { return &walker{b: []byte(text)} }
		if got := k().readWord(); got != w {
			t.Errorf("%s: text %q, want %q", text, got, w)
		}
		if got := k().readTruth(); got != f {
			t.Errorf("%s: flag %v, want %v", text, got, f)
		}
		got, _ := stdjson.Marshal(k().readWords())
		if want, _ := stdjson.Marshal(ws); string(got) != string(want) {
			t.Errorf("%s: texts %s, want %s", text, got, want)
		}
		if got := k().value(); string(got) != text && text[0] != '7' && text[0] != '-' && text[0] != 'n' && text[0] != 't' && text[0] != 'f' {
			t.Errorf("%s: value %s", text, got)
		}
	}
}
