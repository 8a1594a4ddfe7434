package store

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// A document keeps the last operations whose callers gave them an id, with their results. It is read all the time, so
// older ones move to a memory: a document of its own, which is read only for an operation with an id.
//
// An operation enters the memory after the commit that applied it, and leaves the document in a later commit, which has
// seen it in the memory. So it is in one of the two at any moment, wherever a process dies, and nothing is in the memory
// that was not applied. Whoever looks for an operation reads the document first, and then the memory.

// The bounds of a memory.
const (
	memoryTime   = 24 * time.Hour
	memorySize   = 1000
	memoryResult = 1 << 10 // bytes of a result; a longer one stays among the last of its document only
	spareOps     = 8       // beyond the last ones of a document, before they move to the memory
)

// Memory is the memories of a collection.
type Memory struct {
	Backend Backend
	Kind    *Spec
}

// MemoryKind describes memories in a folder of a backend.
func MemoryKind(folder string) Spec {
	return Spec{Name: "operations", Folder: folder, Limit: 2 * memorySize * memoryResult}
}

// Applied is an operation that was applied, with its result.
type Applied struct {
	Op     string
	Result object.Object
}

// Recollection is what a memory has of a document, by the hashes of the operations.
type Recollection map[string]jsontext.Value

// Knows reports whether an operation is remembered.
func (r Recollection) Knows(op string) bool { return r[hashOf(op)] != nil }

// Result reads the result of an operation, and reports whether it is remembered.
func (r Recollection) Result(op string, result object.Object) (known bool, err error) {
	data := r[hashOf(op)]
	if data == nil {
		return false, nil
	}
	read := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(data))))
	read.Read(result)
	return true, read.Err()
}

// hashOf returns the hash by which an operation is remembered.
func hashOf(op string) string { return Sum([]byte(op)) }

// Key returns the address of the memory of a document.
func (m Memory) Key(name string) Key { return Key{m.Kind, name} }

// Read returns the operations of a document that were remembered within the last day.
func (m Memory) Read(name string, now time.Time) (Recollection, error) {
	v, err := m.Backend.Get(m.Key(name))
	var r remembered
	if err == nil {
		err = r.decode(m.Kind, name, v.Data)
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", m.Backend.Path(m.Key(name)), err)
		if errors.Is(err, ErrCorrupt) || errors.Is(err, ErrForeign) {
			err = fmt.Errorf("%w: %w", ErrForgotten, err)
		}
		return nil, err
	}
	known := make(Recollection, len(r.ops))
	for _, op := range r.ops {
		if op.fresh(now) {
			known[op.hash] = op.result
		}
	}
	return known, nil
}

// Add remembers operations, all of which were applied. Those that are older than a day or before the last thousand go.
func (m Memory) Add(name string, ops []Applied, now time.Time) error {
	return Update(m.Backend, m.Key(name), "write "+m.Backend.Path(m.Key(name)), func(v Value, err error) (w Write, _ error) {
		var r remembered
		if err == nil {
			err = r.decode(m.Kind, name, v.Data)
		}
		if err != nil || !r.add(ops, now) {
			return w, err
		}
		return Write{Data: m.Kind.Write(&r), Now: now}, nil
	})
}

// Delete forgets everything about a document, and reports whether there was anything.
func (m Memory) Delete(name string) (bool, error) {
	if v, err := m.Backend.Get(m.Key(name)); err == nil && v.Data == nil {
		return false, nil
	}
	err := Update(m.Backend, m.Key(name), "delete "+m.Backend.Path(m.Key(name)), func(Value, error) (Write, error) {
		return Write{Delete: true}, nil
	})
	return err == nil, err
}

// Repair reports why a memory cannot be read, and to restore forgets all of it.
func (m Memory) Repair(name string, remedy Remedy, now time.Time) (problem, err error) {
	_, problem = m.Read(name, now)
	switch {
	case problem == nil || !errors.Is(problem, ErrForgotten):
		return nil, problem
	case remedy == Restore:
		_, err = m.Delete(name)
	}
	return problem, err
}

// Copy brings a memory to another backend.
func (m Memory) Copy(to Backend, name string, now time.Time) error {
	v, err := m.Backend.Get(m.Key(name))
	if err != nil || v.Data == nil {
		return err
	}
	return to.Update(m.Key(name), func(there Value, err error) (Write, error) {
		if err == nil && bytes.Equal(there.Data, v.Data) {
			return Write{}, nil
		}
		return Write{Data: v.Data, Now: now}, nil
	})
}

// Settle returns the operations that a document keeps in its next commit: the last ones, and before them those that
// the memory does not know.
func Settle[O any](ops []O, known func(O) bool) []O {
	last := max(0, len(ops)-keptOps)
	kept := make([]O, 0, len(ops))
	for _, op := range ops[:last] {
		if !known(op) {
			kept = append(kept, op)
		}
	}
	return append(kept, ops[last:]...)
}

// Due returns the operations of a document that are to move to its memory now, if any.
func Due[O any](ops []O) []O {
	if len(ops) < keptOps+spareOps {
		return nil
	}
	return ops[:len(ops)-keptOps]
}

// Fits reports whether a result is short enough to be remembered.
func Fits(result object.Object) bool { return len(encoded(result)) <= memoryResult }

func encoded(o object.Object) []byte {
	w := object.NewWriter(256)
	w.Write(o)
	return w.Bytes()
}

// remembered is the content of a memory, oldest first.
type remembered struct {
	name string
	ops  []rememberedOp
}

type rememberedOp struct {
	hash   string
	at     int64 // when it entered the memory, in milliseconds
	result jsontext.Value
}

// Fields lists the members of a memory.
func (r *remembered) Fields(f *object.Fields) {
	f.Require("name", "operations")
	object.Text(f, "name", &r.name)
	object.List(f, "operations", &r.ops)
}

// Fields lists the members of an operation.
func (o *rememberedOp) Fields(f *object.Fields) {
	f.Require("hash", "at", "result")
	object.Text(f, "hash", &o.hash)
	object.Time(f, "at", &o.at)
	f.Raw("result", &o.result)
}

// fresh reports whether an operation entered the memory within the last day. A clock that was set back forgets nothing.
func (o *rememberedOp) fresh(now time.Time) bool { return now.Sub(time.UnixMilli(o.at)) < memoryTime }

// decode reads the memory of a document; one that is not there is empty.
func (r *remembered) decode(kind *Spec, name string, data []byte) error {
	if data == nil {
		r.name = name
		return nil
	}
	err := kind.Read(data, r)
	if err == nil && r.name != name {
		err = Problem(ErrCorrupt, "the file is of %q", r.name)
	}
	return err
}

// add appends operations that are not there, and reports whether there were any.
func (r *remembered) add(ops []Applied, now time.Time) bool {
	kept := make([]rememberedOp, 0, len(r.ops)+len(ops))
	known := map[string]bool{}
	for _, op := range r.ops {
		if op.fresh(now) {
			kept, known[op.hash] = append(kept, op), true
		}
	}
	had := len(kept)
	for _, op := range ops {
		if hash := hashOf(op.Op); !known[hash] {
			kept, known[hash] = append(kept, rememberedOp{hash, now.UnixMilli(), encoded(op.Result)}), true
		}
	}
	r.ops = kept[max(0, len(kept)-memorySize):]
	size := 0
	for _, op := range r.ops {
		size += len(op.result)
	}
	for len(r.ops) > len(ops) && size > memorySize*memoryResult { // a few long results leave room for no others
		size -= len(r.ops[0].result)
		r.ops = r.ops[1:]
	}
	return len(kept) > had
}
