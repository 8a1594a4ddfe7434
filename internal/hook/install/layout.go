package install

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// maxSettings is how large a settings file may be, and maxNesting how deep.
// The parser recurses, and what a stack cannot hold would end the program.
const (
	maxSettings = 4 << 20
	maxNesting  = 512
)

// document is a JSON file that is edited in place: what is not touched keeps its bytes.
type document struct {
	bom  bool
	root hujson.Value
	unit string // one step of indentation
	eol  string
	flat bool // the file has everything on one line
}

const bom = "\uFEFF"

// parseDocument reads a settings file; no bytes at all are an empty object.
// Where strict is set, comments and trailing commas are refused, since the agent could not read them.
func parseDocument(data []byte, strict bool) (*document, error) {
	d := &document{unit: "  ", eol: "\n"}
	data, d.bom = bytes.CutPrefix(data, []byte(bom))
	if len(data) > maxSettings {
		return nil, fmt.Errorf("%w: it has more than %d bytes", ErrParse, maxSettings)
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: it is not UTF-8", ErrParse)
	}
	if nesting(data) > maxNesting {
		return nil, fmt.Errorf("%w: it nests deeper than %d", ErrParse, maxNesting)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	root, err := hujson.Parse(slices.Clone(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrParse, bytes.TrimPrefix([]byte(err.Error()), []byte("hujson: ")))
	}
	if strict && !root.IsStandard() {
		return nil, fmt.Errorf("%w: it has comments or a trailing comma, which the agent does not read", ErrParse)
	}
	d.root = root
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%w: it holds no object", ErrParse)
	}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		d.eol = "\r\n"
	}
	if len(top.Members) > 0 {
		before := top.Members[0].Name.BeforeExtra
		d.flat = !bytes.Contains(data[root.StartOffset:root.EndOffset], []byte("\n"))
		if indent, broken := lastLine(before); broken && indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

// bytes gives the file's text.
func (d *document) bytes() []byte {
	text := d.root.Pack()
	if d.bom {
		text = append([]byte(bom), text...)
	}
	return text
}

// empty reports whether nothing is left but an empty object.
func (d *document) empty() bool {
	top := d.root.Value.(*hujson.Object)
	return len(top.Members) == 0 && blank(top.AfterExtra) && blank(d.root.BeforeExtra) && blank(d.root.AfterExtra)
}

// nesting gives a bound of how deep a text nests; brackets in comments count as well.
func nesting(data []byte) int {
	deepest, at, inString := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case c == '\n':
			inString = false // no string of JSON has one
		case inString:
		case c == '{' || c == '[':
			at++
			deepest = max(deepest, at)
		case c == '}' || c == ']':
			at--
		}
	}
	return deepest
}

func blank(extra []byte) bool { return len(bytes.TrimSpace(extra)) == 0 }

// lastLine gives what follows the last line break of white space and comments; broken is false without one.
func lastLine(extra []byte) (indent string, broken bool) {
	i := bytes.LastIndexByte(extra, '\n')
	if i < 0 {
		return "", false
	}
	rest := extra[i+1:]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]), true
}

// container is an object or array, as far as its layout goes.
type container struct {
	before []*hujson.Extra // before each child
	last   *hujson.Value   // the last child; nil in an empty one
	after  *hujson.Extra   // before the closing bracket
}

func ofObject(o *hujson.Object) container {
	c := container{after: &o.AfterExtra}
	for i := range o.Members {
		c.before = append(c.before, &o.Members[i].Name.BeforeExtra)
		c.last = &o.Members[i].Value
	}
	return c
}

func ofArray(a *hujson.Array) container {
	c := container{after: &a.AfterExtra}
	for i := range a.Elements {
		c.before = append(c.before, &a.Elements[i].BeforeExtra)
		c.last = &a.Elements[i]
	}
	return c
}

// grow prepares a container for one more child at its end, as its other children are laid out.
// base is the indentation of the line that the container is on.
// It gives what stands before the child, the child's indentation,
// and whether the child is to be on one line.
func (d *document) grow(c container, base string) (before hujson.Extra, indent string, line bool) {
	indent = base + d.unit
	switch {
	case len(c.before) == 0 && d.flat:
		return nil, "", true
	case len(c.before) == 0:
		tail := d.eol + base
		before = append(bytes.TrimRight(*c.after, " \t\r\n"), d.eol+indent...)
		*c.after = hujson.Extra(tail)
		return before, indent, false
	}
	sibling, broken := lastLine(*c.before[len(c.before)-1])
	if !broken {
		sibling, broken = lastLine(*c.before[0])
	}
	// The comments after the last child stay with it, in front of the new one.
	comments := bytes.TrimRight(*c.after, " \t\r\n")
	tail := (*c.after)[len(comments):]
	before = slices.Clone(comments)
	if !broken {
		if bytes.Contains(comments, []byte("//")) {
			before = append(before, d.eol...)
		} else if len(c.before) > 1 {
			before = append(before, bytes.TrimRight(*c.before[1], "\r\n")...)
		} else if !d.flat {
			before = append(before, ' ')
		}
		*c.after = slices.Clone(tail)
		return before, base, true
	}
	before = append(before, d.eol+sibling...)
	*c.after = slices.Clone(tail)
	return before, sibling, false
}

// appendMember adds a member at the end of an object; value is compact JSON.
func (d *document) appendMember(o *hujson.Object, base, name string, value []byte) error {
	c := ofObject(o)
	before, indent, line := d.grow(c, base)
	v, err := d.render(value, indent, line)
	if err != nil {
		return err
	}
	if c.last != nil && c.last.AfterExtra != nil {
		v.AfterExtra = hujson.Extra{} // the object is one with a comma after its last member
	}
	if !d.flat {
		v.BeforeExtra = hujson.Extra(" ")
	}
	if c.last != nil {
		v.BeforeExtra = slices.Clone(c.last.BeforeExtra)
		if bytes.ContainsAny(v.BeforeExtra, "\r\n/") {
			v.BeforeExtra = hujson.Extra(" ")
		}
	}
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: before, Value: hujson.String(name)},
		Value: v,
	})
	return nil
}

// appendElement adds an element at the end of an array; value is compact JSON.
func (d *document) appendElement(a *hujson.Array, base string, value []byte) error {
	c := ofArray(a)
	before, indent, line := d.grow(c, base)
	v, err := d.render(value, indent, line)
	if err != nil {
		return err
	}
	if c.last != nil && c.last.AfterExtra != nil {
		v.AfterExtra = hujson.Extra{}
	}
	v.BeforeExtra = before
	a.Elements = append(a.Elements, v)
	return nil
}

// render lays out a value whose first line is indented as given.
func (d *document) render(value []byte, indent string, line bool) (hujson.Value, error) {
	text := jsontext.Value(slices.Clone(value))
	if !line {
		if err := text.Indent(jsontext.WithIndentPrefix(indent), jsontext.WithIndent(d.unit)); err != nil {
			return hujson.Value{}, err
		}
		if d.eol != "\n" {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte(d.eol))
		}
	}
	return hujson.Parse(text)
}

// removeMember takes a member out.
func removeMember(o *hujson.Object, i int) {
	shrink(ofObject(o), i)
	comma := o.Members[i].Value.AfterExtra != nil
	o.Members = slices.Delete(o.Members, i, i+1)
	if n := len(o.Members); n > 0 && i == n {
		keepComma(&o.Members[n-1].Value, comma, &o.AfterExtra)
	}
}

// removeElement takes an element out.
func removeElement(a *hujson.Array, i int) {
	shrink(ofArray(a), i)
	comma := a.Elements[i].AfterExtra != nil
	a.Elements = slices.Delete(a.Elements, i, i+1)
	if n := len(a.Elements); n > 0 && i == n {
		keepComma(&a.Elements[n-1], comma, &a.AfterExtra)
	}
}

// keepComma leaves a comma after the new last child just where there was one after the old.
// What stands before the comma that goes moves to the container's end.
func keepComma(last *hujson.Value, comma bool, end *hujson.Extra) {
	switch {
	case !comma:
		if !blank(last.AfterExtra) {
			*end = slices.Concat(last.AfterExtra, *end)
		}
		last.AfterExtra = nil
	case last.AfterExtra == nil:
		last.AfterExtra = hujson.Extra{}
	}
}

// shrink hands the comments before a child that goes, which belong to what is before them,
// on to the next child or to the container's end.
func shrink(c container, i int) {
	comments := bytes.TrimRight(*c.before[i], " \t\r\n")
	to := c.after
	if i < len(c.before)-1 {
		to = c.before[i+1]
	}
	if len(c.before) == 1 && len(comments) == 0 && blank(*to) {
		*to = nil
		return
	}
	joined := append(slices.Clone(comments), *to...)
	if !hujson.Extra(joined).IsValid() {
		joined = slices.Concat(comments, []byte("\n"), *to) // a comment up to the line's end needs one
	}
	*to = joined
}
