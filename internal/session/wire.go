package session

import (
	"slices"

	"onward/internal/durable"
	"onward/internal/object"
	"onward/internal/todo"
)

// What a document looks like as JSON: the names of its members, reading and writing them.

func readDocument(r *object.Reader, d *Document) durable.Header {
	minReader := 0
	d.Unknown = r.Object(func(name string) bool {
		switch name {
		case "schema":
			d.Schema = r.String()
		case "min_reader":
			minReader = r.Int()
		case "rev":
			d.Rev = r.Uint64()
		case "op":
			d.Op = r.String()
		case "ops":
			d.Ops = r.Strings()
		case "applied":
			r.Array(func() {
				d.Applied = append(d.Applied, Applied{})
				readApplied(r, &d.Applied[len(d.Applied)-1])
			})
		case "session":
			d.Session = r.String()
		case "agent":
			d.Agent = r.String()
		case "project":
			d.Project = r.String()
		case "created_at":
			d.CreatedAt = readTime(r)
		case "updated_at":
			d.UpdatedAt = readTime(r)
		case "owner":
			if !r.Null() {
				d.Owner = &Owner{}
				readOwner(r, d.Owner)
			}
		case "todos":
			readTodos(r, &d.Todos)
		case "continuation":
			readLedger(r, &d.Continuation)
		case "settings":
			d.Settings = readMap(r)
		case "sum":
			r.Skip()
		default:
			return false
		}
		return true
	}, "session", "todos", "continuation")
	return durable.Header{Schema: d.Schema, MinReader: minReader, Saved: d.Rev > 0 || d.Op != ""}
}

func readApplied(r *object.Reader, a *Applied) {
	a.Unknown = r.Object(func(name string) bool {
		switch name {
		case "op":
			a.Op = r.String()
		case "rev":
			a.Rev = r.Uint64()
		case "change":
			a.Change = r.String()
		default:
			return false
		}
		return true
	})
}

func readTime(r *object.Reader) todo.Time { return todo.Time(r.Millis()) }

func readMap(r *object.Reader) map[string]string {
	m := map[string]string{}
	r.Object(func(name string) bool {
		m[name] = r.String()
		return true
	})
	return m
}

func readOwner(r *object.Reader, o *Owner) {
	o.Unknown = r.Object(func(name string) bool {
		switch name {
		case "agent":
			o.Agent = r.String()
		case "session":
			o.Session = r.String()
		case "since":
			o.Since = readTime(r)
		case "seen_at":
			o.SeenAt = readTime(r)
		case "ended_at":
			o.EndedAt = readTime(r)
		case "process":
			if !r.Null() {
				o.Process = &Process{}
				readProcess(r, o.Process)
			}
		default:
			return false
		}
		return true
	})
}

func readProcess(r *object.Reader, p *Process) {
	p.Unknown = r.Object(func(name string) bool {
		switch name {
		case "host":
			p.Host = r.String()
		case "boot":
			p.Boot = r.String()
		case "pid_namespace":
			p.Namespace = r.String()
		case "pid":
			p.PID = r.Int()
		case "start":
			p.Start = r.String()
		default:
			return false
		}
		return true
	})
}

func readTodos(r *object.Reader, t *Todos) {
	t.Unknown = r.Object(func(name string) bool {
		switch name {
		case "active":
			t.Active = r.Bool()
		case "emptied":
			t.Emptied = r.Bool()
		case "source":
			t.Source = r.String()
		case "rev":
			t.Rev = r.Uint64()
		case "updated_at":
			t.UpdatedAt = readTime(r)
		case "items":
			t.Items = todo.ReadItems(r)
		default:
			return false
		}
		return true
	}, "active", "items")
}

// writeDocument writes a document; its items are JSON already, since the history has them too.
func writeDocument(w *object.Writer, d *Document, items []byte) {
	w.Open('{')
	w.String("schema", d.Schema)
	w.Int("min_reader", durable.Reader)
	w.Uint("rev", d.Rev)
	w.String("op", d.Op)
	w.Strings("ops", d.Ops)
	if len(d.Applied) > 0 {
		w.Name("applied")
		w.Open('[')
		for i := range d.Applied {
			a := &d.Applied[i]
			w.Open('{')
			w.String("op", a.Op)
			w.Uint("rev", a.Rev)
			w.String("change", a.Change)
			w.Rest(a.Unknown)
			w.Close('}')
		}
		w.Close(']')
	}
	w.String("session", d.Session)
	w.String("agent", d.Agent)
	w.SomeString("project", d.Project)
	w.Millis("created_at", int64(d.CreatedAt))
	w.Millis("updated_at", int64(d.UpdatedAt))
	if o := d.Owner; o != nil {
		w.Name("owner")
		w.Open('{')
		w.String("agent", o.Agent)
		w.String("session", o.Session)
		w.SomeMillis("since", int64(o.Since))
		w.Millis("seen_at", int64(o.SeenAt))
		w.SomeMillis("ended_at", int64(o.EndedAt))
		if p := o.Process; p != nil {
			w.Name("process")
			w.Open('{')
			w.String("host", p.Host)
			w.String("boot", p.Boot)
			w.String("pid_namespace", p.Namespace)
			w.Int("pid", p.PID)
			w.String("start", p.Start)
			w.Rest(p.Unknown)
			w.Close('}')
		}
		w.Rest(o.Unknown)
		w.Close('}')
	}
	w.Name("todos")
	w.Open('{')
	w.Bool("active", d.Todos.Active)
	if d.Todos.Emptied {
		w.Bool("emptied", true)
	}
	w.SomeString("source", d.Todos.Source)
	w.Uint("rev", d.Todos.Rev)
	w.Millis("updated_at", int64(d.Todos.UpdatedAt))
	w.Name("items")
	w.Raw(items)
	w.Rest(d.Todos.Unknown)
	w.Close('}')
	w.Name("continuation")
	writeLedger(w, &d.Continuation)
	if len(d.Settings) > 0 {
		w.Name("settings")
		w.Open('{')
		for _, key := range sortedKeys(d.Settings) {
			w.Key(key)
			w.Value(d.Settings[key])
		}
		w.Close('}')
	}
	w.Rest(d.Unknown)
	w.Close('}')
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
