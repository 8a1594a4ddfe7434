package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"

	"onward/internal/agents/settings"
)

// jsonText is a settings file in JSON. hujson finds the places, and the edits are made in the text itself:
// hujson's Patch has a layout of its own, which would need the whole file to be formatted.
type jsonText struct {
	text
	root hujson.Value
	top  container
	unit string // one step of indentation
	flat bool   // everything is on one line
	kept empties
}

// container is an object or an array.
type container struct {
	start, end int // after its opening bracket, and before its closing one
	children   []child
	rest       hujson.Extra // the text before the closing bracket
}

// child is a member or an element.
type child struct {
	name  string
	space hujson.Extra // before it, with comments
	start int
	next  int // after the comma that follows; if there is none, after the value
	value hujson.Value
}

// childrenOf returns the children of an object or an array; none if the value is of another kind.
func childrenOf(v hujson.Value, kind hujson.Kind) (b container) {
	if v.Value.Kind() != kind {
		return b
	}
	b.start, b.end = v.StartOffset+1, v.EndOffset-1
	add := func(name string, first, v hujson.Value, last bool) {
		next := v.EndOffset
		if !last || v.AfterExtra != nil {
			next += len(v.AfterExtra) + 1
		}
		b.children = append(b.children, child{name, first.BeforeExtra, first.StartOffset, next, v})
	}
	switch v := v.Value.(type) {
	case *hujson.Object:
		b.rest = v.AfterExtra
		for i, m := range v.Members {
			name, _ := m.Name.Value.(hujson.Literal)
			add(name.String(), m.Name, m.Value, i == len(v.Members)-1)
		}
	case *hujson.Array:
		b.rest = v.AfterExtra
		for i, e := range v.Elements {
			add("", e, e, i == len(v.Elements)-1)
		}
	}
	return b
}

func (b container) find(name string) int {
	return slices.IndexFunc(b.children, func(k child) bool { return k.name == name })
}

// parseJSON reads a settings file; an empty file counts as an empty object.
func parseJSON(data []byte) (*jsonText, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: it is not UTF-8", ErrParse)
	}
	root, err := hujson.Parse(slices.Clone(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrParse, strings.TrimPrefix(err.Error(), "hujson: "))
	}
	d := &jsonText{text: newText(data), root: root, unit: "  "}
	if root.Value.Kind() != '{' {
		return nil, fmt.Errorf("%w: it holds no object", ErrParse)
	}
	d.top = childrenOf(root, '{')
	if len(d.top.children) > 0 {
		first := d.top.children[0]
		d.flat = bytes.IndexByte(data[d.top.start:d.top.end], '\n') < 0
		if indent := d.indent(first.start); indent != "" && first.ownLine() {
			d.unit = indent
		}
	}
	return d, nil
}

func (k child) ownLine() bool { return bytes.IndexByte(k.space, '\n') >= 0 }

// indent returns the white space at the beginning of the line of a place.
func (d *jsonText) indent(at int) string {
	start := bytes.LastIndexByte(d.data[:at], '\n') + 1
	rest := d.data[start:at]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}

// insert adds a child at the end of an object or array, in the layout of the others; value is compact JSON.
func (d *jsonText) insert(b container, name, value string) []byte {
	if len(b.children) > 0 {
		return d.insertAfter(b, name, value)
	}
	if d.flat {
		return d.splice(b.start, b.start, compose(name, "", value))
	}
	outer := d.indent(b.start)
	inner := outer + d.unit
	comments := string(trimSpace(b.rest))
	return d.splice(b.start, b.end, comments+d.eol+inner+compose(name, " ", d.lines(value, inner))+d.eol+outer)
}

// insertAfter adds a child after others. Comments after the last one stay with it.
func (d *jsonText) insertAfter(b container, name, value string) []byte {
	first, last := b.children[0], b.children[len(b.children)-1]
	comments := string(trimSpace(b.rest))
	indent, separator := d.indent(last.start), ""
	switch {
	case last.ownLine():
		separator = d.eol + indent
	case first.ownLine():
		indent = d.indent(first.start)
		separator = d.eol + indent
	case strings.Contains(comments, "//"):
		separator = d.eol
	case len(b.children) > 1 && blank(b.children[1].space):
		separator = string(b.children[1].space)
	case !d.flat:
		separator = " "
	}
	if name != "" && !d.flat || strings.HasSuffix(separator, "\n"+indent) {
		value = d.lines(value, indent)
	}
	colon := string(last.value.BeforeExtra)
	if strings.Trim(colon, " \t") != "" {
		colon = " "
	}
	added, end := separator+compose(name, colon, value), last.value.EndOffset
	if last.next > end {
		added += ","
	}
	at := last.next + len(comments)
	out := d.splice(at, at, added)
	if last.next == end {
		out = slices.Insert(out, end, ',')
	}
	return out
}

// lines lays out a value whose first line is indented as given.
func (d *jsonText) lines(value, indent string) string {
	text := jsontext.Value(value)
	_ = text.Indent(jsontext.WithIndentPrefix(indent), jsontext.WithIndent(d.unit)) // it is JSON of our own
	return strings.ReplaceAll(string(text), "\n", d.eol)
}

// compose returns the text of a member, or of an element if the name is empty.
func compose(name, colon, value string) string {
	if name == "" {
		return value
	}
	return quoted(name) + ":" + colon + value
}

// trimSpace removes the white space at the end of comments.
func trimSpace(extra []byte) []byte { return bytes.TrimRight(extra, " \t\r\n") }

// level is a container on the way to a value, with the index of the child that leads there.
type level struct {
	container
	at int
}

// removeValue removes the value at the end of a way, and each container on the way that becomes empty by that.
// Comments before it belong to the previous child, and stay.
func (d *jsonText) removeValue(way []level) []byte {
	alone := func(b container) bool {
		return len(b.children) == 1 && blank(b.children[0].space) && blank(b.rest)
	}
	i := len(way) - 1
	inside, stays := d.wasEmpty(way[:i])
	for i > 0 && alone(way[i].container) && !stays {
		i--
		inside, stays = d.wasEmpty(way[:i])
	}
	b, at := way[i].container, way[i].at
	if alone(b) {
		return d.splice(b.start, b.end, inside)
	}
	k := b.children[at]
	from, to := k.start-len(k.space), k.next
	comments := string(trimSpace(k.space))
	if at > 0 && to == k.value.EndOffset {
		from-- // it was the last, so the comma before it goes
	}
	lastLine := comments[strings.LastIndexByte(comments, '\n')+1:]
	if rest := bytes.TrimLeft(d.data[to:], " \t\r"); strings.Contains(lastLine, "//") && !bytes.HasPrefix(rest, []byte("\n")) {
		comments += d.eol
	}
	return d.splice(from, to, comments)
}

// wasEmpty reports whether the container at the end of a way was empty before the install, and the text inside it.
func (d *jsonText) wasEmpty(way []level) (inside string, stays bool) {
	path := make([]string, len(way))
	for i, h := range way {
		if path[i] = h.children[h.at].name; path[i] == "" {
			return "", false // within a list
		}
	}
	inside, stays = d.kept[d.kept.at(path)]
	return inside, stays
}

func (d *jsonText) keep(kept empties) { d.kept = kept }

func (d *jsonText) emptyContainers() empties {
	out := empties{}
	var visit func(path []string, v hujson.Value)
	visit = func(path []string, v hujson.Value) {
		b := childrenOf(v, v.Value.Kind())
		switch kind := v.Value.Kind(); {
		case kind != '{' && kind != '[':
		case len(b.children) == 0:
			out[out.at(path)] = string(d.data[b.start:b.end])
		case kind == '{':
			for _, k := range b.children {
				visit(append(slices.Clone(path), k.name), k.value)
			}
		}
	}
	visit(nil, d.root)
	return out
}

// follow finds the value at a path of members.
func (d *jsonText) follow(path ...string) (way []level, value hujson.Value, found bool) {
	value = d.root
	for _, name := range path {
		b := childrenOf(value, '{')
		at := b.find(name)
		if at < 0 {
			return nil, value, false
		}
		way = append(way, level{b, at})
		value = b.children[at].value
	}
	return way, value, true
}

// add adds an element to the array at a path, or a missing member. It also adds what is missing on the way; value is
// compact JSON.
func (d *jsonText) add(path []string, value string, element bool) ([]byte, error) {
	b := d.top
	for i, name := range path {
		at := b.find(name)
		if at < 0 {
			if element {
				value = "[" + value + "]"
			}
			for _, inner := range slices.Backward(path[i+1:]) {
				value = "{" + quoted(inner) + ":" + value + "}"
			}
			return d.insert(b, name, value), nil
		}
		if slices.ContainsFunc(b.children[at+1:], func(k child) bool { return k.name == name }) {
			return nil, fmt.Errorf("%w: it has %q twice", ErrParse, name)
		}
		kind, what := hujson.Kind('{'), "object"
		if i == len(path)-1 {
			kind, what = '[', "array"
		}
		if b.children[at].value.Value.Kind() != kind {
			return nil, fmt.Errorf("%w: %q is no %s", ErrParse, name, what)
		}
		b = childrenOf(b.children[at].value, kind)
	}
	return d.insert(b, "", value), nil
}

func quoted(s string) string {
	b, _ := jsontext.AppendQuote(nil, s)
	return string(b)
}

// hooks returns the hooks of all events. Each event has a list of hooks, or of groups of hooks.
func (d *jsonText) hooks() (all []entry) {
	at := d.top.find("hooks")
	if at < 0 {
		return nil
	}
	events := childrenOf(d.top.children[at].value, '{')
	for i, event := range events.children {
		list := childrenOf(event.value, '[')
		for j, element := range list.children {
			way := []level{{d.top, at}, {events, i}, {list, j}}
			group := childrenOf(element.value, '{')
			k := group.find("hooks")
			if k < 0 {
				all = append(all, d.entry(event.name, group, way))
				continue
			}
			inner := childrenOf(group.children[k].value, '[')
			for l, h := range inner.children {
				// The group is removed with its last hook, with everything else in it.
				all = append(all, d.entry(event.name, childrenOf(h.value, '{'), append(way[:3:3], level{inner, l})))
			}
		}
	}
	return all
}

func (d *jsonText) entry(event string, members container, way []level) entry {
	h := entry{event: event, fields: map[string]field{}, remove: func() []byte { return d.removeValue(way) }}
	for _, k := range members.children {
		if l, ok := k.value.Value.(hujson.Literal); ok {
			h.fields[k.name] = field{l.String(), func(by settings.Member) []byte {
				return d.splice(k.value.StartOffset, k.value.EndOffset, jsonValue(by))
			}}
		}
	}
	return h
}

func (d *jsonText) addHook(event string, members []settings.Member, grouped bool) ([]byte, error) {
	text := make([]string, len(members))
	for i, m := range members {
		text[i] = quoted(m.Name) + ":" + jsonValue(m)
	}
	hook := "{" + strings.Join(text, ",") + "}"
	if grouped {
		hook = `{"hooks":[` + hook + "]}"
	}
	return d.add([]string{"hooks", event}, hook, true)
}

func jsonValue(m settings.Member) string {
	if m.Kind == settings.TimeLimit {
		return m.Text
	}
	return quoted(m.Text)
}

func (d *jsonText) grant(g settings.Grant) (remove func() []byte, foreign bool) {
	way, value, found := d.follow(g.Path...)
	switch {
	case !found:
		return nil, false
	case g.Element == "":
		if l, ok := value.Value.(hujson.Literal); !ok || string(l) != g.Value {
			return nil, true
		}
	case value.Value.Kind() != '[':
		return nil, true
	default:
		list := childrenOf(value, '[')
		at := slices.IndexFunc(list.children, func(k child) bool {
			l, ok := k.value.Value.(hujson.Literal)
			return ok && l.Kind() == '"' && l.String() == g.Element
		})
		if at < 0 {
			return nil, false
		}
		way = append(way, level{list, at})
	}
	return func() []byte { return d.removeValue(way) }, false
}

func (d *jsonText) putGrant(g settings.Grant) ([]byte, error) {
	if g.Element != "" {
		return d.add(g.Path, quoted(g.Element), true)
	}
	return d.add(g.Path, g.Value, false)
}

// empty reports whether the file has no member but the given one.
func (d *jsonText) empty(but string) bool {
	children, extra := d.top.children, slices.Concat(d.root.BeforeExtra, d.root.AfterExtra, d.top.rest)
	if len(children) == 0 {
		return blank(extra)
	}
	return len(children) == 1 && children[0].name == but && blank(extra) && blank(children[0].space)
}
