package stream

import "iter"

// A line is walked over once, into an index of its values, from which a parser takes by name what it needs.

// node is one value of a line.
type node struct {
	name []byte // of a member; nil for an element
	raw  []byte // the value as it is written
	size int    // how many nodes it has: itself and those of the values inside it
}

// Value is a value with those in it. It is valid as long as its line; nil if there is none.
type Value []node

// These limit how much of a line is indexed in advance, so that the index stays small. A value that is deeper, or is in a
// larger object or array, is indexed when a parser asks for it. Of a large object, the members after the limit are left out.
const (
	indexedLevels = 4
	usualNodes    = 128
	maxNodes      = 1 << 13
)

// indexer makes the index of a text.
type indexer struct {
	walker
	nodes []node
}

// index makes the index of a text. If the text is not exactly one value, ok is false; the members of an object before the
// error can still be read.
func (x *indexer) index(text []byte) (v Value, ok bool) {
	x.walker, x.nodes = walker{b: text}, x.nodes[:0]
	x.add(nil, indexedLevels)
	return x.nodes, x.done()
}

// Parse reads a text that is one value. If it is not, ok is false; the members of an object before the error can still be read.
func Parse(text []byte) (v Value, ok bool) { return new(indexer).index(text) }

// ValueOf is the value that a text is.
func ValueOf(text []byte) Value {
	v, _ := Parse(text)
	return v
}

// Name is the name of a member; nil for an element.
func (v Value) Name() []byte { return v[0].name }

// add adds a value, and the values inside it down to a depth.
func (x *indexer) add(name []byte, levels int) {
	kind, start, at, full := x.peek(), x.i, len(x.nodes), false
	x.nodes = append(x.nodes, node{name: name})
	switch {
	case levels == 0:
		x.skip()
	case kind == '{':
		for name, more := x.object(); more; name, more = x.nextKey() {
			full = x.child(name, levels-1, full)
		}
	case kind == '[':
		for x.array(); x.element(); {
			full = x.child(nil, levels-1, full)
		}
	default:
		x.skip()
	}
	switch {
	case x.bad && (at > 0 || kind != '{'):
		x.nodes = x.nodes[:at]
		return
	case full && at > 0:
		x.nodes = x.nodes[:at+1]
	}
	n := &x.nodes[at]
	n.raw, n.size = x.b[start:x.i], len(x.nodes)-at
}

// child adds a member or an element, and reports whether the index has become full.
func (x *indexer) child(name []byte, levels int, full bool) bool {
	if full || len(x.nodes) >= maxNodes {
		x.skip()
		return true
	}
	x.add(name, levels)
	return false
}

// opened returns an object or array with its index, and makes it if the value was too deep or too large to be indexed before.
func (v Value) opened() Value {
	if kind := v.Kind(); len(v) == 1 && (kind == '{' || kind == '[') && len(v[0].raw) > 2 {
		return ValueOf(v[0].raw)
	}
	return v
}

// Member finds a value within objects, by the names that lead to it. Of members of one name the last one counts.
func (v Value) Member(path ...string) Value {
	for _, name := range path {
		in := v
		if len(in) == 1 {
			in = v.opened()
		}
		v = nil
		for i := 1; i < len(in); i += in[i].size {
			if string(in[i].name) == name {
				v = in[i : i+in[i].size]
			}
		}
	}
	return v
}

// Values goes through the members of an object or the elements of an array, whichever kind is asked for.
// An array without an index may be long, so its elements are indexed one by one: each is valid until the next one.
func (v Value) Values(kind byte) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != kind {
			return
		}
		if len(v) == 1 && kind == '[' {
			x := indexer{walker: walker{b: v.Raw()}}
			for x.array(); x.element(); {
				x.nodes = x.nodes[:0]
				if x.add(nil, indexedLevels); !yield(x.nodes) {
					return
				}
			}
			return
		}
		in := v.opened()
		for i := 1; i < len(in); i += in[i].size {
			if !yield(in[i : i+in[i].size]) {
				return
			}
		}
	}
}

// Objects goes through the objects of an array; other elements are left out.
func (v Value) Objects(path ...string) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for one := range v.Member(path...).Values('[') {
			if one.Kind() == '{' && !yield(one) {
				return
			}
		}
	}
}
