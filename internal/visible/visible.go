// Package visible knows which runes of a text show something: what hides in a text is data
// that the user or a model would not see.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The invisible runes that shape what is around them, and are shown as they are there.
const (
	nonJoiner      = '\u200C' // keeps two letters apart, as in Persian
	joiner         = '\u200D' // joins letters, as in Sinhala, and signs to one emoji
	noBreakSpace   = '\u00A0'
	narrowNoBreak  = '\u202F'
	otherVariation = '\uFE0F' // shows the sign before it as an emoji
)

// Rune reports whether a rune may be shown as it is.
// Controls, bidirectional marks, zero-width and tag characters are not printable;
// the Hangul fillers count as letters and show nothing.
func Rune(r rune) bool {
	switch r {
	case '\u115F', '\u1160', '\u3164', '\uFFA0':
		return false
	}
	return unicode.IsPrint(r)
}

// Shapes reports whether a rune that is invisible by itself has its use between
// its two neighbours. Elsewhere it could hide in a text, and is escaped.
func Shapes(before, r, after rune) bool {
	if before == utf8.RuneError || after == utf8.RuneError {
		return false // at an end, or beside bytes that are no text
	}
	switch r {
	case nonJoiner:
		return joined(before) && joined(after)
	case joiner:
		return joined(before) && joined(after) || pictured(before) && unicode.Is(unicode.So, after)
	case noBreakSpace, narrowNoBreak:
		return before != ' ' && after != ' ' && Rune(before) && Rune(after)
	}
	return false
}

// Escape shows what hides in a text: a rune that shows nothing and does not shape what is around it becomes \uXXXX.
// A rune that the caller has its own form for is written in that; it gets the rune before, or utf8.RuneError, the rune
// and its bytes, and returns an empty text for any other.
func Escape(s string, own func(before, r rune, raw string) string) string {
	var b strings.Builder
	before := utf8.RuneError
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		form := own(before, r, s[i:i+size])
		switch {
		case Shapes(before, r, after):
			b.WriteRune(r)
		case form != "":
			b.WriteString(form)
		case Rune(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		before = r
	}
	return b.String()
}

// joined reports whether a rune is of a script whose letters change where they join.
func joined(r rune) bool {
	return unicode.In(
		r, unicode.Arabic, unicode.Bengali, unicode.Devanagari, unicode.Gujarati, unicode.Gurmukhi, unicode.Kannada,
		unicode.Khmer, unicode.Malayalam, unicode.Mongolian, unicode.Myanmar, unicode.Nko, unicode.Oriya, unicode.Sinhala,
		unicode.Syriac, unicode.Tamil, unicode.Telugu, unicode.Tibetan,
	) && Rune(r)
}

// pictured reports whether a rune can end the first part of a joined emoji.
func pictured(r rune) bool {
	return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > unicode.MaxLatin1 || r == otherVariation
}
