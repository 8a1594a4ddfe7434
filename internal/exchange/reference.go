package exchange

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"onward/internal/visible"
)

// A numeric character reference, such as &#x1b;, is how markdown writes a character that cannot appear
// as itself. It is the one escape of the check lists: what does not print, what would begin a block,
// and what would be read as a reference is written so, and every renderer shows the character itself.

// parseReference reads the reference at the start of s, and returns the length of what it read, or 0.
// Those of NUL and of what is no character stay as they are.
func parseReference[T string | []byte](s T) (rune, int) {
	if len(s) < 4 || s[0] != '&' || s[1] != '#' {
		return 0, 0
	}
	at, base, most := 2, rune(10), 7
	if s[2] == 'x' || s[2] == 'X' {
		at, base, most = 3, 16, 6
	}
	r := rune(0)
	for n := 0; at < len(s) && n <= most; n++ {
		c := s[at]
		at++
		switch {
		case c == ';' && n > 0 && r != 0 && utf8.ValidRune(r):
			return r, at
		case c >= '0' && c <= '9':
			r = r*base + rune(c-'0')
		case base == 16 && (c|0x20 >= 'a' && c|0x20 <= 'f'):
			r = r*base + rune(c|0x20-'a'+10)
		default:
			return 0, 0
		}
	}
	return 0, 0
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

func writeReference(b *strings.Builder, r rune) {
	b.WriteString("&#x")
	b.WriteString(strconv.FormatInt(int64(r), 16))
	b.WriteByte(';')
}

// writeLine writes a line of text such that appendDecoded restores it.
// A tab is left unchanged, since it does not move the cursor backwards.
func writeLine(b *strings.Builder, s string) {
	for i, r := range s {
		_, reference := parseReference(s[i:])
		if reference > 0 || r != '\t' && !visible.Rune(r) {
			writeReference(b, r)
		} else {
			b.WriteRune(r)
		}
	}
}
