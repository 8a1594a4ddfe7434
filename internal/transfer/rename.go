package transfer

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
)

// Renaming has the names of a session, and of the project that it was derived from, in the two stores.
type Renaming struct{ From, To, FromProject, ToProject string }

// Renamed returns a side whose store has the session under another name; reads and writes translate between the two.
func (s Side) Renamed(names Renaming) Side {
	b := renamed{s.Lists.Backend, names}
	s.Lists, s.Calls = s.Lists.WithBackend(b), &schedule.Store{Backend: b}
	return s
}

// renamed is a store in which a session has another name than its caller uses.
type renamed struct {
	store.Backend
	names Renaming
}

// key returns the key in the store.
func (r renamed) key(k store.Key) store.Key {
	if name, err := session.ParseName(k.Name); err == nil && name.Session == r.names.From {
		name.Session = r.names.To
		k.Name = name.String()
	}
	return k
}

// asInSource replaces the store's names in a document that was read by the caller's; asInTarget does the reverse.
func (r renamed) asInSource(k store.Key, v store.Value) store.Value {
	at := r.key(k).Name
	v.Data = replace(v.Data, map[string][2]string{
		"name": {at, k.Name}, "session": {r.names.To, r.names.From}, "project": {r.names.ToProject, r.names.FromProject},
	})
	return v
}

func (r renamed) asInTarget(k store.Key, w store.Write) store.Write {
	at := r.key(k).Name
	w.Data = replace(w.Data, map[string][2]string{
		"name": {k.Name, at}, "session": {r.names.From, r.names.To}, "project": {r.names.FromProject, r.names.ToProject},
	})
	return w
}

func (r renamed) Get(k store.Key) (store.Value, error) {
	v, err := r.Backend.Get(r.key(k))
	return r.asInSource(k, v), err
}

func (r renamed) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return r.Backend.Update(r.key(k), func(v store.Value, unread error) (store.Write, error) {
		w, err := change(r.asInSource(k, v), unread)
		return r.asInTarget(k, w), err
	})
}

func (r renamed) Hold(k store.Key, atOnce bool) (store.Held, error) {
	h, err := r.Backend.Hold(r.key(k), atOnce)
	if err != nil {
		return nil, err
	}
	return renamedHeld{h, renamed{h, r.names}}, nil
}

type (
	right = store.Held
	// renamedHeld is a renamed store in which the caller holds a document.
	renamedHeld struct {
		right
		by renamed
	}
)

func (h renamedHeld) Get(k store.Key) (store.Value, error) { return h.by.Get(k) }

func (h renamedHeld) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return h.by.Update(k, change)
}

// replace replaces members of a document that are texts, and renews its checksum. A damaged document stays as it is.
func replace(data []byte, texts map[string][2]string) []byte {
	sealed, damaged := store.CheckSeal(data)
	if damaged != nil {
		return data
	}
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	_, err := dec.ReadToken()
	var out []byte
	done := 0
	for err == nil && dec.PeekKind() == '"' {
		var name jsontext.Token
		var value jsontext.Value
		if name, err = dec.ReadToken(); err != nil {
			break
		}
		text := texts[name.String()]
		if value, err = dec.ReadValue(); err == nil && value.Kind() == '"' && text[0] != "" && quoted(text[0]) == string(value) {
			end := int(dec.InputOffset())
			out = append(append(out, data[done:end-len(value)]...), quoted(text[1])...)
			done = end
		}
	}
	if err != nil || done == 0 {
		return data
	}
	if out = append(out, data[done:]...); sealed {
		out = store.Seal(out)
	}
	return out
}

func quoted(text string) string {
	q, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return ""
	}
	return string(q)
}
