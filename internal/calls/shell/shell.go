// Package shell reads plain commands: those that every shell takes for one program and its words.
//
// sh is a different shell on different machines, and onward cannot know what a program does with its words. So a person decides about everything but plain commands.
package shell

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns the words of a plain command. For any other text it returns why it is not plain.
//
// Words are separated by spaces and tabs. A word is a row of pieces: bare ones of ASCII letters, digits and
// _ - . , / : @ % + = ~ ^, printable text in double quotes without $ ` \ and !, and printable text in single quotes.
// A text that a shell expands or assigns is not plain either: = ~ or ^ at the beginning of a word, ~ after = or :,
// and = in the first word. Where the first word is a builtin of a shell, its words are not plain either if they hold
// what the builtin could evaluate, in any quotes.
func Plain(text string) (words []string, why string) {
	if !utf8.ValidString(text) {
		return nil, "it is not UTF-8"
	}
	for rest := strings.TrimLeft(text, blanks); rest != ""; rest = strings.TrimLeft(rest, blanks) {
		var w string
		if w, rest, why = cutWord(rest); why != "" {
			return nil, why
		}
		words = append(words, w)
	}
	switch {
	case len(words) == 0:
		return nil, "it is empty"
	case strings.Contains(words[0], "="):
		return nil, assigns
	case strings.HasPrefix(words[0], "-") || strings.HasPrefix(words[0], "+"):
		return nil, "it begins with an option" // of the shell, which is given the text as an argument
	}
	if why = evaluated(words); why != "" {
		return nil, why
	}
	return words, ""
}

const (
	blanks  = " \t"
	assigns = "it begins with an assignment"
)

// cutWord splits the first word from a text that does not begin with a blank.
func cutWord(text string) (word, rest, why string) {
	for text != "" && !strings.Contains(blanks, text[:1]) {
		piece, quote := text[:1], text[0]
		switch {
		case quote == '"' || quote == '\'':
			var closed bool
			if piece, text, closed = strings.Cut(text[1:], text[:1]); !closed {
				return "", "", "a quotation mark is not closed"
			}
			if why = quoted(piece, quote); why != "" {
				return "", "", why
			}
		case !bare(text[0], word):
			r, _ := utf8.DecodeRuneInString(text)
			return "", "", fmt.Sprintf("%q is not plain there", r)
		default:
			text = text[1:]
		}
		word += piece
	}
	return word, text, ""
}

// quoted says why a text between quotation marks is not plain.
func quoted(text string, quote byte) string {
	for _, r := range text {
		switch {
		case !unicode.IsPrint(r):
			return fmt.Sprintf("%q is not printable", r)
		case quote == '"' && strings.ContainsRune("$`\\!", r):
			return fmt.Sprintf("%q is not plain in double quotes", r)
		}
	}
	return ""
}

// bare reports whether a byte needs no quotes after the given beginning of its word.
func bare(b byte, before string) bool {
	switch b {
	case '=', '^':
		return before != "" // zsh takes =ls for the path of ls
	case '~':
		return before != "" && !strings.HasSuffix(before, "=") && !strings.HasSuffix(before, ":") // which bash expands as in an assignment
	}
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || strings.IndexByte("_-.,/:@%+", b) >= 0
}

// NearestPlain returns two plain commands that the writer of a text that is not plain may have meant: all its words, with
// single quotes around those that need them, and its words up to the first that is not plain. Either may be empty.
func NearestPlain(text string) (quoted, beginning string) {
	var all, first []string
	for _, w := range strings.Fields(text) {
		if _, why := Plain(strings.Join(append(slices.Clone(all), w), " ")); why == "" {
			if all = append(all, w); len(first) == len(all)-1 {
				first = all[:len(all):len(all)]
			}
			continue
		}
		if strings.ContainsAny(w, "\"'`$\\;&|<>()") {
			return "", strings.Join(first, " ") // single quotes would change its meaning
		}
		all = append(all, "'"+w+"'")
	}
	if quoted = strings.Join(all, " "); !isPlain(quoted) {
		quoted = ""
	}
	return quoted, strings.Join(first, " ")
}

func isPlain(text string) bool {
	_, why := Plain(text)
	return why == ""
}

// MentionsWords reports whether words occur in a text, each whole and in this order, with any text between them.
// A word is whole if there is no letter, digit, _ or - next to it. Capitals count as small letters,
// since some file systems do not tell them apart.
func MentionsWords(text string, words []string) bool {
	text = strings.ToLower(text)
	from := 0
	for _, w := range words {
		if from = indexAfterWord(text, from, strings.ToLower(w)); from < 0 {
			return false
		}
	}
	return true
}

// indexAfterWord returns the offset of the end of the first whole occurrence of a word, searched from an offset on; -1 if there
// is none.
func indexAfterWord(text string, from int, word string) int {
	for from <= len(text) {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return -1
		}
		begin, end := from+at, from+at+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:begin])
		behind, _ := utf8.DecodeRuneInString(text[end:])
		if !inWord(before) && !inWord(behind) {
			return end
		}
		from = begin + 1
	}
	return -1
}

func inWord(r rune) bool { return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) }
