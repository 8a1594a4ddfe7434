package storetest

import "onward/internal/store"

// Decode decodes a document of a collection without checking which name it is stored under.
func Decode(kind *store.Spec, data []byte, doc store.Document) error {
	return kind.Decode("", data, false, ofAnyName{doc})
}

type ofAnyName struct{ store.Document }

func (d ofAnyName) Head() store.Head {
	h := d.Document.Head()
	h.Name = ""
	return h
}
