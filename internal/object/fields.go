package object

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Object is a type that lists its members in their order. One list serves for reading and for writing.
type Object interface{ Fields(f *Fields) }

// Fields goes through the list of members of an object. When writing, each call writes its member. When reading, the
// call with the name of the next member in the text reads it; if the text has another order than the list, the list is
// gone through again. After OmitEmpty, the next call writes nothing if the value is empty.
type Fields struct {
	r *Reader // nil when writing
	w *Writer

	omits  bool   // the next member is left out if it is empty
	name   []byte // of the next member, until its value is read; empty if there is none
	taken  bool   // its value was read, so the next name follows in the text
	any    bool   // a value was read in this pass through the list
	needed []string
	there  uint64 // which of the required members were found, a bit for each
	rest   jsontext.Value
	ended  bool // the object has no further member
}

// Read reads an object by its list.
func (r *Reader) Read(o Object) {
	if !r.open('{', "an object") {
		return
	}
	f := r.spare // reused from an object that was read before, since a long list has many
	if r.spare = nil; f == nil {
		f = new(Fields)
	}
	*f = Fields{r: r, taken: true, needed: f.needed[:0]}
	for {
		f.any = false
		o.Fields(f)
		if f.advance(); len(f.name) == 0 {
			break
		}
		if !f.any {
			f.rest, f.taken = r.appendUnknown(f.rest, string(f.name)), true
		}
	}
	switch f.rest = r.close(f.rest, f.there, f.needed); {
	case f.rest == nil:
	case r.strict:
		r.Errorf("members that are not known: %s", f.rest)
	default:
		f.ended = true
		o.Fields(f)
	}
	r.spare = f
}

// advance reads the name of the next member, once the value of the last one is read.
func (f *Fields) advance() {
	for more := true; f.taken && more; {
		f.taken = false
		if f.name, more = f.r.next(); more && len(f.name) == 0 {
			f.rest, f.taken = f.r.appendUnknown(f.rest, ""), true // the list does not have it
		}
	}
}

// Write writes an object by its list, as a value.
func (w *Writer) Write(o Object) {
	w.Open('{')
	w.Members(o)
	w.Close('}')
}

// Members writes the members of an object, without its braces.
func (w *Writer) Members(o Object) {
	w.fields.w = w
	o.Fields(&w.fields)
}

// Reading reports whether the object is being read.
func (f *Fields) Reading() bool { return f.r != nil }

// Writer returns the writer of the object; nil when reading.
func (f *Fields) Writer() *Writer { return f.w }

// Require names the members that an object must have; see Reader.Missing. It is the first call of a list of members.
func (f *Fields) Require(names ...string) {
	if f.r != nil {
		f.needed = append(f.needed[:0], names...) // reuses the memory: a long list requires them for each item
	}
}

// Unknown keeps the members that the list does not have, and writes them.
func (f *Fields) Unknown(unknown *jsontext.Value) {
	switch {
	case f.r == nil:
		f.w.unknown(*unknown)
	case f.ended:
		*unknown = f.rest
	}
}

// Skip skips members that another function reads and writes.
func (f *Fields) Skip(names ...string) {
	for _, name := range names {
		if f.found(name) {
			f.r.Skip()
		}
	}
}

// found reports whether a member is to be read now.
func (f *Fields) found(name string) bool {
	if f.r == nil || f.ended {
		return false
	}
	if f.taken {
		f.advance()
	}
	if string(f.name) != name {
		return false
	}
	f.taken, f.any = true, true
	for i := range f.needed {
		if f.needed[i] == name {
			f.there |= 1 << i
		}
	}
	return true
}

// OmitEmpty lets the next member be left out if it is empty.
func (f *Fields) OmitEmpty() *Fields {
	f.omits = true
	return f
}

// writes reports whether a member is to be written now.
func (f *Fields) writes(empty bool) bool {
	some := !empty || !f.omits
	f.omits = false
	return f.r == nil && some
}

// begins begins a member on the way out, unless it is left out.
func (f *Fields) begins(name string, empty bool) bool {
	if !f.writes(empty) {
		return false
	}
	f.w.Name(name)
	return true
}

// Text reads and writes a string.
func Text[T ~string](f *Fields, name string, s *T) { text(f, name, s, (*Reader).String) }

// Interned is Text for one of a few strings, and keeps each in memory once.
func Interned[T ~string](f *Fields, name string, s *T) { text(f, name, s, (*Reader).interned) }

func text[T ~string](f *Fields, name string, s *T, read func(*Reader) string) {
	if f.found(name) {
		*s = T(read(f.r))
	} else if f.begins(name, *s == "") {
		f.w.value(string(*s))
	}
}

// Time reads and writes a time in milliseconds since the Unix epoch.
func Time[T ~int64](f *Fields, name string, at *T) {
	if f.found(name) {
		*at = T(f.r.Millis())
	} else if f.writes(*at == 0) {
		f.w.TimeMillis(name, int64(*at))
	}
}

// Strings reads and writes an array of strings.
func Strings[T ~string](f *Fields, name string, list *[]T) {
	if f.found(name) {
		f.r.Array(func() { *list = append(*list, T(f.r.String())) })
	} else if f.begins(name, len(*list) == 0) {
		f.w.Open('[')
		for _, s := range *list {
			f.w.value(string(s))
		}
		f.w.Close(']')
	}
}

// Uint reads and writes a whole number that is not negative.
func (f *Fields) Uint(name string, n *uint64) { member(f, name, n, (*Reader).uint64, (*Writer).Uint) }

// Int is Uint for an int.
func (f *Fields) Int(name string, n *int) { member(f, name, n, (*Reader).int, (*Writer).Int) }

// SignedInt is Int for a number of 32 bits that may be negative.
func (f *Fields) SignedInt(name string, n *int) { member(f, name, n, (*Reader).integer, (*Writer).Int) }

// Bool reads and writes true or false.
func (f *Fields) Bool(name string, b *bool) { member(f, name, b, (*Reader).Bool, (*Writer).Bool) }

// member reads and writes a value that is empty if it is zero.
func member[T comparable](f *Fields, name string, v *T, read func(*Reader) T, write func(*Writer, string, T)) {
	if f.found(name) {
		*v = read(f.r)
	} else if f.writes(*v == *new(T)) {
		write(f.w, name, *v)
	}
}

// Raw reads and writes any value unchanged.
func (f *Fields) Raw(name string, v *jsontext.Value) {
	if f.found(name) {
		*v = f.r.Raw()
	} else if f.begins(name, false) {
		f.w.Raw(*v)
	}
}

// Value reads and writes a member that has a form of its own.
func (f *Fields) Value(name string, read func(*Reader), write func(*Writer)) {
	if f.found(name) {
		read(f.r)
	} else if f.begins(name, false) {
		write(f.w)
	}
}

// Object reads and writes an object within this one.
func (f *Fields) Object(name string, o Object) {
	if f.found(name) {
		f.r.Read(o)
	} else if f.begins(name, false) {
		f.w.Write(o)
	}
}

// pointer is *T, which lists its members.
type pointer[T any] interface {
	*T
	Object
}

// Pointer is Object for one that is omitted if nil. Null counts as missing.
func Pointer[T any, P pointer[T]](f *Fields, name string, o **T) {
	if f.found(name) {
		if !f.r.Null() {
			*o = new(T)
			f.r.Read(P(*o))
		}
	} else if f.OmitEmpty().begins(name, *o == nil) {
		f.w.Write(P(*o))
	}
}

// List reads and writes an array of objects.
func List[T any, P pointer[T]](f *Fields, name string, list *[]T) {
	if f.found(name) {
		f.r.Array(func() {
			*list = append(*list, *new(T))
			f.r.Read(P(&(*list)[len(*list)-1]))
		})
	} else if f.begins(name, len(*list) == 0) {
		WriteList[T, P](f.w, *list)
	}
}

// ListOf returns an array of objects as a value of its own.
func ListOf[T any, P pointer[T]](list []T) jsontext.Value {
	w := NewWriter(256)
	WriteList[T, P](w, list)
	return w.Bytes()
}

// WriteList writes an array of objects, as a value.
func WriteList[T any, P pointer[T]](w *Writer, list []T) {
	w.Open('[')
	for i := range list {
		w.Write(P(&list[i]))
	}
	w.Close(']')
}

// Map reads and writes an object with strings by any names.
func Map[T ~string](f *Fields, name string, m *map[string]T) {
	if f.found(name) {
		*m = map[string]T{}
		f.r.Object(func(key string) {
			(*m)[key] = T(f.r.String())
		})
	} else if f.begins(name, len(*m) == 0) {
		f.w.Open('{')
		for _, key := range slices.Sorted(maps.Keys(*m)) {
			f.w.key(key)
			f.w.value(string((*m)[key]))
		}
		f.w.Close('}')
	}
}
