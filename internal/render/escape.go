// Package render turns lists and decisions into text for the user or for a program.
//
// The text of a list comes from elsewhere: a model, a file, a repository.
// It must pass through Text before it reaches a terminal.
package render

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"onward/internal/unicodesafe"
)

// Text makes a text safe to print on one line:
// what does not print is shown escaped, a line break as \n,
// so that an item can neither forge a second line nor move the cursor.
// Joiners and no-break spaces stay where they shape what is around them.
// Nor can it become a command in the log of a CI system, even at the beginning of a line.
func Text(s string) string {
	shown := MidLineText(s)
	if strings.HasPrefix(strings.TrimLeftFunc(shown, unicode.IsSpace), "::") {
		return strings.Replace(shown, ":", `\u003a`, 1)
	}
	return shown
}

// MidLineText is Text for a text that never begins a line.
func MidLineText(s string) string {
	hides := func(r rune) bool { return !unicodesafe.IsSafe(r) || r == utf8.RuneError || r == '#' }
	if !strings.ContainsFunc(s, hides) {
		return s
	}
	return unicodesafe.Escape(s, func(_, r rune, rest string) string {
		switch {
		case r == '\n':
			return `\n`
		case r == '\t':
			return `\t`
		case r == '\r':
			return `\r`
		case r == utf8.RuneError && !strings.HasPrefix(rest, "\uFFFD"):
			return fmt.Sprintf(`\x%02x`, rest[0])
		}
		return ""
	})
}

// Output shows the output of a program. Each line follows a sign and is indented by a number of columns, so that it
// cannot be mistaken for a line of ours.
func Output(text string, indent int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")
		b.WriteString(strings.Repeat(" ", indent) + strings.TrimRight("| "+MidLineText(line), " ") + "\n")
	}
	return b.String()
}

// EscapeCICommands leaves a text of several lines as it is, for a program, but for the lines that the log of a CI system could take
// for commands: those are made safe as Text does.
func EscapeCICommands(text string) string {
	if !strings.Contains(text, "#") && !strings.Contains(text, "::") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if unicodesafe.HasCommand(line) {
			ended := strings.TrimSuffix(line, "\n")
			line = Text(ended) + line[len(ended):]
		}
		b.WriteString(line)
	}
	return b.String()
}

// EscapeJSON rewrites encoded JSON so that it holds no rune that does not print, and nothing that the log of a CI system
// takes for a command. Such runes are inside strings only, where \uXXXX means the same.
func EscapeJSON(data []byte) []byte {
	at := hidden(data)
	if at < 0 {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for at >= 0 {
		out = append(out, data[:at]...)
		r, size := utf8.DecodeRune(data[at:])
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
		data = data[at+size:]
		at = hidden(data)
	}
	return append(out, data...)
}

// hidden finds the first rune that JSON has to escape. The encoder has escaped the controls of ASCII, but not DEL.
func hidden(data []byte) int {
	const del = 0x7f
	for i := 0; i < len(data); {
		switch {
		case len(data)-i >= 8 && clean(binary.LittleEndian.Uint64(data[i:])):
			i += 8
		case data[i] == '#' && unicodesafe.BeginsCommand(data[i:]):
			return i
		case data[i] < del:
			i++
		default:
			r, size := utf8.DecodeRune(data[i:])
			if !unicodesafe.IsSafe(r) {
				return i
			}
			i += size
		}
	}
	return -1
}

// clean reports whether eight bytes are all of ASCII, and neither DEL nor a number sign. Most of a long list is.
func clean(eight uint64) bool {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	signs := eight ^ '#'*ones // a number sign became zero, from which subtracting one sets the high bit
	return (eight|(eight+ones)|(signs-ones)&^signs)&highs == 0
}
