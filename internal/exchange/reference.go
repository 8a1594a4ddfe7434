package exchange

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"onward/internal/unicodesafe"
)

// A numeric character reference, such as &#x1b;, is how markdown writes a character that cannot appear
// as itself. It is the one escape of the check lists: what does not print, what would begin a block,
// and what would be read as a reference is written so, and every renderer shows the character itself.

// parseReference reads the reference at the start of s, and returns the length of what it read, or 0.
// References to NUL and to invalid characters stay as they are.
func parseReference[T string | []byte](s T) (rune, int) {
	if len(s) == 0 || s[0] != '&' {
		return 0, 0
	}
	const longest = len("&#1114111;")
	text, _, closed := strings.Cut(string(s[:min(len(s), longest)]), ";")
	digits, numeric := strings.CutPrefix(text, "&#")
	base := 10
	if hex := strings.TrimLeft(digits, "xX"); len(hex) == len(digits)-1 {
		digits, base = hex, 16
	}
	r, err := strconv.ParseUint(digits, base, 32)
	if !closed || !numeric || err != nil || r == 0 || !utf8.ValidRune(rune(r)) {
		return 0, 0
	}
	return rune(r), len(text) + len(";")
}

// appendDecoded appends s with its references decoded.
func appendDecoded(to, s []byte) []byte {
	for len(s) > 0 {
		if r, size := parseReference(s); size > 0 {
			to = utf8.AppendRune(to, r)
			s = s[size:]
			continue
		}
		to = append(to, s[0])
		s = s[1:]
	}
	return to
}

func writeReference(b *strings.Builder, r rune) { b.WriteString(reference(r)) }

func reference(r rune) string { return "&#x" + strconv.FormatInt(int64(r), 16) + ";" }

// writeLine writes a line of text so that appendDecoded restores it.
// A tab is left unchanged, since it does not move the cursor backwards.
func writeLine(b *strings.Builder, s string) {
	b.WriteString(unicodesafe.Escape(s, func(_, r rune, rest string) string {
		_, size := parseReference(rest)
		switch {
		case r == '\t':
			return "\t"
		case size > 0 || !unicodesafe.IsSafe(r) || unicodesafe.BeginsCommand(rest):
			return reference(r)
		}
		return ""
	}))
}
