package agent

import "iter"

// A line is walked over once, into an index of its values, from which a parser takes by name what it needs.

// node is one value of a line.
type node struct {
	name []byte // of a member; nil for an element
	raw  []byte // the value as it is written
	size int    // how many nodes it takes: its own, and those of the values in it
}

// value is a value with those in it. It is valid as long as its line; nil if there is none.
type value []node

// How much of a line is indexed at once, so that its index is small. What is deeper, or in an object or array
// that has more, is indexed when it is asked for; of a large object, the members after the limit are left out.
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

// index makes the index of a text. If that is not one value, ok is false, and of an object the
// members before the fault are there.
func (x *indexer) index(text []byte) (v value, ok bool) {
	x.walker, x.nodes = walker{b: text}, x.nodes[:0]
	x.add(nil, indexedLevels)
	return x.nodes, x.done()
}

// valueOf is the value that a text is.
func valueOf(text []byte) value {
	v, _ := new(indexer).index(text)
	return v
}

// add adds a value, and so many levels of those in it.
func (x *indexer) add(name []byte, levels int) {
	kind, start, at, full := x.peek(), x.i, len(x.nodes), false
	x.nodes = append(x.nodes, node{name: name})
	switch {
	case levels == 0:
		x.skip()
	case kind == '{':
		for name, more := x.object(); more; name, more = x.key() {
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

// opened is an object or array with its index, which it has not yet where it is deep in a line or large.
func (v value) opened() value {
	if kind := v.kind(); len(v) == 1 && (kind == '{' || kind == '[') && len(v[0].raw) > 2 {
		return valueOf(v[0].raw)
	}
	return v
}

// member finds a value within objects, by the names that lead to it. Of members of one name the last one counts.
func (v value) member(path ...string) value {
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

// values goes through the members of an object or the elements of an array, whichever kind is asked for.
// An array that is not indexed may be long: each of its elements is indexed by itself, and valid until the next.
func (v value) values(kind byte) iter.Seq[value] {
	return func(yield func(value) bool) {
		if v.kind() != kind {
			return
		}
		if len(v) == 1 && kind == '[' {
			x := indexer{walker: walker{b: v.raw()}}
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

// objects goes through the objects of an array; other elements are left out.
func (v value) objects(path ...string) iter.Seq[value] {
	return func(yield func(value) bool) {
		for one := range v.member(path...).values('[') {
			if one.kind() == '{' && !yield(one) {
				return
			}
		}
	}
}
