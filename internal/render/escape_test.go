package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"onward/internal/unicodesafe"
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
		{"emoji", "❤\ufe0f ☎\ufe0e 1\ufe0f\u20e3", "❤\ufe0f ☎\ufe0e 1\ufe0f\u20e3"},
		{"variation selectors", "a\ufe0f❤\ufe0f\ufe0f1\ufe0f \U000e0101", `a\ufe0f❤` + "\ufe0f" + `\ufe0f1\ufe0f \U000e0101`},
		{"joiner after an escaped character", "a\ufe0f\u200d🔥", `a\ufe0f\u200d🔥`},
		{"grapheme joiner", "a\u034fb", `a\u034fb`},
		{"Khmer vowels", "\u17b4\u17b5", `\u17b4\u17b5`},
		{"Mongolian selectors", "\u180b\u180c\u180d\u180e\u180f", `\u180b\u180c\u180d\u180e\u180f`},
		{"blank signs", "\u2800\U0001D159", `\u2800\U0001d159`},
		{"command", "x ##[error]y ###[a", `x \u0023#[error]y #\u0023#[a`},
		{"command of Azure", "##vso[a]##VsO[b]##vs[c]", `\u0023#vso[a]\u0023#VsO[b]##vs[c]`},
		{"command at the beginning", " ::error::a ::b", ` \u003a:error::a ::b`},
		{"hidden in a command", "#\u200d#[a]", `#\u200d#[a]`},
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

// TestEscapedTextHidesNothing draws texts with many invisible characters. Every character that Text keeps must be visible,
// or join two neighbours that are.
func TestEscapedTextHidesNothing(t *testing.T) {
	tricky := rapid.StringOf(rapid.SampledFrom([]rune("a م\u200cन👩🏽\ufe0f\u200d\u200c\u00a0\u202f\u200b\u202e\u2066\u2060\ufeff\u3164\x1b\n\x7f\u009b\U000e0041\ufffd\U000e0101\u034f❤1\u20e3#[:")))
	rapid.Check(t, func(t *rapid.T) {
		s := tricky.Draw(t, "tricky") + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		out := []rune(Text(s))
		for i, r := range out {
			if unicodesafe.IsSafe(r) {
				continue
			}
			inside := i > 0 && i+1 < len(out) && unicodesafe.IsSafe(out[i-1]) && unicodesafe.IsSafe(out[i+1]) && out[i-1] > ' ' && out[i+1] > ' '
			if i > 0 && unicodesafe.IsSafe(out[i-1]) && r == '\ufe0f' && unicodesafe.IsShaping(out[i-1], r, append(out, utf8.RuneError)[i+1]) {
				continue
			}
			if i > 0 && i+1 < len(out) && r == '\u200d' && out[i-1] == '\ufe0f' && unicodesafe.IsSafe(out[i+1]) {
				continue
			}
			if !inside || !strings.ContainsRune("\u200c\u200d\u00a0\u202f", r) {
				t.Fatalf("Text(%q) holds %U", s, r)
			}
			if (r == '\u200c' || r == '\u200d') && (out[i-1] < 0x300 || out[i+1] < 0x300) {
				t.Fatalf("Text(%q) hides %U between %U and %U", s, r, out[i-1], out[i+1])
			}
		}
		if unicodesafe.HasCommand(string(out)) {
			t.Fatalf("Text(%q) is a command", s)
		}
		if again := Text(string(out)); again != string(out) {
			t.Fatalf("Text(%q) changes to %q", out, again)
		}
	})
}

func TestJSONIsLosslessAndVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text") + rapid.SampledFrom([]string{"", "\u202e", "\x7f", "\U000E0041", "\u3164", "##[a]", `\##[`, "##VSO[a]", "\ufe0f"}).Draw(t, "tail")
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		out := EscapeJSON(data)
		for len(out) > 0 {
			r, size := utf8.DecodeRune(out)
			if !unicodesafe.IsSafe(r) {
				t.Fatalf("JSON(%q) holds %U", data, r)
			}
			if unicodesafe.BeginsCommand(out) {
				t.Fatalf("JSON(%q) holds a command", data)
			}
			out = out[size:]
		}
		var back string
		if err := json.Unmarshal(EscapeJSON(data), &back); err != nil || back != s {
			t.Fatalf("%q came back as %q: %v", s, back, err)
		}
	})
}

func TestOutputIsBehindASign(t *testing.T) {
	if got, want := Output("::error::a\n\n\tb\rc\n##[d]", 2), "  | ::error::a\n  |\n  |     b\\rc\n  | \\u0023#[d]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestInertChangesCommandsOnly(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"# a\n\tb::c\x1b[1m":     "# a\n\tb::c\x1b[1m",
		"a\n \t::error::b\nc\n":  "a\n \\t::error::b\nc\n",
		"::a::b":                 `\u003a:a::b`,
		"x\r::a::b\n":            "x\\r::a::b\n",
		"x ##[stop-commands]a\n": "x \\u0023#[stop-commands]a\n",
		"\u200d::a::b":           `\u200d::a::b`,
		"#\ufe0f#[a]":            `#\ufe0f#[a]`,
	} {
		if got := EscapeCICommands(in); got != want {
			t.Errorf("Inert(%q) = %q, want %q", in, got, want)
		}
	}
}
