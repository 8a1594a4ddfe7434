package session

import (
	"onward/internal/object"
	"onward/internal/todo"
)

// What the documents look like as JSON. Each list of members reads and writes.

// Fields lists the members of a document.
func (d *Document) Fields(f *object.Fields) {
	f.Need("session", "todos", "continuation")
	object.Text(f, "schema", &d.Schema)
	f.Int("min_reader", &d.MinReader)
	f.Uint("rev", &d.Rev)
	object.Text(f, "op", &d.Op)
	f.Strings("ops", &d.Ops)
	object.SomeList(f, "applied", &d.Applied)
	object.Text(f, "session", &d.Session)
	object.Text(f, "agent", &d.Agent)
	object.SomeText(f, "project", &d.Project)
	object.Time(f, "created_at", &d.CreatedAt)
	object.Time(f, "updated_at", &d.UpdatedAt)
	object.SomeObject(f, "owner", &d.Owner)
	object.SomeText(f, "moved_to", &d.Moved)
	f.Object("todos", &d.Todos)
	f.Object("continuation", &d.Continuation)
	object.SomeMap(f, "settings", &d.Settings)
	f.Skip("sum")
	f.Rest(&d.Unknown)
}

// Fields lists the members of an operation.
func (a *Applied) Fields(f *object.Fields) {
	object.Text(f, "op", &a.Op)
	f.Uint("rev", &a.Rev)
	object.Text(f, "change", &a.Change)
	f.Rest(&a.Unknown)
}

// Fields lists the members of an owner.
func (o *Owner) Fields(f *object.Fields) {
	object.Text(f, "agent", &o.Agent)
	object.Text(f, "session", &o.Session)
	object.SomeTime(f, "since", &o.Since)
	object.Time(f, "seen_at", &o.SeenAt)
	object.SomeTime(f, "ended_at", &o.EndedAt)
	object.SomeObject(f, "process", &o.Process)
	f.Rest(&o.Unknown)
}

// Fields lists the members of a process.
func (p *Process) Fields(f *object.Fields) {
	object.Text(f, "host", &p.Host)
	object.Text(f, "boot", &p.Boot)
	object.Text(f, "pid_namespace", &p.Namespace)
	f.Int("pid", &p.PID)
	object.Text(f, "start", &p.Start)
	f.Rest(&p.Unknown)
}

// Fields lists the members of a list. Its items are written once, for the document and for the history.
func (t *Todos) Fields(f *object.Fields) {
	f.Need("active", "items")
	f.Bool("active", &t.Active)
	f.SomeBool("emptied", &t.Emptied)
	object.SomeText(f, "source", &t.Source)
	f.Uint("rev", &t.Rev)
	object.Time(f, "updated_at", &t.UpdatedAt)
	itemsOf(f, &t.Items, t.written)
	f.Rest(&t.Unknown)
}

// itemsOf reads items, or writes those that are JSON already.
func itemsOf(f *object.Fields, items *[]todo.Item, written []byte) {
	f.Value("items",
		func(r *object.Reader) { *items = todo.ReadItems(r) },
		func(w *object.Writer) { w.Raw(written) })
}

// Fields lists the members of a ledger.
func (l *Ledger) Fields(f *object.Fields) {
	object.SomeText(f, "prompt_key", &l.PromptKey)
	object.SomeTime(f, "prompt_at", &l.PromptAt)
	f.Int("turns", &l.Turns)
	f.Int("attempts", &l.Attempts)
	f.Int("stagnation", &l.Stagnation)
	f.Int("total_prompt", &l.TotalPrompt)
	f.Int("total_session", &l.TotalSession)
	f.Int("tool_calls", &l.ToolCalls)
	f.SomeInt("pending_tool_calls", &l.PendingCalls)
	f.SomeStrings("hook_blocks", &l.HookBlocks)
	object.SomeMap(f, "high_water", &l.HighWater)
	object.SomeObject(f, "last", &l.Last)
	object.SomeObject(f, "paused", &l.Paused)
	object.SomeTime(f, "stopped_at", &l.StoppedAt)
	object.SomeTime(f, "aborted_at", &l.AbortedAt)
	object.SomeObject(f, "error", &l.Error)
	object.SomeTime(f, "recovering_at", &l.RecoveringAt)
	object.SomeTime(f, "compacting_at", &l.CompactingAt)
	object.SomeTime(f, "compacted_at", &l.CompactedAt)
	object.SomeTime(f, "question_at", &l.QuestionAt)
	object.SomeList(f, "background", &l.Background)
	object.SomeTime(f, "waiting_since", &l.WaitingSince)
	f.SomeInt("check_ins", &l.CheckIns)
	object.SomeObject(f, "gate", &l.Gate)
	f.Rest(&l.Unknown)
}

// Fields lists the members of an answer.
func (a *Answer) Fields(f *object.Fields) {
	object.Time(f, "at", &a.At)
	f.Uint("rev", &a.Rev)
	object.Text(f, "action", &a.Action)
	object.Text(f, "reason", &a.Reason)
	object.SomeText(f, "key", &a.Key)
	object.SomeText(f, "op", &a.Op)
	object.SomeWord(f, "tier", &a.Tier)
	f.SomeInt("allowed", &a.Allowed)
	f.Rest(&a.Unknown)
}

// Fields lists the members of a result of the gate.
func (p *Proof) Fields(f *object.Fields) {
	object.Text(f, "command", &p.Command)
	f.Int("code", &p.Code)
	object.SomeText(f, "problem", &p.Problem)
	object.Time(f, "at", &p.At)
	f.Uint("rev", &p.Rev)
	f.SomeInt("failures", &p.Failures)
	f.SomeBool("told", &p.Told)
	object.SomeText(f, "items", &p.Items)
	f.SomeInt("tool_calls", &p.ToolCalls)
	object.SomeText(f, "output", &p.Output)
	f.Rest(&p.Unknown)
}

// Fields lists the members of a pause.
func (p *Paused) Fields(f *object.Fields) {
	object.Text(f, "reason", &p.Reason)
	object.Time(f, "at", &p.At)
	f.Rest(&p.Unknown)
}

// Fields lists the members of a failure.
func (e *Failure) Fields(f *object.Fields) {
	object.Text(f, "class", &e.Class)
	object.Time(f, "at", &e.At)
	f.Int("count", &e.Count)
	object.SomeTime(f, "retry_at", &e.RetryAt)
	f.Rest(&e.Unknown)
}

// Fields lists the members of a task.
func (t *Task) Fields(f *object.Fields) {
	object.Text(f, "id", &t.ID)
	object.Text(f, "kind", &t.Kind)
	object.Time(f, "since", &t.Since)
	f.Rest(&t.Unknown)
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
	object.SomeText(f, "by", &e.By)
	object.Text(f, "change", &e.Change)
	object.SomeList(f, "touched", &e.Touched)
	if f.Reading() || e.Undo {
		f.Bool("undo", &e.Undo)
		f.Uint("back", &e.Back)
	}
	object.SomeList(f, "events", &e.Events)
	if changed {
		f.Bool("active", &e.Active)
		itemsOf(f, &e.Items, e.written)
	}
}

// Fields lists the members of an event of the history.
func (e *Event) Fields(f *object.Fields) {
	object.Word(f, "type", &e.Type)
	object.SomeTime(f, "at", &e.At)
	object.SomeText(f, "item", &e.Item)
	object.SomeText(f, "text", &e.Text)
	object.SomeWord(f, "status", &e.Status)
	object.SomeWord(f, "class", &e.Class)
	object.SomeWord(f, "tier", &e.Tier)
	f.SomeInteger("code", &e.Code)
	object.SomeText(f, "problem", &e.Problem)
	object.SomeText(f, "output", &e.Output)
	f.SomeInt("took_ms", &e.Took)
	f.SomeInt("tool_calls", &e.Calls)
	f.SomeInt("tokens_in", &e.Input)
	f.SomeInt("tokens_out", &e.Written)
	f.SomeInt("cost_micros", &e.Cost)
}

// Fields lists the members of a project's choice.
func (c *choice) Fields(f *object.Fields) {
	f.Need("project", "session")
	object.Text(f, "schema", &c.schema)
	f.Int("min_reader", &c.minReader)
	object.Text(f, "project", &c.project)
	object.Text(f, "session", &c.session)
	f.Skip("sum")
}
