package session

import (
	"onward/internal/durable"
	"onward/internal/object"
	"onward/internal/todo"
)

// maxDocument is the limit of one document in bytes.
const maxDocument = 4 << 20

func format() durable.Format { return durable.Format{Kind: "session", Limit: maxDocument} }

// Decode reads a document strictly. What cannot be read is an error; it is never an empty list.
func Decode(data []byte) (*Document, error) { return decodeDocument(data, false) }

// decodeDocument reads a document. Edited says that a person has changed it on purpose, and that its checksum may be wrong.
func decodeDocument(data []byte, edited bool) (*Document, error) {
	var doc Document
	err := format().Decode(data, edited, func(r *object.Reader) durable.Header {
		r.Read(&doc)
		return durable.Header{Schema: doc.Schema, MinReader: doc.MinReader, Saved: doc.Rev > 0 || doc.Op != ""}
	})
	if err != nil {
		return nil, err
	}
	return &doc, check(&doc)
}

// check holds a document against the limits and the rules of a list.
func check(doc *Document) error {
	if len(doc.Todos.Items) > todo.MaxItems {
		return durable.Problem(ErrLimit, "the list has %d items, at most %d are kept", len(doc.Todos.Items), todo.MaxItems)
	}
	ids := make(map[string]bool, len(doc.Todos.Items))
	for i := range doc.Todos.Items {
		it := &doc.Todos.Items[i]
		if ids[it.ID] {
			return durable.Problem(ErrCorrupt, "the id %q stands twice in the list", it.ID)
		}
		ids[it.ID] = true
		if err := checkEntry(i, -1, it.ID, it.Content, it.Status); err != nil {
			return err
		}
		for j := range it.Subtasks {
			sub := &it.Subtasks[j]
			status := sub.Status
			if status == "" {
				status = todo.Pending
			}
			if err := checkEntry(i, j, sub.ID, sub.Content, status); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEntry holds one item or subtask against the rules.
func checkEntry(item, sub int, id, content string, status todo.Status) error {
	place := todo.Ref{Item: item, Sub: sub}
	switch {
	case id == "":
		return durable.Problem(ErrCorrupt, "item %s has no id", place.Label())
	case len(content) > todo.MaxText:
		return durable.Problem(ErrLimit, "the text of item %s has more than %d bytes", place.Label(), todo.MaxText)
	case !status.Known():
		return durable.Problem(ErrCorrupt, "item %s has the unknown status %q", place.Label(), status)
	}
	return nil
}

// Encode gives a document as it is saved.
func Encode(doc *Document) ([]byte, error) {
	data, _, err := encode(doc)
	return data, err
}

// encode writes a document and its items, which the history needs too.
// It refuses what could not be read again.
func encode(doc *Document) (document, items []byte, err error) {
	if err := check(doc); err != nil {
		return nil, nil, err
	}
	list := object.NewWriter(256*len(doc.Todos.Items) + 64)
	object.WriteList(list, doc.Todos.Items)
	w := object.NewWriter(len(list.Bytes()) + 2048)
	doc.MinReader, doc.Todos.written = durable.Reader, list.Bytes()
	w.Write(doc)
	doc.Todos.written = nil
	w.Line()
	data := durable.Seal(w.Bytes())
	if len(data) > maxDocument {
		return nil, nil, durable.Problem(ErrLimit, "the document would have %d bytes, at most %d are kept", len(data), maxDocument)
	}
	return data, list.Bytes(), nil
}
