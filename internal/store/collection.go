package store

import (
	"errors"
	"fmt"
	"strconv"
)

// Collection is the documents of one type D in a backend; a change of one is a C.
type Collection[D, C any, P pointer[D]] struct {
	Backend Backend
	Kind    *Spec
	Rules   Rules[D, C]
}

// pointer is to a document.
type pointer[D any] interface {
	*D
	Document
}

// Rules are the parts of a collection that depend on the type of document.
type Rules[D, C any] interface {
	// ApplyLog completes a document that was read with its journal.
	ApplyLog(doc *D, v Value) error
	// New returns a document before its first commit.
	New() *D
	// Allow refuses to change a document.
	Allow(*D) error
	// OperationResult returns the result of an operation that was applied before.
	OperationResult(doc *D, op string) (C, bool, error)
	// Commit turns a document with a change, made by an operation, into the data to write; empty if nothing changed.
	Commit(doc *D, op string, did C) (Write, error)
}

// Commit is the result of an update.
type Commit[D, C any] struct {
	Doc     *D // as it is now
	Change  C
	Changed bool // false: there was nothing to change, and nothing was written
	Again   bool // the operation had been applied before; Change is the first answer
}

// IsNew reports whether this update made the change, and not an earlier one with the same operation id.
func (c Commit[D, C]) IsNew() bool { return c.Changed && !c.Again }

func (c Collection[D, C, P]) key(name string) Key { return Key{c.Kind, name} }

// Load reads a document; nil if it never existed or was deleted.
func (c Collection[D, C, P]) Load(name string) (*D, error) {
	v, err := c.Backend.Get(c.key(name))
	return c.Open(name, v, err)
}

// Open turns what a backend has into a document; nil if there is none. One that was moved to another store, or is being
// deleted, is refused.
func (c Collection[D, C, P]) Open(name string, v Value, err error) (*D, error) {
	doc, err := c.open(name, v, err, false)
	if doc != nil {
		if err := P(doc).Head().CheckUsable(); err != nil {
			return nil, &ReadError{c.Kind.Name, name, err}
		}
	}
	return doc, err
}

// LoadWithLog reads a document as Load does, with its log as it was at that moment. The log is returned even with
// an error of the document.
func (c Collection[D, C, P]) LoadWithLog(name string) (doc *D, log []byte, err error) {
	v, log, unread, err := GetWithLog(c.Backend, c.key(name))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.what("read the log of", name), err)
	}
	doc, err = c.Open(name, v, unread)
	return doc, log, err
}

// LoadMoved reads a document as Load does, also one that was moved, together with the backend's value.
func (c Collection[D, C, P]) LoadMoved(name string) (*D, Value, error) {
	v, err := c.Backend.Get(c.key(name))
	doc, err := c.open(name, v, err, false)
	return doc, v, err
}

// Rewrite changes a document without a new revision, also one that was moved. The function gets nil if there is none.
func (c Collection[D, C, P]) Rewrite(name string, change func(*D) (Write, error)) error {
	return Update(c.Backend, c.key(name), c.what("write", name), func(v Value, unread error) (Write, error) {
		doc, err := c.open(name, v, unread, false)
		if err != nil {
			return Write{}, err
		}
		return change(doc)
	})
}

func (c Collection[D, C, P]) open(name string, v Value, err error, edited bool) (*D, error) {
	if err == nil && v.Data == nil {
		return nil, nil
	}
	doc := new(D)
	if err == nil {
		err = c.Kind.Decode(name, v.Data, edited, P(doc))
	}
	if err == nil {
		err = c.Rules.ApplyLog(doc, v)
	}
	if err != nil {
		return nil, &ReadError{c.Kind.Name, name, err}
	}
	return doc, nil
}

// Update changes a document and commits the result, once. The function receives the current
// document, or a new one if there is none, and changes it in place; it may run several times. An
// operation that the document or its log has is not applied again.
func (c Collection[D, C, P]) Update(name, op string, change func(*D) (C, error)) (Commit[D, C], error) {
	if err := CheckOp(op); err != nil {
		return Commit[D, C]{}, err
	}
	var out Commit[D, C]
	err := Update(c.Backend, c.key(name), c.what("write", name), func(v Value, unread error) (Write, error) {
		out = Commit[D, C]{}
		return c.update(&out, name, op, change, v, unread)
	})
	if err != nil {
		out.Changed = false
	}
	return out, err
}

// what names the operation on a document, for its errors.
func (c Collection[D, C, P]) what(verb, name string) string {
	return verb + " " + c.Kind.Name + " " + strconv.Quote(name)
}

// update is one attempt of Update.
func (c Collection[D, C, P]) update(out *Commit[D, C], name, op string, change func(*D) (C, error), v Value, unread error) (w Write, err error) {
	doc, err := c.Open(name, v, unread)
	if errors.Is(err, ErrCorrupt) {
		// Its content survives a later deletion or repair.
		w.Copy = func(string) {}
	}
	if err == nil && doc != nil {
		err = c.Rules.Allow(doc)
	}
	if err != nil {
		return w, err
	}
	if doc != nil && P(doc).Head().Schema != c.Kind.Schema() {
		return w, fmt.Errorf("%s: %w", c.what("write", name), WrapProblem(ErrNewer, "the file has the schema %q", P(doc).Head().Schema))
	}
	if out.Doc = doc; doc == nil {
		out.Doc = c.Rules.New()
	} else if op != "" {
		if out.Change, out.Again, err = c.Rules.OperationResult(doc, op); err != nil {
			return w, fmt.Errorf("%s: %w", c.what("write", name), err)
		}
		if out.Again {
			out.Changed = true
			return w, nil
		}
	}
	if out.Change, err = change(out.Doc); err != nil {
		return w, err
	}
	w, err = c.Rules.Commit(out.Doc, op, out.Change)
	if err == nil && w.Data != nil && doc == nil {
		err = c.checkCase(name)
	}
	if err != nil {
		return Write{}, fmt.Errorf("%s: %w", c.what("write", name), err)
	}
	out.Changed = w.Data != nil
	return w, nil
}

// checkCase refuses a new name that differs from an existing one only in case,
// since the two would be one file on other systems.
func (c Collection[D, C, P]) checkCase(name string) error {
	entries, err := c.Backend.List(c.Kind, name, false)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name != name {
			return fmt.Errorf("%w: %s %q differs from the existing %q only in case", ErrInvalidName, c.Kind.Name, name, e.Name)
		}
	}
	return nil
}
