package session

import (
	"onward/internal/object"
	"onward/internal/todo"
)

// What the documents look like as JSON. Each list of members reads and writes.

// Fields lists the members of a document.
func (d *Document) Fields(f *object.Fields) {
	f.Require("session", "todos", "continuation")
	object.Text(f, "schema", &d.Schema)
	f.Int("min_reader", &d.MinReader)
	f.Uint("rev", &d.Rev)
	object.Text(f, "op", &d.Op)
	object.Strings(f, "ops", &d.OperationIDs)
	object.List(f.OmitEmpty(), "applied", &d.Operations)
	object.Text(f, "session", &d.Session)
	object.Text(f, "agent", &d.Agent)
	object.Text(f.OmitEmpty(), "project", &d.Project)
	object.Text(f.OmitEmpty(), "place", &d.Place)
	object.Text(f.OmitEmpty(), "repository", &d.Repository)
	object.Text(f.OmitEmpty(), "had_settings", &d.HadSettings)
	object.Time(f, "created_at", &d.CreatedAt)
	object.Time(f, "updated_at", &d.UpdatedAt)
	object.Pointer(f, "owner", &d.Owner)
	object.Text(f.OmitEmpty(), "moved_to", &d.MovedTo)
	f.OmitEmpty().Bool("arriving", &d.Arriving)
	f.OmitEmpty().Bool("deleting", &d.Deleting)
	f.Object("todos", &d.Todos)
	f.Object("continuation", &d.Continuation)
	object.Map(f.OmitEmpty(), "settings", &d.Settings)
	object.Pointer(f, "chosen_gate", &d.ChosenGate)
	object.Pointer(f, "work", &d.Work)
	object.Pointer(f, "goal", &d.Goal)
	object.List(f.OmitEmpty(), "unread", &d.Unread)
	f.Skip("sum")
	f.Unknown(&d.Unknown)
}

// Fields lists the members of an operation.
func (a *Operation) Fields(f *object.Fields) {
	object.Text(f.OmitEmpty(), "op", &a.ID) // the memory knows its hash
	f.Uint("rev", &a.Rev)
	object.Text(f, "change", &a.Change)
	f.Unknown(&a.Unknown)
}

// Fields lists the members of an owner.
func (o *Owner) Fields(f *object.Fields) {
	object.Text(f, "agent", &o.Agent)
	object.Text(f, "session", &o.Session)
	object.Time(f.OmitEmpty(), "since", &o.Since)
	object.Time(f, "seen_at", &o.SeenAt)
	object.Time(f.OmitEmpty(), "ended_at", &o.EndedAt)
	object.Pointer(f, "process", &o.Process)
	f.Unknown(&o.Unknown)
}

// Fields lists the members of a list. Its items are written once: the history has what the document has of them.
func (t *Todos) Fields(f *object.Fields) {
	f.Require("active", "items")
	f.Bool("active", &t.Active)
	f.OmitEmpty().Bool("emptied", &t.Emptied)
	object.Text(f.OmitEmpty(), "source", &t.Source)
	f.Uint("rev", &t.Rev)
	object.Time(f, "updated_at", &t.UpdatedAt)
	itemsOf(f, &t.Items, func(w *object.Writer) {
		t.from = len(w.Bytes())
		object.WriteList(w, t.Items)
		t.to = len(w.Bytes())
	})
	f.Unknown(&t.Unknown)
}

// itemsOf reads items, or writes them by a function.
func itemsOf(f *object.Fields, items *[]todo.Item, write func(*object.Writer)) {
	f.Value("items", func(r *object.Reader) { *items = todo.ReadItems(r) }, write)
}

// Fields lists the members of an entry of the history. Only a change of the list has a rev:
// older versions take every line that has one for the list as it was then.
func (e *Entry) Fields(f *object.Fields) {
	changed := f.Reading() || e.Rev > 0
	if changed {
		f.Uint("rev", &e.Rev)
		f.Uint("previous", &e.Previous)
		object.Text(f, "op", &e.Op)
	}
	object.Time(f, "at", &e.At)
	object.Text(f.OmitEmpty(), "by", &e.By)
	if f.Reading() || e.Person {
		f.Bool("person", &e.Person)
	}
	object.Text(f, "change", &e.Change)
	object.List(f.OmitEmpty(), "touched", &e.Touched)
	if f.Reading() || e.Undo {
		f.Bool("undo", &e.Undo)
		f.Uint("back", &e.Back)
	}
	object.List(f.OmitEmpty(), "events", &e.Events)
	if changed {
		f.Bool("active", &e.Active)
		itemsOf(f, &e.Items, func(w *object.Writer) { w.Raw(e.written) })
	}
}

// Fields lists the members of an event of the history.
func (e *Event) Fields(f *object.Fields) {
	object.Interned(f, "type", &e.Type)
	object.Time(f.OmitEmpty(), "at", &e.At)
	object.Text(f.OmitEmpty(), "item", &e.Item)
	object.Text(f.OmitEmpty(), "text", &e.Text)
	object.Interned(f.OmitEmpty(), "status", &e.Status)
	object.Interned(f.OmitEmpty(), "class", &e.Class)
	object.Interned(f.OmitEmpty(), "tier", &e.Tier)
	f.OmitEmpty().SignedInt("code", &e.Code)
	object.Text(f.OmitEmpty(), "problem", &e.Problem)
	object.Text(f.OmitEmpty(), "output", &e.Output)
	f.OmitEmpty().Int("took_ms", &e.Took)
	f.OmitEmpty().Int("tool_calls", &e.Calls)
	object.Text(f.OmitEmpty(), "called", &e.Called)
	object.Text(f.OmitEmpty(), "denied", &e.Denied)
	object.Interned(f.OmitEmpty(), "proof", &e.Proof)
	object.Text(f.OmitEmpty(), "since", &e.Since)
	f.OmitEmpty().Int("tokens_in", &e.Input)
	f.OmitEmpty().Int("tokens_cached", &e.Cached)
	f.OmitEmpty().Int("tokens_out", &e.Written)
	f.OmitEmpty().Int("cost_micros", &e.Cost)
	object.Text(f.OmitEmpty(), "worker", &e.Worker)
	f.OmitEmpty().Int("turns", &e.Turns)
	f.OmitEmpty().Int("tokens", &e.Tokens)
	object.Text(f.OmitEmpty(), "commit", &e.Commit)
	object.Text(f.OmitEmpty(), "from", &e.From)
}

// Fields lists the members of a project's choice.
func (c *choice) Fields(f *object.Fields) {
	f.Require("project", "session")
	object.Text(f, "project", &c.project)
	object.Text(f, "session", &c.session)
}
