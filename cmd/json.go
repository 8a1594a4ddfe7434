package cmd

import (
	"reflect"
	"strconv"

	continuation "onward/internal/continue"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// The JSON documents that commands print. Every one names its schema first;
// docs/schema describes them. Runes that do not print are escaped in all of them.

func finish(w *object.Writer) []byte {
	w.Line()
	return render.JSON(w.Bytes())
}

// members are those of a JSON object in their order: a name, then its value.
type members []any

// document returns the first members of a document about one list, and more members after them.
func document(schema string, name session.Name, more ...any) members {
	return append(members{"schema", schema, "session", name.Session, "agent", name.AgentID()}, more...)
}

// some adds a member, unless its value is empty.
func (m members) some(name string, value any) members {
	if reflect.ValueOf(value).IsZero() {
		return m
	}
	return append(m, name, value)
}

// MarshalJSONTo writes the object.
func (m members) MarshalJSONTo(e *jsontext.Encoder) error {
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

func start(schema string, name session.Name, size int) *object.Writer {
	w := object.NewWriter(size)
	w.Open('{')
	w.String("schema", schema)
	w.String("session", name.Session)
	w.String("agent", name.AgentID())
	return w
}

// todosJSON is onward/todos/v1: a list, or some items of it, and the counts of
// the whole list; doc is nil if there is none.
func todosJSON(name session.Name, doc *session.Document, shown []int) []byte {
	items := doc.Current()
	w := start("onward/todos/v1", name, 256*len(items)+512)
	w.Bool("active", doc != nil && doc.Todos.Active)
	w.Name("items")
	writeItems(w, items, shown)
	w.Name("counts")
	todo.WriteCounts(w, todo.Count(items))
	w.Close('}')
	return finish(w)
}

// writeItems writes some items of a list.
func writeItems(w *object.Writer, items []todo.Item, shown []int) {
	w.Open('[')
	for _, i := range shown {
		writeItem(w, &items[i], i)
	}
	w.Close(']')
}

// writeItem writes an item with its position, and its subtasks with theirs. The subtasks are taken out of the item
// meanwhile, because a copy of it would be one more allocation for each item of a long list.
func writeItem(w *object.Writer, it *todo.Item, index int) {
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

// changeJSON is onward/change/v1: the result of a command that changes something.
func changeJSON(name session.Name, c session.Commit) members {
	rev := uint64(0)
	if c.Doc != nil {
		rev = c.Doc.Rev
	}
	return changed(name, rev, c.Changed, c.Change)
}

func changed(name session.Name, rev uint64, changed bool, did session.Change) members {
	return document("onward/change/v1", name, "rev", rev, "changed", changed, "change", did.What, "items", object.ListOf(did.Touched))
}

// decisionJSON is onward/decision/v1: the answer of check-continue; doc is nil if there is no list.
func decisionJSON(name session.Name, doc *session.Document, d continuation.Decision, set continuation.Settings, prompt string, explain bool) []byte {
	w := start("onward/decision/v1", name, 4096)
	w.String("action", d.Outcome.Action())
	w.String("reason", d.Reason)
	w.String("message", d.Message)
	w.SomeString("hint", d.Hint)
	w.SomeString("prompt", prompt)
	w.String("prompt_style", set.Style)
	w.Bool("yolo", set.Yolo)
	w.SomeString("tier", string(d.Tier))
	if ms := int(d.RetryAfter.Milliseconds()); ms != 0 {
		w.Int("retry_after_ms", ms)
	}
	if d.ResetAt != 0 {
		w.String("retry_at", d.ResetAt.String())
	}
	w.Name("counts")
	todo.WriteCounts(w, d.Counts)
	if d.Next >= 0 {
		w.Name("next")
		writeItem(w, &doc.Todos.Items[d.Next], d.Next)
	}
	if doc != nil && doc.Owner != nil {
		w.Name("native")
		w.Open('{')
		w.String("agent", doc.Owner.Agent)
		w.String("session", doc.Owner.Session)
		w.Close('}')
	}
	writeCounter(w, "attempts", d.Attempts)
	writeCounter(w, "stagnation", d.Stagnation)
	writeCounter(w, "total", d.Total)
	if d.Gate != nil {
		w.Name("gate")
		w.Raw(gateJSON(d.Gate, set.MaxGate))
	}
	writeLost(w, "lost", d.Lost)
	writeLost(w, "deleted", d.Deleted)
	if explain {
		w.Name("checks")
		w.Open('[')
		for i, c := range d.AllChecks() {
			w.Open('{')
			w.Int("number", i+1)
			w.String("name", c.Name)
			w.Bool("asked", c.Asked)
			w.Bool("matched", c.Matched)
			w.Close('}')
		}
		w.Close(']')
	}
	w.Close('}')
	return finish(w)
}

func writeCounter(w *object.Writer, name string, c continuation.Counter) {
	w.Name(name)
	w.Open('{')
	w.Int("n", c.N)
	w.Int("max", c.Max)
	w.Close('}')
}

// writeLost writes a member with the items that were taken off a list; without any, it is left out.
func writeLost(w *object.Writer, name string, lost []session.Lost) {
	if len(lost) == 0 {
		return
	}
	w.Name(name)
	w.Open('[')
	for i := range lost {
		w.Open('{')
		w.String("id", lost[i].ID)
		w.String("content", lost[i].Content)
		w.Close('}')
	}
	w.Close(']')
}
