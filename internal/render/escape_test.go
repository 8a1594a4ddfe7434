package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"onward/internal/visible"
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
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"Hindi", "क्\u200dष क्\u200cष", "क्\u200dष क्\u200cष"},
		{"family", "👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥", "👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥"},
		{"no-break space", "10\u00a0km 5\u202f%", "10\u00a0km 5\u202f%"},
		{"joiner in Latin", "pass\u200dword\u200c", `pass\u200dword\u200c`},
		{"joiner at an end", "👨\u200d", `👨\u200d`},
		{"joiners in a row", "م\u200c\u200cم", `م\u200c\u200cم`},
		{"no-break space at an end", "a\u00a0", `a\u00a0`},
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

// TestEscapedTextHidesNothing draws texts rich in what could hide: what Text lets
// through is visible, or shapes two neighbours that are.
func TestEscapedTextHidesNothing(t *testing.T) {
	tricky := rapid.StringOf(rapid.SampledFrom([]rune("a م\u200cन👩🏽\ufe0f\u200d\u200c\u00a0\u202f\u200b\u202e\u2066\u2060\ufeff\u3164\x1b\n\x7f\u009b\U000e0041\ufffd")))
	rapid.Check(t, func(t *rapid.T) {
		s := tricky.Draw(t, "tricky") + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		out := []rune(Text(s))
		for i, r := range out {
			if visible.Rune(r) {
				continue
			}
			inside := i > 0 && i+1 < len(out) && visible.Rune(out[i-1]) && visible.Rune(out[i+1]) && out[i-1] > ' ' && out[i+1] > ' '
			if !inside || !strings.ContainsRune("\u200c\u200d\u00a0\u202f", r) {
				t.Fatalf("Text(%q) holds %U", s, r)
			}
			if (r == '\u200c' || r == '\u200d') && (out[i-1] < 0x300 || out[i+1] < 0x300) {
				t.Fatalf("Text(%q) hides %U between %U and %U", s, r, out[i-1], out[i+1])
			}
		}
		if again := Text(string(out)); again != string(out) {
			t.Fatalf("Text(%q) changes to %q", out, again)
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
			if !visible.Rune(r) {
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
