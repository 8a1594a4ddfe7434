package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Limits of one document, checked before anything is parsed or written.
const (
	maxDocument = 4 << 20
	maxDepth    = 32
)

// Decode reads a document strictly: no duplicate names, no invalid UTF-8, nothing behind it.
// What cannot be read is an error; it is never an empty list.
func Decode(data []byte) (*Document, error) {
	if err := plausible(data); err != nil {
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
	if err != nil {
		return nil, problem(ErrCorrupt, "%s", parseProblem(err))
	}
	switch version, ours := strings.CutPrefix(doc.Schema, "onward/session/v"); {
	case !ours:
		return nil, problem(ErrForeign, "the file has no onward schema")
	case version == "" || strings.Trim(version, "0123456789") != "":
		return nil, problem(ErrForeign, "the file has the unknown schema %q", doc.Schema)
	}
	if doc.MinReader > reader {
		return nil, problem(ErrNewer, "the file needs a reader of version %d, this is version %d", doc.MinReader, reader)
	}
	return &doc, check(&doc)
}

// plausible finds the damage that a crash or a full disk leaves, to name it.
func plausible(data []byte) error {
	switch {
	case len(data) > maxDocument:
		return problem(ErrLimit, "the file has more than %d bytes", maxDocument)
	case len(data) == 0:
		return problem(ErrCorrupt, "the file is empty (0 bytes)")
	case len(bytes.TrimRight(data, "\x00")) == 0:
		return problem(ErrCorrupt, "the file holds only NUL bytes, as after a crash of the machine")
	case data[len(data)-1] == 0:
		return problem(ErrCorrupt, "the file ends in NUL bytes, as after a crash of the machine")
	}
	return nil
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
		return problem(ErrLimit, "the list has %d items, at most %d are kept", len(doc.Todos.Items), todo.MaxItems)
	}
	if tooDeep(doc.Unknown) || tooDeep(doc.Todos.Unknown) || tooDeep(doc.Continuation.Unknown) {
		return problem(ErrLimit, "the file nests deeper than %d", maxDepth)
	}
	for i := range doc.Todos.Items {
		it := &doc.Todos.Items[i]
		switch {
		case it.ID == "":
			return problem(ErrCorrupt, "item %d has no id", i+1)
		case len(it.Content) > todo.MaxText:
			return problem(ErrLimit, "the text of item %d has more than %d bytes", i+1, todo.MaxText)
		case tooDeep(it.Unknown):
			return problem(ErrLimit, "item %d nests deeper than %d", i+1, maxDepth)
		}
		if _, err := todo.ParseStatus(string(it.Status)); err != nil {
			return problem(ErrCorrupt, "item %d has the unknown status %q", i+1, it.Status)
		}
	}
	return nil
}

// tooDeep reports nesting beyond the limit in a value that is known to be valid.
func tooDeep(v jsontext.Value) bool {
	depth, inString := 0, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// encode writes a document and its items, which the history needs too.
// It refuses what would be too large to be read again.
func encode(doc *Document) (document, items []byte, err error) {
	list := object.NewWriter(256*len(doc.Todos.Items) + 64)
	todo.WriteItems(list, doc.Todos.Items)
	w := object.NewWriter(len(list.Bytes()) + 2048)
	writeDocument(w, doc, list.Bytes())
	w.Line()
	if len(w.Bytes()) > maxDocument {
		return nil, nil, problem(ErrLimit, "the document would have %d bytes, at most %d are kept", len(w.Bytes()), maxDocument)
	}
	return w.Bytes(), list.Bytes(), nil
}
