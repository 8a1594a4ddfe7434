package render

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestColumnWidth(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"ASCII", "fix the tests", 13},
		{"CJK", "修复", 4},
		{"half-width kana", "ｶﾅ", 2},
		{"combining", "e\u0301", 1},
		{"emoji", "✅", 2},
		{"emoji by a variation selector", "❤\ufe0f", 2},
		{"flag, two letters on a plain terminal", "🇩🇪", 4},
		{"skin tone, two signs on a plain terminal", "👍🏽", 4},
		{"Hebrew", "שלום", 4},
		{"Hangul", "한국", 4},
		{"the live view's own symbols", "📋⭕✅❌⛔", 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := columns(c.text); got != c.want {
				t.Errorf("columns(%q) = %d, want %d", c.text, got, c.want)
			}
		})
	}
}

func TestCutToWidth(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"fits", 4, "fits"},
		{"too long", 5, "too …"},
		{"修复测试", 7, "修复测…"},
		{"修复测试", 6, "修复…"},
		{"ae\u0301i", 2, "a…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"wide", 1, "…"},
		{"修", 1, "…"},
		{"a\u00a0b c", 3, "a…"},
		{"a\u202fb c", 3, "a…"},
	} {
		if got := cut(c.text, c.limit, "…"); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
	if got := cut("a\u00a0bc", 2, "..."); got != "a" {
		t.Errorf("a no-break space is kept without what follows it: %q", got)
	}
	if got := cut("abcdef", 2, "..."); got != "ab" {
		t.Errorf("a mark wider than the limit is left out, not %q", got)
	}
}

func TestCutKeepsAllThatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := Text(rapid.String().Draw(t, "text"))
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		got := cut(text, limit, "…")
		if n := columns(got); n > limit {
			t.Fatalf("cut(%q, %d) = %q takes %d columns", text, limit, got, n)
		}
		if columns(text) <= limit && got != text {
			t.Fatalf("cut(%q, %d) = %q, though it fits", text, limit, got)
		}
		if !strings.HasPrefix(text, strings.TrimSuffix(got, "…")) {
			t.Fatalf("cut(%q, %d) = %q is no beginning of it", text, limit, got)
		}
	})
}
