package install

import (
	"fmt"

	"github.com/tailscale/hujson"
)

func memberName(m hujson.ObjectMember) string {
	text, _ := m.Name.Value.(hujson.Literal)
	return text.String()
}

// member gives a member's value; nil where there is none.
func member(o *hujson.Object, name string) hujson.ValueTrimmed {
	for i := range o.Members {
		if memberName(o.Members[i]) == name {
			return o.Members[i].Value.Value
		}
	}
	return nil
}

// enter gives a member, which is made with the value given where it is missing,
// and the indentation of its line.
func (d *document) enter(o *hujson.Object, base, name, value string) (hujson.ValueTrimmed, string, error) {
	at := -1
	for i := range o.Members {
		if memberName(o.Members[i]) != name {
			continue
		}
		if at >= 0 {
			return nil, "", fmt.Errorf("%w: it has %q twice", ErrParse, name)
		}
		at = i
	}
	if at < 0 {
		if err := d.appendMember(o, base, name, []byte(value)); err != nil {
			return nil, "", err
		}
		at = len(o.Members) - 1
	}
	indent := base
	if own, broken := lastLine(o.Members[at].Name.BeforeExtra); broken {
		indent = own
	}
	return o.Members[at].Value.Value, indent, nil
}

// object gives a member that is an object.
func (d *document) object(o *hujson.Object, name string) (*hujson.Object, string, error) {
	v, indent, err := d.enter(o, "", name, "{}")
	if err != nil {
		return nil, "", err
	}
	inner, ok := v.(*hujson.Object)
	if !ok {
		return nil, "", fmt.Errorf("%w: %q is no object", ErrParse, name)
	}
	return inner, indent, nil
}

// array gives a member that is an array.
func (d *document) array(o *hujson.Object, base, name string) (*hujson.Array, string, error) {
	v, indent, err := d.enter(o, base, name, "[]")
	if err != nil {
		return nil, "", err
	}
	list, ok := v.(*hujson.Array)
	if !ok {
		return nil, "", fmt.Errorf("%w: %q is no array", ErrParse, name)
	}
	return list, indent, nil
}

// flag gives a boolean setting at a path; ok is false where it is not set.
func flag(data []byte, path string) (on, ok bool) {
	d, err := parseDocument(data, false)
	if err != nil {
		return false, false
	}
	v := d.root.Find(path)
	if v == nil {
		return false, false
	}
	text, isLiteral := v.Value.(hujson.Literal)
	if !isLiteral || text.Kind() != 't' && text.Kind() != 'f' {
		return false, false
	}
	return text.Bool(), true
}
