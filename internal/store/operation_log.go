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
// older ones move to a log: a document of its own, which is read only for an operation with an id.
//
// An operation enters the log after the commit that applied it, and leaves the document in a later commit, which has
// seen it in the log. So it is in one of the two at any moment, wherever a process dies, and nothing is in the log
// that was not applied. Whoever looks for an operation reads the document first, and then the log.

// The bounds of a log.
const (
	logTime         = 24 * time.Hour
	logSize         = 1000
	logResult       = 1 << 10 // bytes of a result; a longer one stays among the last of its document only
	spareOperations = 8       // beyond the last ones of a document, before they move to the log
)

// OperationLog is the logs of a collection: each has the older operations on a document.
type OperationLog struct {
	Backend Backend
	Kind    *Spec
}

// OperationLogKind describes logs in a folder of a backend.
func OperationLogKind(folder string) Spec {
	return Spec{Name: "operations", Folder: folder, Limit: 2 * logSize * logResult}
}

// Operation is one that was applied, with its result.
type Operation struct {
	ID     string
	Result object.Object
}

// LoggedResults are what a log has of a document, by the hashes of the operations.
type LoggedResults map[string]jsontext.Value

// Has reports whether an operation is logged.
func (r LoggedResults) Has(op string) bool { return r[operationHash(op)] != nil }

// Result reads the result of an operation, and reports whether it is logged.
func (r LoggedResults) Result(op string, result object.Object) (known bool, err error) {
	data := r[operationHash(op)]
	if data == nil {
		return false, nil
	}
	read := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(data))))
	read.Read(result)
	return true, read.Err()
}

// operationHash returns the hash by which an operation is logged.
func operationHash(op string) string { return Checksum([]byte(op)) }

// Key returns the address of the log of a document.
func (m OperationLog) Key(name string) Key { return Key{m.Kind, name} }

// Read returns the operations of a document that were logged within the last day.
func (m OperationLog) Read(name string, now time.Time) (LoggedResults, error) {
	v, err := m.Backend.Get(m.Key(name))
	var r operationLog
	if err == nil {
		err = r.decode(m.Kind, name, v.Data)
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", m.Backend.Path(m.Key(name)), err)
		if errors.Is(err, ErrCorrupt) || errors.Is(err, ErrForeign) {
			err = fmt.Errorf("%w: %w", ErrOperationsUnknown, err)
		}
		return nil, err
	}
	known := make(LoggedResults, len(r.operations))
	for _, op := range r.operations {
		if op.isRecent(now) {
			known[op.hash] = op.result
		}
	}
	return known, nil
}

// Add logs operations that were applied. Those that are older than a day or before the last thousand go.
func (m OperationLog) Add(name string, ops []Operation, now time.Time) error {
	return Update(m.Backend, m.Key(name), "write "+m.Backend.Path(m.Key(name)), func(v Value, err error) (w Write, _ error) {
		var r operationLog
		if err == nil {
			err = r.decode(m.Kind, name, v.Data)
		}
		if err != nil || !r.add(ops, now) {
			return w, err
		}
		return Write{Data: m.Kind.Write(&r), Now: now}, nil
	})
}

// Delete removes the log of a document, and reports whether there was anything.
func (m OperationLog) Delete(name string) (bool, error) {
	if v, err := m.Backend.Get(m.Key(name)); err == nil && v.Data == nil {
		return false, nil
	}
	err := Update(m.Backend, m.Key(name), "delete "+m.Backend.Path(m.Key(name)), func(Value, error) (Write, error) {
		return Write{Delete: true}, nil
	})
	return err == nil, err
}

// Repair reports why a log cannot be read, and to restore removes it.
func (m OperationLog) Repair(name string, remedy Remedy, now time.Time) (problem, err error) {
	_, problem = m.Read(name, now)
	switch {
	case problem == nil || !errors.Is(problem, ErrOperationsUnknown):
		return nil, problem
	case remedy == Restore:
		_, err = m.Delete(name)
	}
	return problem, err
}

// Copy brings a log to another backend.
func (m OperationLog) Copy(to Backend, name string, now time.Time) error {
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

// OperationsToKeep returns the operations that a document keeps in its next commit: the last ones, and before them those that
// the log does not have.
func OperationsToKeep[O any](ops []O, logged func(O) bool) []O {
	last := max(0, len(ops)-keptOperations)
	kept := make([]O, 0, len(ops))
	for _, op := range ops[:last] {
		if !logged(op) {
			kept = append(kept, op)
		}
	}
	return append(kept, ops[last:]...)
}

// OperationsToLog returns the operations of a document that are to move to its log now, if any.
func OperationsToLog[O any](ops []O) []O {
	if len(ops) < keptOperations+spareOperations {
		return nil
	}
	return ops[:len(ops)-keptOperations]
}

// FitsLog reports whether a result is short enough to be logged.
func FitsLog(result object.Object) bool { return len(encoded(result)) <= logResult }

func encoded(o object.Object) []byte {
	w := object.NewWriter(256)
	w.Write(o)
	return w.Bytes()
}

// operationLog is the content of a log, oldest first.
type operationLog struct {
	name       string
	operations []loggedOperation
}

type loggedOperation struct {
	hash   string
	at     int64 // when it entered the log, in milliseconds
	result jsontext.Value
}

// Fields lists the members of a log.
func (r *operationLog) Fields(f *object.Fields) {
	f.Require("name", "operations")
	object.Text(f, "name", &r.name)
	object.List(f, "operations", &r.operations)
}

// Fields lists the members of an operation.
func (o *loggedOperation) Fields(f *object.Fields) {
	f.Require("hash", "at", "result")
	object.Text(f, "hash", &o.hash)
	object.Time(f, "at", &o.at)
	f.Raw("result", &o.result)
}

// isRecent reports whether an operation entered the log within the last day. A clock that was set back forgets nothing.
func (o *loggedOperation) isRecent(now time.Time) bool {
	return now.Sub(time.UnixMilli(o.at)) < logTime
}

// decode reads the log of a document; one that is not there is empty.
func (r *operationLog) decode(kind *Spec, name string, data []byte) error {
	if data == nil {
		r.name = name
		return nil
	}
	err := kind.Read(data, r)
	if err == nil && r.name != name {
		err = WrapProblem(ErrCorrupt, "the file is of %q", r.name)
	}
	return err
}

// add appends operations that are not there, and reports whether there were any.
func (r *operationLog) add(ops []Operation, now time.Time) bool {
	kept := make([]loggedOperation, 0, len(r.operations)+len(ops))
	known := map[string]bool{}
	for _, op := range r.operations {
		if op.isRecent(now) {
			kept, known[op.hash] = append(kept, op), true
		}
	}
	had := len(kept)
	for _, op := range ops {
		if hash := operationHash(op.ID); !known[hash] {
			kept, known[hash] = append(kept, loggedOperation{hash, now.UnixMilli(), encoded(op.Result)}), true
		}
	}
	r.operations = kept[max(0, len(kept)-logSize):]
	size := 0
	for _, op := range r.operations {
		size += len(op.result)
	}
	for len(r.operations) > len(ops) && size > logSize*logResult { // a few long results leave room for no others
		size -= len(r.operations[0].result)
		r.operations = r.operations[1:]
	}
	return len(kept) > had
}
