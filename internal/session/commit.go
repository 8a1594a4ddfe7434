package session

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"onward/internal/durable"
	"onward/internal/todo"
)

// keptOps is how many operation ids a document remembers.
const keptOps = 16

// transaction is one locked read, change and write of one list.
type transaction struct {
	*durable.Transaction
	name    Name
	cleared bool // what a deletion that was cut off had left is gone now
}

// begin makes the folders where they are missing, takes the lock, and ends what was not ended under it.
func (s *Store) begin(name Name) (*transaction, error) {
	t, err := durable.Begin(s.Dir, document(name), s.LockTimeout, historyDir)
	if err != nil {
		return nil, err
	}
	own := &transaction{Transaction: t, name: name}
	if t.Unfinished {
		t.Root.Remove(trimmedPath(name))
	}
	if t.Deleted {
		paths, err := remains(t.Root, name)
		if err == nil {
			own.cleared, err = t.Clear(paths...)
		}
		if err != nil {
			t.End()
			return nil, err
		}
	}
	return own, nil
}

// commit puts a changed document in the place of the old one.
func (t *transaction) commit(doc *Document, old fs.FileInfo, op string, did Change, now todo.Time) error {
	if old == nil {
		if err := t.checkCase(); err != nil {
			return err
		}
	}
	previous := doc.Todos.Rev
	doc.Rev++
	doc.enter(op, did)
	doc.UpdatedAt = now
	if did.List {
		doc.Todos.Rev, doc.Todos.UpdatedAt = doc.Rev, now
	}
	data, items, err := encode(doc)
	if err != nil {
		return err
	}
	return t.Replace(data, old, now.Time(), func() error {
		// The history comes before the document: a crash between the two leaves an entry
		// that never happened, which no later entry leads to.
		if !did.List {
			return nil
		}
		return t.remember(doc, items, previous, did)
	})
}

// enter remembers the operation of a commit: every id for a while, and of one that a caller gave what it did.
func (d *Document) enter(op string, did Change) {
	given := op != ""
	if !given {
		op = fmt.Sprintf("o%016x", rand.Uint64())
	}
	d.Op = op
	d.Ops = append(d.Ops, op)
	d.Ops = d.Ops[max(0, len(d.Ops)-keptOps):]
	d.Applied = slices.DeleteFunc(d.Applied, func(a Applied) bool { return !slices.Contains(d.Ops, a.Op) })
	if given {
		d.Applied = append(d.Applied, Applied{Op: op, Rev: d.Rev, Change: did.What})
	}
}

// checkCase refuses a new id that differs from an existing one only in case,
// since the two would be one file on other systems.
func (t *transaction) checkCase() error {
	names, err := fileNames(t.Root, sessionsDir)
	if err != nil {
		return err
	}
	own := t.name.String()
	for _, n := range names {
		id, isDocument := strings.CutSuffix(n, ".json")
		if isDocument && id != own && strings.EqualFold(id, own) {
			return fmt.Errorf("%w: session %q differs from the existing %q only in case", ErrID, own, id)
		}
	}
	return nil
}

// CheckOp refuses an operation id that is too long to be kept sixteen times.
func CheckOp(op string) error {
	if len(op) > maxSession || !utf8.ValidString(op) || strings.ContainsFunc(op, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return fmt.Errorf("%w: operation id %q is too long, or holds white space or what is no UTF-8", ErrID, op)
	}
	return nil
}

// answered finds the answer to an operation that was applied before.
func (t *transaction) answered(doc *Document, op string) (Commit, bool) {
	if op == "" || !slices.Contains(doc.Ops, op) {
		return Commit{}, false
	}
	again := Commit{Doc: doc, Again: true, Changed: true, Change: Change{What: "applied before"}}
	for _, a := range doc.Applied {
		if a.Op == op {
			again.Change.What, again.Doc.Rev = a.Change, a.Rev
		}
	}
	// Which items it touched, the history says; without one, only that is not known.
	entries, _ := readHistory(t.Root, t.name)
	for _, e := range entries {
		if e.Op == op {
			again.Change = Change{What: e.Change, By: e.By, Touched: e.Touched, List: true}
			again.Doc.Rev = e.Rev
		}
	}
	return again, true
}
