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
	object.Strings(f, "ops", &d.Ops)
	object.List(f.Some(), "applied", &d.Applied)
	object.Text(f, "session", &d.Session)
	object.Text(f, "agent", &d.Agent)
	object.Text(f.Some(), "project", &d.Project)
	object.Time(f, "created_at", &d.CreatedAt)
	object.Time(f, "updated_at", &d.UpdatedAt)
	object.Pointer(f, "owner", &d.Owner)
	object.Text(f.Some(), "moved_to", &d.Moved)
	f.Object("todos", &d.Todos)
	f.Object("continuation", &d.Continuation)
	object.Map(f.Some(), "settings", &d.Settings)
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
	object.Time(f.Some(), "since", &o.Since)
	object.Time(f, "seen_at", &o.SeenAt)
	object.Time(f.Some(), "ended_at", &o.EndedAt)
	object.Pointer(f, "process", &o.Process)
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
	f.Some().Bool("emptied", &t.Emptied)
	object.Text(f.Some(), "source", &t.Source)
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
	object.Text(f.Some(), "prompt_key", &l.PromptKey)
	object.Time(f.Some(), "prompt_at", &l.PromptAt)
	f.Int("turns", &l.Turns)
	f.Int("attempts", &l.Attempts)
	f.Int("stagnation", &l.Stagnation)
	f.Int("total_prompt", &l.TotalPrompt)
	f.Int("total_session", &l.TotalSession)
	f.Int("tool_calls", &l.ToolCalls)
	f.Some().Int("pending_tool_calls", &l.PendingCalls)
	object.Strings(f.Some(), "hook_blocks", &l.HookBlocks)
	object.Map(f.Some(), "high_water", &l.HighWater)
	object.Pointer(f, "last", &l.Last)
	object.Pointer(f, "paused", &l.Paused)
	object.Time(f.Some(), "stopped_at", &l.StoppedAt)
	object.Time(f.Some(), "aborted_at", &l.AbortedAt)
	object.Pointer(f, "error", &l.Error)
	object.Time(f.Some(), "recovering_at", &l.RecoveringAt)
	object.Time(f.Some(), "compacting_at", &l.CompactingAt)
	object.Time(f.Some(), "compacted_at", &l.CompactedAt)
	object.Time(f.Some(), "question_at", &l.QuestionAt)
	object.List(f.Some(), "background", &l.Background)
	object.Time(f.Some(), "waiting_since", &l.WaitingSince)
	f.Some().Int("check_ins", &l.CheckIns)
	object.Pointer(f, "gate", &l.Gate)
	f.Rest(&l.Unknown)
}

// Fields lists the members of an answer.
func (a *Answer) Fields(f *object.Fields) {
	object.Time(f, "at", &a.At)
	f.Uint("rev", &a.Rev)
	object.Text(f, "action", &a.Action)
	object.Text(f, "reason", &a.Reason)
	object.Text(f.Some(), "key", &a.Key)
	object.Text(f.Some(), "op", &a.Op)
	object.Word(f.Some(), "tier", &a.Tier)
	f.Some().Int("allowed", &a.Allowed)
	f.Rest(&a.Unknown)
}

// Fields lists the members of a result of the gate.
func (p *Proof) Fields(f *object.Fields) {
	object.Text(f, "command", &p.Command)
	f.Int("code", &p.Code)
	object.Text(f.Some(), "problem", &p.Problem)
	object.Time(f, "at", &p.At)
	f.Uint("rev", &p.Rev)
	f.Some().Int("failures", &p.Failures)
	f.Some().Bool("told", &p.Told)
	object.Text(f.Some(), "items", &p.Items)
	f.Some().Int("tool_calls", &p.ToolCalls)
	object.Text(f.Some(), "output", &p.Output)
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
	object.Time(f.Some(), "retry_at", &e.RetryAt)
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
	object.Text(f.Some(), "by", &e.By)
	object.Text(f, "change", &e.Change)
	object.List(f.Some(), "touched", &e.Touched)
	if f.Reading() || e.Undo {
		f.Bool("undo", &e.Undo)
		f.Uint("back", &e.Back)
	}
	object.List(f.Some(), "events", &e.Events)
	if changed {
		f.Bool("active", &e.Active)
		itemsOf(f, &e.Items, e.written)
	}
}

// Fields lists the members of an event of the history.
func (e *Event) Fields(f *object.Fields) {
	object.Word(f, "type", &e.Type)
	object.Time(f.Some(), "at", &e.At)
	object.Text(f.Some(), "item", &e.Item)
	object.Text(f.Some(), "text", &e.Text)
	object.Word(f.Some(), "status", &e.Status)
	object.Word(f.Some(), "class", &e.Class)
	object.Word(f.Some(), "tier", &e.Tier)
	f.Some().Integer("code", &e.Code)
	object.Text(f.Some(), "problem", &e.Problem)
	object.Text(f.Some(), "output", &e.Output)
	f.Some().Int("took_ms", &e.Took)
	f.Some().Int("tool_calls", &e.Calls)
	f.Some().Int("tokens_in", &e.Input)
	f.Some().Int("tokens_out", &e.Written)
	f.Some().Int("cost_micros", &e.Cost)
}

// Fields lists the members of a project's choice.
func (c *choice) Fields(f *object.Fields) {
	f.Need("project", "session")
	object.Text(f, "project", &c.project)
	object.Text(f, "session", &c.session)
}
