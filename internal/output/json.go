// Package output formats what commands print: for each answer, a text for the user and a JSON document that names its schema. It
// decides nothing, and writes to no stream.
package output

import (
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// The JSON documents that commands print. Every one names its schema first;
// docs/schema describes them. Runes that do not print are escaped in all of them.

// EndDocument ends a document, and returns it.
func EndDocument(w *object.Writer) []byte {
	w.EndLine()
	return render.EscapeJSON(w.Bytes())
}

// Members are those of a JSON object in their order: a name, then its value.
type Members []any

// Document returns the members that begin every document about a list, followed by more.
func Document(schema string, name session.Name, more ...any) Members {
	return append(Members{"schema", schema, "session", name.Session, "agent", name.AgentID()}, more...)
}

// AddIfSet adds a member, unless its value is empty.
func (m Members) AddIfSet(name string, value any) Members {
	if reflect.ValueOf(value).IsZero() {
		return m
	}
	return append(m, name, value)
}

// MarshalJSONTo writes the object.
func (m Members) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, part := range m {
		if err := json.MarshalEncode(e, part); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

// BeginDocument begins a document about one list that is written member by member; size is about how many bytes it will have.
func BeginDocument(schema string, name session.Name, size int) *object.Writer {
	w := object.NewWriter(size)
	w.Open('{')
	w.String("schema", schema)
	w.String("session", name.Session)
	w.String("agent", name.AgentID())
	return w
}

// TodosJSON is onward/todos/v1: a list, or some items of it, and the counts of
// the whole list; doc is nil if there is none.
func TodosJSON(name session.Name, doc *session.Document, shown []int) []byte {
	items := doc.Current()
	w := BeginDocument("onward/todos/v1", name, 256*len(items)+512)
	w.Bool("active", doc.IsActive())
	w.Name("items")
	WriteItems(w, items, shown)
	w.Name("counts")
	todo.WriteCounts(w, todo.Count(items))
	w.Close('}')
	return EndDocument(w)
}

// WriteItems writes some items of a list.
func WriteItems(w *object.Writer, items []todo.Item, shown []int) {
	w.Open('[')
	for _, i := range shown {
		WriteItem(w, &items[i], i)
	}
	w.Close(']')
}

// WriteItem writes an item with its position, and its subtasks with theirs. The subtasks are taken out of the item
// in the meantime, because a copy of it would be one more allocation for each item of a long list.
func WriteItem(w *object.Writer, it *todo.Item, index int) {
	subtasks := it.Subtasks
	it.Subtasks = nil
	defer func() { it.Subtasks = subtasks }()
	w.Open('{')
	w.String("position", strconv.Itoa(index+1))
	w.Members(it)
	if len(subtasks) > 0 {
		w.Name("subtasks")
		w.Open('[')
		for j := range subtasks {
			w.Open('{')
			w.String("position", todo.Ref{Item: index, Sub: j}.Label())
			sub := subtasks[j]
			sub.Status = sub.StatusOrPending()
			w.Members(&sub)
			w.Close('}')
		}
		w.Close(']')
	}
	w.Close('}')
}

// ChangeJSON is onward/change/v1: the result of a command that changes something.
func ChangeJSON(name session.Name, c session.Commit) Members {
	rev := uint64(0)
	if c.Doc != nil {
		rev = c.Doc.Rev
	}
	return ChangeMembers(name, rev, c.Changed, c.Change)
}

// ChangeMembers is onward/change/v1: what a command changed, and the revision of the document after it.
func ChangeMembers(name session.Name, rev uint64, changed bool, did session.Change) Members {
	return Document("onward/change/v1", name, "rev", rev, "changed", changed, "change", did.What, "items", object.ListOf(did.Touched))
}
