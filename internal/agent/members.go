package agent

import "unicode/utf8"

// members reads an object by the list of its members, which a type declares once, as object.Fields does for onward's own documents.
// Each call of the list reads its member where that comes next, so members in another order take more than one pass.
// Members that the list does not have are skipped; a name must be in it once.
type members walker

// reading is how far the members of an object are read.
type reading struct {
	name []byte // of the member whose value comes next
	more bool   // there is one
	any  bool   // something was read in this round
}

// members reads an object by its list. A value of another kind is skipped.
func (w *walker) members(list func(*members)) {
	outer := w.reading
	name, more := w.object()
	for w.reading = (reading{name: name, more: more}); w.more; {
		w.any = false
		if list((*members)(w)); !w.any {
			w.skip()
			w.name, w.more = w.key()
		}
	}
	w.reading = outer
}

// member reads a member's value, and goes to the next one.
func (m *members) member(name string, read func(*walker)) {
	if m.more && string(m.name) == name {
		w := (*walker)(m)
		read(w)
		w.any = true
		w.name, w.more = w.key()
	}
}

func (m *members) word(name string, to *word) { m.member(name, func(k *walker) { *to = k.word() }) }

func (m *members) text(name string, to *word) { m.member(name, func(k *walker) { *to = k.text() }) }

func (m *members) value(name string, to *value) { m.member(name, func(k *walker) { *to = k.value() }) }

func (m *members) truth(name string, to *bool) { m.member(name, func(k *walker) { *to = k.truth() }) }

func (m *members) words(name string, to *[]string) {
	m.member(name, func(k *walker) { *to = k.words() })
}

// object reads an object by its own list.
func (m *members) object(name string, list func(*members)) {
	m.member(name, func(k *walker) { k.members(list) })
}

// readLine reads a line, which must be one object.
func readLine(line []byte, list func(*members)) error {
	k := walker{b: line}
	if k.members(list); !k.done() || !utf8.Valid(line) {
		return errNotJSON
	}
	return nil
}
