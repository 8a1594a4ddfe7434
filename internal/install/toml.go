package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"onward/internal/agents/settings"
)

// tomlText is a settings file in TOML, edited as text at the offsets that the parser reports.
type tomlText struct {
	text
	all  []expression
	kept empties
}

// expression is one header or key, with its position.
type expression struct {
	kind   unstable.Kind
	key    []string // with the table's name before it
	start  int      // of its line
	end    int      // after its line
	within int      // index of the header it is under; -1 if none
	value  unstable.Kind
	text   string    // of a plain value
	array  []element // of an array of strings
	from   int       // of the key with its value
	to     int
}

type element struct {
	start, end int
	text       string
}

// parseTOML reads a file into its expressions, in order.
func parseTOML(data []byte) (*tomlText, error) {
	d := &tomlText{text: newText(data)}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	header := -1
	for p.NextExpression() {
		n := p.Expression()
		e := expression{kind: n.Kind, within: header}
		first := -1
		for it := n.Key(); it.Next(); {
			if first < 0 {
				first = int(it.Node().Raw.Offset)
			}
			e.key = append(e.key, string(it.Node().Data))
		}
		e.start = bytes.LastIndexByte(data[:first], '\n') + 1
		e.end = lineEnd(data, first)
		if n.Kind == unstable.KeyValue {
			e.key = append(slices.Clone(table), e.key...)
			e.from, e.to = int(n.Raw.Offset), int(n.Raw.Offset+n.Raw.Length)
			e.end = lineEnd(data, e.to)
			e.read(n.Value())
		} else {
			table, header, e.within = e.key, len(d.all), -1
		}
		d.all = append(d.all, e)
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrParse, strings.TrimPrefix(err.Error(), "toml: "))
	}
	return d, nil
}

func (e *expression) read(v *unstable.Node) {
	e.value, e.text = v.Kind, string(v.Data)
	if v.Kind != unstable.Array {
		return
	}
	for it := v.Children(); it.Next(); {
		c := it.Node()
		if c.Kind != unstable.String {
			e.value = unstable.Invalid // not an array that onward edits
		}
		e.array = append(e.array, element{int(c.Raw.Offset), int(c.Raw.Offset + c.Raw.Length), string(c.Data)})
	}
}

// hooks returns the hooks, which are tables in an array of that name.
func (d *tomlText) hooks() (all []entry) {
	for i, e := range d.all {
		if e.kind != unstable.ArrayTable || !slices.Equal(e.key, []string{"hooks"}) {
			continue
		}
		h := entry{fields: map[string]field{}, remove: func() []byte { return d.cutTable(i) }}
		for _, v := range d.all {
			if v.within == i {
				h.fields[v.key[len(v.key)-1]] = d.field(v)
			}
		}
		h.event = h.fields["event"].text
		all = append(all, h)
	}
	return all
}

func (d *tomlText) field(v expression) field {
	return field{v.text, func(by settings.Member) []byte { return d.splice(v.from, v.to, tomlMember(by)) }}
}

func (d *tomlText) addHook(_ string, members []settings.Member, _ bool) ([]byte, error) {
	_, key := d.place([]string{"hooks"})
	switch {
	case key == nil:
	case key.value != unstable.Array, len(key.array) > 0:
		return nil, fmt.Errorf("%w: its hooks are written as one value; write them as [[hooks]] tables first", ErrParse)
	default:
		// An empty array has no effect, and would conflict with tables of its name.
		return d.splice(key.start, key.end, ""), nil
	}
	lines := []string{"[[hooks]]"}
	for _, m := range members {
		lines = append(lines, tomlMember(m))
	}
	return d.block(lines...), nil
}

func tomlMember(m settings.Member) string {
	if m.Kind == settings.TimeLimit {
		return m.Name + " = " + m.Text
	}
	return m.Name + " = " + tomlString(m.Text)
}

// place returns the table of a key, and the key at the path or at the beginning of it.
func (d *tomlText) place(path []string) (table, key *expression) {
	for i := range d.all {
		e := &d.all[i]
		switch {
		case e.kind == unstable.Table && slices.Equal(e.key, path[:len(path)-1]):
			table = e
		case e.kind == unstable.KeyValue && len(e.key) <= len(path) && slices.Equal(e.key, path[:len(e.key)]):
			key = e
		}
	}
	return table, key
}

// grant looks up a grant. If a value on the way to it is not a table, it is left as it is.
func (d *tomlText) grant(g settings.Grant) (remove func() []byte, foreign bool) {
	table, key := d.place(g.Path)
	switch {
	case key == nil:
		return nil, false
	case len(key.key) < len(g.Path):
		return nil, true
	case g.Element == "" && key.text == g.Value:
		return func() []byte { return d.cutKey(table, key) }, false
	case g.Element == "" || key.value != unstable.Array:
		return nil, true
	}
	i := slices.IndexFunc(key.array, func(e element) bool { return e.text == g.Element })
	switch {
	case i < 0:
		return nil, false
	case len(key.array) == 1 && d.wasEmpty(key.key):
		at := key.from + bytes.IndexByte(d.data[key.from:], '[')
		return func() []byte { return d.splice(at, key.to, d.kept[d.kept.at(key.key)]) }, false
	case len(key.array) == 1:
		return func() []byte { return d.cutKey(table, key) }, false
	case i > 0:
		return func() []byte { return d.splice(key.array[i-1].end, key.array[i].end, "") }, false
	}
	return func() []byte { return d.splice(key.array[0].start, key.array[1].start, "") }, false
}

func (d *tomlText) putGrant(g settings.Grant) ([]byte, error) {
	table, key := d.place(g.Path)
	switch {
	case key == nil:
		value := g.Value
		if g.Element != "" {
			value = "[" + tomlString(g.Element) + "]"
		}
		return d.putKey(table, g.Path, value), nil
	case len(key.key) < len(g.Path):
		return nil, fmt.Errorf("%w: its %s are written as one value; write them as tables first", ErrParse, g.Path[0])
	case len(key.array) == 0:
		at := key.from + bytes.IndexByte(d.data[key.from:], '[') + 1
		return d.splice(at, at, tomlString(g.Element)), nil
	}
	last := key.array[len(key.array)-1]
	between := ", "
	if start := bytes.LastIndexByte(d.data[:last.start], '\n') + 1; start > key.from && blank(d.data[start:last.start]) {
		between = "," + d.eol + string(d.data[start:last.start])
	}
	return d.splice(last.end, last.end, between+tomlString(g.Element)), nil
}

// putKey writes a key into its table, and adds the table if it is missing.
func (d *tomlText) putKey(table *expression, path []string, value string) []byte {
	name := path[len(path)-1] + " = " + value
	if table == nil {
		return d.block("["+strings.Join(path[:len(path)-1], ".")+"]", name)
	}
	if d.data[table.end-1] != '\n' {
		name = d.eol + name
	}
	return d.splice(table.end, table.end, name+d.eol)
}

// cutKey removes the lines of a key, and the header of its table if the table becomes empty.
func (d *tomlText) cutKey(table, key *expression) []byte {
	if table != nil && key.within >= 0 && !d.wasEmpty(table.key) {
		others := slices.ContainsFunc(d.all, func(e expression) bool {
			return e.kind == unstable.KeyValue && e.within == key.within && e.start != key.start
		})
		if !others && blank(d.data[table.end:key.start]) {
			return d.cutBlock(table.start, key.end)
		}
	}
	return d.splice(key.start, key.end, "")
}

// wasEmpty reports whether a table or an array was empty before the install.
func (d *tomlText) wasEmpty(path []string) bool {
	_, stays := d.kept[d.kept.at(path)]
	return stays
}

func (d *tomlText) keep(kept empties) { d.kept = kept }

func (d *tomlText) emptyContainers() empties {
	out := empties{}
	for i, e := range d.all {
		switch {
		case e.kind == unstable.Table && !slices.ContainsFunc(d.all, func(x expression) bool { return x.within == i }):
			out[out.at(e.key)] = ""
		case e.kind == unstable.KeyValue && e.value == unstable.Array && len(e.array) == 0:
			out[out.at(e.key)] = string(d.data[e.from+bytes.IndexByte(d.data[e.from:], '[') : e.to])
		}
	}
	return out
}

func (d *tomlText) empty(string) bool { return blank(d.data) }

// lineEnd returns the offset after the line break that ends the line of an offset.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// block adds lines at the end of a file, with an empty line before them.
func (d *tomlText) block(lines ...string) []byte {
	out := slices.Clone(d.data)
	if n := len(out); n > 0 {
		if out[n-1] != '\n' {
			out = append(out, d.eol...)
		}
		out = append(out, d.eol...)
	}
	for _, l := range lines {
		out = append(out, l+d.eol...)
	}
	return out
}

// cutTable removes the table that begins with a header.
func (d *tomlText) cutTable(header int) []byte {
	end := d.all[header].end
	for _, x := range d.all {
		if x.within == header {
			end = x.end
		}
	}
	return d.cutBlock(d.all[header].start, end)
}

// cutBlock removes a span of whole lines, and one empty line before it.
func (d *tomlText) cutBlock(start, end int) []byte {
	if start > 0 {
		line := bytes.LastIndexByte(d.data[:start-1], '\n') + 1
		if blank(d.data[line:start]) {
			start = line
		}
	}
	return d.splice(start, end, "")
}

// tomlString writes a string. TOML accepts JSON's escapes and needs one more.
func tomlString(s string) string { return strings.ReplaceAll(quoted(s), "\x7f", `\u007f`) }
