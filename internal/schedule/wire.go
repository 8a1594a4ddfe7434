package schedule

import (
	"onward/internal/durable"
	"onward/internal/object"
	"onward/internal/policy"
	"onward/internal/todo"
)

// schema is the kind and version of the documents that this program writes.
const schema = "onward/schedule/v1"

// maxDocument is the limit of one document in bytes.
const maxDocument = 16 << 20

func format() durable.Format { return durable.Format{Kind: "schedule", Limit: maxDocument} }

// decode reads a document strictly. What cannot be read is an error; it is never an empty schedule.
func decode(data []byte) (*Document, error) { return decodeDocument(data, false) }

// decodeDocument reads a document. Edited says that a person has changed it on purpose, and that its checksum may be wrong.
func decodeDocument(data []byte, edited bool) (*Document, error) {
	var d Document
	if err := format().Decode(data, edited, d.read); err != nil {
		return nil, err
	}
	return &d, d.check()
}

// check holds what was read against the rules.
func (d *Document) check() error {
	if len(d.Calls) > MaxCalls {
		return durable.Problem(durable.ErrLimit, "there are %d calls, at most %d are kept", len(d.Calls), MaxCalls)
	}
	d.index()
	if len(d.at) != len(d.Calls) {
		return durable.Problem(durable.ErrCorrupt, "two calls have one id")
	}
	for i := range d.Calls {
		if err := d.Calls[i].check(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Call) check() error {
	if c.ID == "" || len(c.Status.next()) == 0 && !c.Status.Final() || c.Status == "" {
		return durable.Problem(durable.ErrCorrupt, "call %q has the unknown status %q", c.ID, c.Status)
	}
	return nil
}

// encode writes a document. It refuses one that would be too large to be read again,
// counting what the results of open calls may add.
func (d *Document) encode() ([]byte, error) {
	const reserve = 1 << 10 // bytes of a result that stand in the document, and the moves to come
	w := object.NewWriter(512*len(d.Calls) + 4096)
	d.write(w)
	w.Line()
	data := durable.Seal(w.Bytes())
	if size := len(data) + reserve*d.Open(); size > maxDocument {
		return nil, durable.Problem(durable.ErrLimit, "the schedule would have %d bytes, at most %d are kept; `onward schedule clear` removes what has ended", size, maxDocument)
	}
	return data, nil
}

func (d *Document) read(r *object.Reader) durable.Header {
	minReader := 0
	d.Unknown = r.Object(func(name string) bool {
		switch name {
		case "schema":
			d.Schema = r.String()
		case "min_reader":
			minReader = r.Int()
		case "waiting", "open", "head", "sum":
			r.Skip()
		case "messages":
			r.Array(func() {
				var m Message
				m.read(r)
				d.Messages = append(d.Messages, m)
			})
		case "rev":
			d.Rev = r.Uint64()
		case "op":
			d.Op = r.String()
		case "ops":
			r.Array(func() {
				d.Ops = append(d.Ops, Op{})
				d.Ops[len(d.Ops)-1].read(r)
			})
		case "session":
			d.Session = r.String()
		case "agent":
			d.Agent = r.String()
		case "updated_at":
			d.UpdatedAt = todo.Time(r.Millis())
		case "rules":
			r.Array(func() {
				d.Rules = append(d.Rules, policy.Rule{})
				d.Rules[len(d.Rules)-1].Read(r)
			})
		case "batches":
			r.Array(func() {
				d.Batches = append(d.Batches, Batch{})
				d.Batches[len(d.Batches)-1].read(r)
			})
		case "calls":
			r.Array(func() {
				d.Calls = append(d.Calls, Call{})
				d.Calls[len(d.Calls)-1].read(r)
			})
		default:
			return false
		}
		return true
	}, "waiting", "session", "messages", "batches", "calls")
	return durable.Header{Schema: d.Schema, MinReader: minReader, Saved: d.Rev > 0 || d.Op != ""}
}

// write writes a document. How many messages wait, and how many calls have not ended, is near its beginning,
// because check-continue mostly reads no further; the head has a checksum of its own for it.
func (d *Document) write(w *object.Writer) {
	w.Open('{')
	w.String("schema", d.Schema)
	w.Int("min_reader", durable.Reader)
	w.Int("waiting", len(d.Messages))
	w.Int("open", d.Open())
	w.String("head", durable.Sum(w.Bytes()))
	w.Uint("rev", d.Rev)
	w.SomeString("op", d.Op)
	w.String("session", d.Session)
	w.String("agent", d.Agent)
	w.Millis("updated_at", int64(d.UpdatedAt))
	w.Name("messages")
	w.Open('[')
	for i := range d.Messages {
		m := &d.Messages[i]
		w.Open('{')
		w.String("text", m.Text)
		w.Millis("at", int64(m.At))
		w.Rest(m.Unknown)
		w.Close('}')
	}
	w.Close(']')
	if len(d.Ops) > 0 {
		w.Name("ops")
		w.Open('[')
		for i := range d.Ops {
			d.Ops[i].write(w)
		}
		w.Close(']')
	}
	if len(d.Rules) > 0 {
		w.Name("rules")
		w.Open('[')
		for i := range d.Rules {
			d.Rules[i].Write(w)
		}
		w.Close(']')
	}
	w.Name("batches")
	w.Open('[')
	for i := range d.Batches {
		b := &d.Batches[i]
		w.Open('{')
		w.String("id", b.ID)
		w.Bool("complete", b.Complete)
		w.Rest(b.Unknown)
		w.Close('}')
	}
	w.Close(']')
	w.Name("calls")
	w.Open('[')
	for i := range d.Calls {
		d.Calls[i].write(w)
	}
	w.Close(']')
	w.Rest(d.Unknown)
	w.Close('}')
}

func (m *Message) read(r *object.Reader) {
	m.Unknown = r.Object(func(name string) bool {
		switch name {
		case "text":
			m.Text = r.String()
		case "at":
			m.At = todo.Time(r.Millis())
		default:
			return false
		}
		return true
	})
}

func (b *Batch) read(r *object.Reader) {
	b.Unknown = r.Object(func(name string) bool {
		switch name {
		case "id":
			b.ID = r.String()
		case "complete":
			b.Complete = r.Bool()
		default:
			return false
		}
		return true
	})
}

func (o *Op) read(r *object.Reader) {
	r.Object(func(name string) bool {
		switch name {
		case "id":
			o.ID = r.String()
		case "change":
			o.Change.What = r.String()
		case "calls":
			o.Change.Calls = r.Strings()
		case "complete":
			o.Change.Complete = r.Strings()
		case "text":
			o.Change.Text = r.String()
		default:
			r.Raw()
		}
		return true
	})
}

func (o *Op) write(w *object.Writer) {
	w.Open('{')
	w.String("id", o.ID)
	w.String("change", o.Change.What)
	w.SomeStrings("calls", o.Change.Calls)
	w.SomeStrings("complete", o.Change.Complete)
	w.SomeString("text", o.Change.Text)
	w.Close('}')
}
