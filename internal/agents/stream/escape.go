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

// resolved is unescaped for part of a string, which may end inside a character.
func resolved(raw []byte) []byte {
	text, _ := unescaped(raw)
	return bytes.ToValidUTF8(text, nil)
}

// unescaped returns what a string means that has escape sequences, as far as they are valid.
// Half a character, as in a text that was cut, is U+FFFD and no fault.
func unescaped(raw []byte) ([]byte, bool) {
	quoted := slices.Concat([]byte{'"'}, raw, []byte{'"'})
	text, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), quoted)
	return text, err == nil || jsontext.Value(quoted).IsValid(jsontext.AllowInvalidUTF8(true))
}
