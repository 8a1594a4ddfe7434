// Package unicodesafe knows which runes of a text are visible. Invisible text would reach a model
// or the store without the user seeing it.
package unicodesafe

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The invisible runes that shape what is around them, and are shown as they are there.
const (
	nonJoiner     = '\u200C' // keeps two letters apart, as in Persian
	joiner        = '\u200D' // joins letters, as in Sinhala, and signs to one emoji
	noBreakSpace  = '\u00A0'
	narrowNoBreak = '\u202F'
	asText        = '\uFE0E' // shows the sign before it as text
	asEmoji       = '\uFE0F' // shows it as an emoji
	keycap        = '\u20E3' // draws a key around a digit, # or *
)

// IsSafe reports whether a rune may be shown as it is.
// Controls, bidirectional marks, zero-width and tag characters are not printable;
// variation selectors, fillers and a few blank signs count as printable and show nothing.
func IsSafe(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r <= '~'
	}
	if r < unicode.MaxLatin1 {
		return unicode.IsPrint(r)
	}
	switch r {
	case '\u2800', '\U0001D159', '\U00016FE4': // a blank Braille cell, a null notehead and a filler
		return false
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// IsShaping reports whether a rune that is invisible on its own has its use between
// its two neighbours. Elsewhere it could hide in a text, and is escaped.
func IsShaping(before, r, after rune) bool {
	if before == utf8.RuneError {
		return false // at the beginning, or next to a character that is not shown as it is
	}
	switch r {
	case nonJoiner:
		return joined(before) && joined(after)
	case joiner:
		return joined(before) && joined(after) || pictured(before) && unicode.Is(unicode.So, after) && after != utf8.RuneError
	case noBreakSpace, narrowNoBreak:
		return after != utf8.RuneError && before != ' ' && after != ' ' && IsSafe(before) && IsSafe(after)
	case asText, asEmoji:
		return emoji(before) || after == keycap && strings.ContainsRune("0123456789#*", before)
	}
	return false
}

// Escape shows what hides in a text: a rune that shows nothing and does not shape what is around it becomes \uXXXX.
// So does the first sign of what the log of a CI system takes for a command.
// A rune that the caller has its own form for is written in that; it gets the rune before, or utf8.RuneError where that
// is not shown as it is, the rune, and the text from it on, and returns an empty text for any other.
func Escape(s string, own func(before, r rune, rest string) string) string {
	var b strings.Builder
	before := utf8.RuneError
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		form := ""
		if !IsShaping(before, r, after) {
			form = own(before, r, s[i:])
			if form == "" && (!IsSafe(r) || BeginsCommand(s[i:])) {
				form = escaped(r)
			}
		}
		if before = r; form == "" {
			b.WriteRune(r)
			continue
		}
		b.WriteString(form)
		if !IsSafe(r) {
			before = utf8.RuneError
		}
	}
	return b.String()
}

// escaped is how a rune is written that is not shown as it is.
func escaped(r rune) string {
	if r > 0xFFFF {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// joined reports whether a rune is of a script whose letters change where they join.
func joined(r rune) bool {
	return unicode.In(
		r, unicode.Arabic, unicode.Bengali, unicode.Devanagari, unicode.Gujarati, unicode.Gurmukhi, unicode.Kannada,
		unicode.Khmer, unicode.Malayalam, unicode.Mongolian, unicode.Myanmar, unicode.Nko, unicode.Oriya, unicode.Sinhala,
		unicode.Syriac, unicode.Tamil, unicode.Telugu, unicode.Tibetan,
	) && IsSafe(r)
}

// pictured reports whether a rune can end the first part of a joined emoji.
func pictured(r rune) bool {
	return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > unicode.MaxLatin1 || r == asEmoji
}

// emoji reports whether a sign can be shown both as an emoji and as text. Most such signs are symbols;
// the others are a few letters, arrows and punctuation marks.
func emoji(r rune) bool {
	return unicode.Is(unicode.So, r) && IsSafe(r) || strings.ContainsRune("‼⁉ℹ↔⤴⤵▪▫▶◀◻◼◽◾⬅〰〽", r)
}
