package stream_test

import (
	"bytes"
	"encoding/json"
	"fmt"

	"pgregory.net/rapid"
)

type member struct {
	name  string
	value any
}

// writeJSON writes a value with random spaces and escape sequences wherever JSON allows them.
func writeJSON(rt *rapid.T, b *bytes.Buffer, v any) {
	space := func() {
		if rapid.IntRange(0, 15).Draw(rt, "space") == 0 {
			b.WriteString(" \t")
		}
	}
	str := func(s string) {
		q, _ := json.Marshal(s)
		if len(s) > 0 && rapid.IntRange(0, 40).Draw(rt, "escape") == 0 {
			if c := s[0]; c >= 'A' && c <= 'z' && c != '\\' {
				q = append(fmt.Appendf(nil, `"\u%04x`, c), q[2:]...)
			}
		}
		b.Write(q)
	}
	switch v := v.(type) {
	case []member:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			str(m.name)
			space()
			b.WriteByte(':')
			space()
			writeJSON(rt, b, m.value)
		}
		space()
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			writeJSON(rt, b, e)
		}
		b.WriteByte(']')
	case string:
		str(v)
	default:
		q, _ := json.Marshal(v)
		b.Write(q)
	}
}
