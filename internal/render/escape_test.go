package render

import (
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "fix the tests", "fix the tests"},
		{"wide", "修复 ✅ é", "修复 ✅ é"},
		{"line break", "one\ntwo\r", `one\ntwo\r`},
		{"escape sequence", "\x1b[31mred", `\u001b[31mred`},
		{"delete and C1", "\x7f\u009b", `\u007f\u009b`},
		{"bidi", "a\u202eb\u2069", `a\u202eb\u2069`},
		{"zero width", "a\u200bb\ufeff", `a\u200bb\ufeff`},
		{"tag characters", "a\U000E0041", `a\U000e0041`},
		{"Hangul filler", "a\u3164b", `a\u3164b`},
		{"bad bytes", "a\xffb", `a\xffb`},
		{"replacement character", "a\uFFFDb", "a\uFFFDb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Text(c.in); got != c.want {
				t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestTextNeverHidesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		for _, r := range Text(s) {
			if !Visible(r) {
				t.Fatalf("Text(%q) holds %U", s, r)
			}
		}
	})
}

func TestJSONIsLosslessAndVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text") + rapid.SampledFrom([]string{"", "\u202e", "\x7f", "\U000E0041", "\u3164"}).Draw(t, "tail")
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		out := JSON(data)
		for len(out) > 0 {
			r, size := utf8.DecodeRune(out)
			if !Visible(r) {
				t.Fatalf("JSON(%q) holds %U", data, r)
			}
			out = out[size:]
		}
		var back string
		if err := json.Unmarshal(JSON(data), &back); err != nil || back != s {
			t.Fatalf("%q came back as %q: %v", s, back, err)
		}
	})
}
