package stream

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// lineBreak finds the escape sequence for a line break in a string, or its end.
func lineBreak(raw []byte, from int) int {
	for {
		n := bytes.Index(raw[from:], []byte(`\n`))
		if n < 0 {
			return len(raw)
		}
		at := from + n
		k := at
		for k > 0 && raw[k-1] == '\\' {
			k--
		}
		if (at-k)%2 == 0 {
			return at
		}
		from = at + 1
	}
}

// resolved does the same as unescaped for a part of a string, which may end in the middle of a character.
func resolved(raw []byte) []byte {
	text, _ := unescaped(raw)
	return bytes.ToValidUTF8(text, nil)
}

// unescaped returns a string with its valid escape sequences replaced.
// Half a surrogate pair, as in a text that was cut, becomes U+FFFD and is not an error.
func unescaped(raw []byte) ([]byte, bool) {
	quoted := slices.Concat([]byte{'"'}, raw, []byte{'"'})
	text, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), quoted)
	return text, err == nil || jsontext.Value(quoted).IsValid(jsontext.AllowInvalidUTF8(true))
}
