package schedule

import (
	"onward/internal/calls/policy"
	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/store"
)

// schema is the kind and version of the documents that this program writes.
const schema = "onward/schedule/v1"

// maxDocument is the limit of one document in bytes.
const maxDocument = 16 << 20

// Check validates what was read.
func (d *Document) Check() error {
	if len(d.Calls) > maxCalls {
		return store.WrapProblem(store.ErrLimit, "there are %d calls, at most %d are kept", len(d.Calls), maxCalls)
	}
	d.index()
	if len(d.at) != len(d.Calls) {
		return store.WrapProblem(store.ErrCorrupt, "two calls have one id")
	}
	for c := range d.all() {
		if err := c.check(); err != nil {
			return err
		}
	}
	if err := policy.Check(d.Rules); err != nil {
		return store.WrapProblem(store.ErrCorrupt, "%v", err)
	}
	return nil
}

func (c *Call) check() error {
	if session.CheckName(session.Name{Session: c.ID}) != nil {
		return store.WrapProblem(store.ErrCorrupt, "no call can have the id %q", c.ID) // the names of files contain it
	}
	if len(c.Status.next()) == 0 && !c.Status.Final() || c.Status == "" {
		return store.WrapProblem(store.ErrCorrupt, "call %q has the unknown status %q", c.ID, c.Status)
	}
	return nil
}

// Encode returns a document as it is saved.
func Encode(d *Document) ([]byte, error) { return d.encode() }

// encode writes a document. It refuses one that would be too large to be read again,
// counting what the results of open calls may add.
func (d *Document) encode() ([]byte, error) {
	const reserve = 1 << 10 // bytes of a result in the document, and later transitions
	d.MinReader = store.ReaderVersion
	data := store.Encode(d, 512*len(d.Calls)+4096)
	if size := len(data) + reserve*d.Open(); size > maxDocument {
		return nil, store.WrapProblem(store.ErrLimit, "the schedule would have %d bytes, at most %d are kept; `onward schedule clear` removes what has ended", size, maxDocument)
	}
	return data, nil
}

// Fields lists the members of a document. How many messages wait, and how many calls have not
// ended, is near its beginning, because check-continue mostly reads no further; the head has a
// checksum of its own for it.
func (d *Document) Fields(f *object.Fields) {
	f.Require("waiting", "session", "messages", "batches", "calls")
	object.Text(f, "schema", &d.Schema)
	f.Int("min_reader", &d.MinReader)
	f.Skip("waiting", "open", "head")
	if w := f.Writer(); w != nil {
		w.Int("waiting", len(d.Messages))
		w.Int("open", d.Open())
		w.String("head", store.Checksum(w.Bytes()))
	}
	f.Uint("rev", &d.Rev)
	object.Text(f.OmitEmpty(), "op", &d.Op)
	object.Text(f, "session", &d.Session)
	object.Text(f, "agent", &d.Agent)
	object.Time(f, "updated_at", &d.UpdatedAt)
	object.Text(f.OmitEmpty(), "moved_to", &d.MovedTo)
	f.OmitEmpty().Bool("arriving", &d.Arriving)
	object.List(f, "messages", &d.Messages)
	object.List(f.OmitEmpty(), "ops", &d.Operations)
	object.Strings(f.OmitEmpty(), "commits", &d.OperationIDs)
	object.List(f.OmitEmpty(), "rules", &d.Rules)
	object.List(f, "batches", &d.Batches)
	object.List(f, "calls", &d.Calls)
	f.Skip("sum")
	f.Unknown(&d.Unknown)
}

// Fields lists the members of a message.
func (m *Message) Fields(f *object.Fields) {
	object.Text(f.OmitEmpty(), "id", &m.ID)
	object.Text(f, "text", &m.Text)
	object.Text(f.OmitEmpty(), "by", &m.By)
	object.Time(f, "at", &m.At)
	f.Unknown(&m.Unknown)
}

// Fields lists the members of a batch.
func (b *Batch) Fields(f *object.Fields) {
	object.Text(f, "id", &b.ID)
	f.Bool("complete", &b.Complete)
	f.Unknown(&b.Unknown)
}

// Fields lists the members of an operation.
func (o *Operation) Fields(f *object.Fields) {
	object.Text(f.OmitEmpty(), "id", &o.ID) // the memory has its hash
	object.Text(f, "change", &o.Change.What)
	object.Strings(f.OmitEmpty(), "calls", &o.Change.Calls)
	object.Strings(f.OmitEmpty(), "complete", &o.Change.Complete)
	object.Text(f.OmitEmpty(), "text", &o.Change.Text)
}

// Fields lists the members of a call.
func (c *Call) Fields(f *object.Fields) {
	f.Require("id", "tool", "args", "batch", "status", "moves")
	object.Text(f, "id", &c.ID)
	object.Text(f, "tool", &c.Tool)
	f.Raw("args", &c.Args)
	object.Text(f, "batch", &c.Batch)
	object.Strings(f.OmitEmpty(), "after", &c.After)
	f.OmitEmpty().SignedInt("priority", &c.Priority)
	f.OmitEmpty().Bool("wait_for_previous", &c.Barrier)
	object.Text(f, "status", &c.Status)
	object.Text(f.OmitEmpty(), "class", &c.Class)
	object.Text(f.OmitEmpty(), "reason", &c.Reason)
	object.Text(f.OmitEmpty(), "mode", &c.Mode)
	object.Pointer(f, "approval", &c.Approval)
	object.Text(f.OmitEmpty(), "cwd", &c.Cwd)
	object.Text(f.OmitEmpty(), "declaration", &c.Tools)
	object.Pointer(f, "owner", &c.Owner)
	object.Time(f.OmitEmpty(), "stop_at", &c.StopAt)
	object.Text(f.OmitEmpty(), "stop_for", &c.StopFor)
	object.Pointer(f, "result", &c.Result)
	object.List(f, "moves", &c.Transitions)
	f.OmitEmpty().Bool("reported", &c.Reported)
	f.Unknown(&c.Unknown)
}

// Fields lists the members of a move.
func (m *Transition) Fields(f *object.Fields) {
	object.Text(f, "status", &m.Status)
	object.Time(f, "at", &m.At)
}

// Fields lists the members of an approval.
func (a *Approval) Fields(f *object.Fields) {
	object.Text(f, "outcome", &a.Outcome)
	object.Time(f, "at", &a.At)
	f.Unknown(&a.Unknown)
}

// Fields lists the members of a process.
func (p *Process) Fields(f *object.Fields) {
	f.Int("pid", &p.PID)
	object.Text(f, "start", &p.Start)
	object.Text(f, "boot", &p.Boot)
	f.Unknown(&p.Unknown)
}

// Fields lists the members of a result. An output that is in a file of its own is not repeated.
func (res *Result) Fields(f *object.Fields) {
	f.SignedInt("exit_code", &res.ExitCode)
	if f.Reading() || res.Kept == "" {
		object.Text(f, "stdout", &res.Stdout)
		object.Text(f, "stderr", &res.Stderr)
	}
	f.Bool("truncated", &res.Truncated)
	object.Text(f.OmitEmpty(), "output_file", &res.Output)
	object.Text(f.OmitEmpty(), "kept_in", &res.Kept)
	f.Unknown(&res.Unknown)
}
