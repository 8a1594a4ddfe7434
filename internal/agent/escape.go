package agent

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
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

func (w *walker) unescaped(raw []byte) []byte {
	text, ok := unescaped(raw)
	if !ok {
		w.fail()
	}
	return text
}

// resolved is unescaped for a piece of a string, which may end in the midst of a character.
func resolved(raw []byte) []byte {
	text, _ := unescaped(raw)
	return bytes.ToValidUTF8(text, nil)
}

// unescaped gives what a string means that has escape sequences, as far as they are valid.
func unescaped(raw []byte) ([]byte, bool) {
	out := make([]byte, 0, len(raw))
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			return append(out, raw...), true
		}
		out = append(out, raw[:n]...)
		raw = raw[n:]
		if len(raw) < 2 {
			return out, false
		}
		switch raw[1] {
		case '"', '\\', '/':
			out = append(out, raw[1])
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := codeUnit(raw)
			if r < 0 {
				return out, false
			}
			if utf16.IsSurrogate(r) {
				// Half a character. Where the other half does not follow, as in a text that was cut, it is none.
				if r = utf16.DecodeRune(r, codeUnit(raw[6:])); r != utf8.RuneError {
					raw = raw[6:]
				}
			}
			out = utf8.AppendRune(out, r)
			raw = raw[4:]
		default:
			return out, false
		}
		raw = raw[2:]
	}
}

// codeUnit reads \uXXXX; it gives -1 where that does not stand there.
func codeUnit(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}
