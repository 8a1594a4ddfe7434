package storetest

import "onward/internal/store"

// Decode reads a document whatever its name is.
func Decode(kind *store.Spec, data []byte, doc store.Document) error {
	return kind.Decode("", data, false, ofAnyName{doc})
}

type ofAnyName struct{ store.Document }

func (d ofAnyName) Head() store.Head {
	h := d.Document.Head()
	h.Name = ""
	return h
}
