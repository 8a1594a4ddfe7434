package shell

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ambiguity says what in a command shells may read otherwise than our parser does, or nothing.
func ambiguity(text string) string {
	if !utf8.ValidString(text) {
		return "the command is not UTF-8"
	}
	for i, c := range text {
		switch {
		case c < ' ' && c != '\t' && c != '\n' || c == 0x7f:
			return fmt.Sprintf("shells differ about the control character %U", c)
		case c == '\n' && continues(text[:i]):
			return "shells differ about a line that continues in the middle of a word"
		}
	}
	return ""
}

// continues reports whether a line ends in a backslash that is not clearly between two words.
func continues(before string) bool {
	rest, ok := strings.CutSuffix(before, `\`)
	return ok && rest != "" && !strings.ContainsRune(" \t", rune(rest[len(rest)-1]))
}
