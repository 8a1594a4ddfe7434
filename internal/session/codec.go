package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/durable"
	"onward/internal/object"
	"onward/internal/todo"
)

// maxDocument is the limit of one document in bytes, checked before anything is parsed or written.
const maxDocument = 4 << 20

// Decode reads a document strictly: no duplicate names, no invalid UTF-8, nothing behind it.
// What cannot be read is an error; it is never an empty list.
func Decode(data []byte) (*Document, error) {
	if err := durable.Plausible(data, maxDocument); err != nil {
		return nil, err
	}
	var doc Document
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	r := object.NewReader(dec)
	readDocument(r, &doc)
	err := r.Err()
	if err == nil {
		// Nothing may stand behind the document.
		if _, err = dec.ReadToken(); err == io.EOF {
			err = nil
		} else if err == nil {
			err = errors.New("something stands behind the document")
		}
	}
	switch {
	case errors.Is(err, object.ErrTooDeep), errors.Is(err, object.ErrTooMany):
		return nil, durable.Problem(ErrLimit, "%w", err)
	case err != nil:
		return nil, durable.Problem(ErrCorrupt, "%s", parseProblem(err))
	}
	switch version, ours := strings.CutPrefix(doc.Schema, "onward/session/v"); {
	case !ours:
		return nil, durable.Problem(ErrForeign, "the file has no onward schema")
	case version == "" || strings.Trim(version, "0123456789") != "":
		return nil, durable.Problem(ErrForeign, "the file has the unknown schema %q", doc.Schema)
	}
	if doc.MinReader > reader {
		return nil, durable.Problem(ErrNewer, "the file needs a reader of version %d, this is version %d", doc.MinReader, reader)
	}
	return &doc, check(&doc)
}

// parseProblem says where a document stops making sense.
func parseProblem(err error) string {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("at byte %d: %v", syntax.ByteOffset, syntax.Err)
	}
	return err.Error()
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
	todo.WriteItems(list, doc.Todos.Items)
	w := object.NewWriter(len(list.Bytes()) + 2048)
	writeDocument(w, doc, list.Bytes())
	w.Line()
	if len(w.Bytes()) > maxDocument {
		return nil, nil, durable.Problem(ErrLimit, "the document would have %d bytes, at most %d are kept", len(w.Bytes()), maxDocument)
	}
	return w.Bytes(), list.Bytes(), nil
}
