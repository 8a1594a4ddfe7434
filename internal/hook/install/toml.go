package install

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlExpression is one header or key of a TOML file, with where it stands.
type tomlExpression struct {
	kind   unstable.Kind
	key    []string // with the table's name before it
	start  int      // of its line
	end    int      // behind its line
	value  unstable.Kind
	text   string         // of a string
	array  []tomlElement  // of an array of plain values
	raw    unstable.Range // of the whole value, for a key
	within int            // index of the header it is under; -1 is none
}

type tomlElement struct {
	start, end int
	text       string
}

// parseTOML reads a file into its expressions, in order.
func parseTOML(data []byte) ([]tomlExpression, error) {
	if len(data) > maxSettings || nesting(data) > maxNesting {
		return nil, fmt.Errorf("%w: it is too large or nests too deep", ErrParse)
	}
	var p unstable.Parser
	// The parser takes a byte order mark for a key.
	body, mark := bytes.CutPrefix(data, []byte(bom))
	shift := 0
	if mark {
		shift = len(bom)
	}
	p.Reset(body)
	var out []tomlExpression
	var table []string
	header := -1
	for p.NextExpression() {
		n := p.Expression()
		e := tomlExpression{kind: n.Kind, within: header}
		first := -1
		for it := n.Key(); it.Next(); {
			if first < 0 {
				first = int(it.Node().Raw.Offset)
			}
			e.key = append(e.key, string(it.Node().Data))
		}
		e.start = bytes.LastIndexByte(body[:first], '\n') + 1
		switch n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, header = e.key, len(out)
			e.within = -1
			e.end = lineEnd(body, first)
		case unstable.KeyValue:
			e.key = append(slices.Clone(table), e.key...)
			v := n.Value()
			e.value, e.text, e.raw = v.Kind, string(v.Data), n.Raw
			e.end = lineEnd(body, int(n.Raw.Offset+n.Raw.Length))
			if v.Kind == unstable.Array {
				for it := v.Children(); it.Next(); {
					c := it.Node()
					if c.Kind == unstable.String {
						e.array = append(e.array, tomlElement{int(c.Raw.Offset) + shift, int(c.Raw.Offset+c.Raw.Length) + shift, string(c.Data)})
					} else {
						e.value = unstable.Invalid // not an array that onward edits
					}
				}
			}
			e.raw.Offset += uint32(shift)
		}
		e.start += shift
		e.end += shift
		out = append(out, e)
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrParse, strings.TrimPrefix(err.Error(), "toml: "))
	}
	return out, nil
}

// lineEnd gives the place behind the line break that ends the line of a place.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// lineBreak is what ends the lines of a file.
func lineBreak(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// appendBlock adds lines at the end of a file, with an empty line before them.
func appendBlock(data []byte, lines ...string) []byte {
	eol := lineBreak(data)
	out := slices.Clone(data)
	if n := len(out); n > 0 && len(bytes.TrimPrefix(out, []byte(bom))) > 0 {
		if out[n-1] != '\n' {
			out = append(out, eol...)
		}
		out = append(out, eol...)
	}
	for _, l := range lines {
		out = append(out, l+eol...)
	}
	return out
}

// cutBlock removes a span of whole lines, and one empty line before it.
func cutBlock(data []byte, start, end int) []byte {
	if start > 0 {
		line := bytes.LastIndexByte(data[:start-1], '\n') + 1
		if len(bytes.TrimSpace(data[line:start])) == 0 {
			start = line
		}
	}
	return slices.Concat(data[:start], data[end:])
}

// tomlString writes a string, as a literal one where it can be.
func tomlString(s string) string {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	if strings.ContainsAny(s, "\"\\") && !strings.Contains(s, "'") && !strings.ContainsFunc(s, control) {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case control(r):
			b.WriteString(`\u00` + strconv.FormatInt(int64(r)+0x100, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
