package install

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// grant is a setting beside the hooks that `hooks install --allow` writes, and uninstall removes:
// the permission to run onward, or the switch of the agent's own todo tool.
type grant struct {
	path    []string // of the member, from the top
	element string   // of the array there; empty sets the member itself
	value   string   // of the member, as compact JSON
	need    string   // what the user has to do where it is not set; empty where it need not be
}

// name identifies a grant in a receipt.
func (g grant) name() string { return strings.Join(append(slices.Clone(g.path), g.element), "/") }

// find returns the objects on the way to a grant, as far as they are there, and its place in the innermost
// object or array; -1 where it is not set. own is false where somebody gave the member another value.
func (g grant) find(d *document) (way []*hujson.Object, list *hujson.Array, at int, own bool) {
	o, ok := d.root.Value.(*hujson.Object)
	for i := 0; ok; i++ {
		way = append(way, o)
		m := slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return memberName(m) == g.path[i] })
		if m < 0 {
			return way, nil, -1, true
		}
		v := o.Members[m].Value.Value
		if i < len(g.path)-1 {
			o, ok = v.(*hujson.Object)
			continue
		}
		if g.element == "" {
			text, isLiteral := v.(hujson.Literal)
			return way, nil, m, isLiteral && string(text) == g.value
		}
		list, _ = v.(*hujson.Array)
		if list == nil {
			return way, nil, -1, false
		}
		return way, list, slices.IndexFunc(list.Elements, func(e hujson.Value) bool {
			text, isLiteral := e.Value.(hujson.Literal)
			return isLiteral && text.Kind() == '"' && text.String() == g.element
		}), true
	}
	return way, nil, -1, false
}

// set reports whether a grant is in a file.
func (g grant) set(d *document) bool {
	_, _, at, own := g.find(d)
	return at >= 0 && own
}

// put sets a grant. A member to which somebody gave another value keeps it.
func (g grant) put(d *document) error {
	if _, _, at, own := g.find(d); at >= 0 || !own {
		return nil
	}
	o, indent := d.root.Value.(*hujson.Object), ""
	last := len(g.path) - 1
	for _, name := range g.path[:last] {
		v, inner, err := d.enter(o, indent, name, "{}")
		if err != nil {
			return err
		}
		o, indent = v.(*hujson.Object), inner // find went this way before
	}
	if g.element == "" {
		return d.appendMember(o, indent, g.path[last], []byte(g.value))
	}
	list, inner, err := d.array(o, indent, g.path[last])
	if err != nil {
		return err
	}
	return d.appendElement(list, inner, text(nil, g.element))
}

// cut removes a grant, and what is empty then.
func (g grant) cut(d *document) {
	way, list, at, own := g.find(d)
	if at < 0 || !own {
		return
	}
	if list != nil {
		if removeElement(list, at); len(list.Elements) > 0 || !blank(list.AfterExtra) {
			return
		}
	}
	for i, o := range slices.Backward(way) {
		m := slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return memberName(m) == g.path[i] })
		if removeMember(o, m); len(o.Members) > 0 || !blank(o.AfterExtra) {
			return
		}
	}
}

// putGrants writes the grants of a file.
func (f *hooksFile) putGrants(data []byte) ([]byte, error) {
	if !f.allow || len(f.grants) == 0 {
		return data, nil
	}
	d, err := parseDocument(data, f.strict)
	for _, g := range f.grants {
		if err == nil {
			err = g.put(d)
		}
	}
	if err != nil {
		return nil, err
	}
	return d.bytes(), nil
}

// cutGrants removes those grants that an install added.
func (f *hooksFile) cutGrants(data []byte, granted []string) ([]byte, error) {
	if data == nil || len(granted) == 0 {
		return data, nil
	}
	d, err := parseDocument(data, f.strict)
	if err != nil {
		return nil, err
	}
	for _, g := range f.grants {
		if slices.Contains(granted, g.name()) {
			g.cut(d)
		}
	}
	if d.empty() {
		return nil, nil
	}
	return d.bytes(), nil
}

// granted returns the names of the grants that a file has, and what is needed in place of the others.
func (f *hooksFile) granted(data []byte) (names, needs []string) {
	d, err := parseDocument(data, f.strict)
	if err != nil {
		return nil, nil
	}
	for _, g := range f.grants {
		switch {
		case g.set(d):
			names = append(names, g.name())
		case g.need != "":
			needs = append(needs, g.need)
		}
	}
	return names, needs
}
