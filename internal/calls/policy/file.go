package policy

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"onward/internal/object"
	"onward/internal/store"
)

// Schema is the kind and version of a file of rules.
const Schema = "onward/policy/v1"

// File is a file of rules.
type File struct {
	Rules      []Rule
	Operations []Operation // the last operations with an id; earlier ones are in the log
}

// Operation is one that was applied, and the rule that it added or removed.
type Operation struct {
	ID   string
	Rule Rule
}

// AppendMissing puts rules at the end of others, each once.
func AppendMissing(rules []Rule, more ...Rule) []Rule {
	for i := range more {
		if !slices.ContainsFunc(rules, func(r Rule) bool { return r.same(&more[i]) }) {
			rules = append(rules, more[i])
		}
	}
	return rules
}

// Difference says in words what somebody does who makes rules these; empty if they are the same.
func Difference(before, after []Rule) string {
	switch {
	case len(after) > len(before):
		return "add a rule"
	case !slices.EqualFunc(before, after, func(a, b Rule) bool { return a.same(&b) }):
		return "remove a rule"
	}
	return ""
}

// Remove removes a rule by its number in the list, from 1 on, and returns it too.
func Remove(rules []Rule, n int) ([]Rule, Rule, error) {
	switch {
	case len(rules) == 0:
		return nil, Rule{}, fmt.Errorf("%w: rule %d", ErrNotFound, n)
	case n < 1 || n > len(rules):
		return nil, Rule{}, fmt.Errorf("%w: rule %d: the rules are 1 to %d", ErrNotFound, n, len(rules))
	}
	rule := rules[n-1]
	return slices.Delete(rules, n-1, n), rule, nil
}

// Fields lists the members of a file of rules, after its schema.
func (f *File) Fields(m *object.Fields) {
	object.List(m, "rules", &f.Rules)
	object.List(m.OmitEmpty(), "ops", &f.Operations)
}

// Fields lists the members of an operation.
func (o *Operation) Fields(m *object.Fields) {
	object.Text(m, "id", &o.ID)
	m.Object("rule", &o.Rule)
}

// Decode reads a file of rules. A member that is not known is an error,
// because a misspelt one would make a rule wider than it was meant.
func Decode(data []byte) (*File, error) {
	f := &File{}
	if err := object.Parse(data, Schema, f); err != nil {
		return nil, err
	}
	for i := range f.Operations {
		if err := f.Operations[i].Rule.Check(); err != nil {
			return nil, fmt.Errorf("/ops/%d/rule: %w", i, err)
		}
	}
	for i := range f.Rules {
		if err := f.Rules[i].CheckPlain(); err != nil {
			return nil, fmt.Errorf("/rules/%d: %w", i, err)
		}
	}
	return f, Check(f.Rules)
}

// Encode writes a readable file of rules, with a member on each line.
func (f *File) Encode() []byte { return object.EncodeReadable(Schema, f) }

// Store keeps the file of rules of the user's configuration in a backend.
type Store struct {
	Backend store.Backend
	Machine store.Backend // keeps the operations that the file does not have any more, for Once
	// May refuses a change of the rules, which it gets in words; nil if everybody may change them.
	May func(what string) error
}

// The file has no checksum, because users edit it too.
var (
	kind = store.Spec{Name: "policy", Folder: ".", Limit: 16 << 20}
	key  = store.Key{Kind: &kind, Name: "policy"}
)

// FileError is an error in a file of rules.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// Lost returns an error if the file is gone although onward had written it; nil if it exists or never did.
func (s Store) Lost() error {
	_, err := s.Backend.Get(key)
	if errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrLimit) {
		return nil // the user may have replaced it by a link
	}
	return err
}

// AcceptLoss accepts that the file is gone: from now on Lost returns nil.
func (s Store) AcceptLoss() error {
	return store.Update(s.Backend, key, "accept the loss of "+s.Backend.Path(key), func(store.Value, error) (store.Write, error) {
		return store.Write{Delete: true}, nil
	})
}

// Update changes the file, or creates it if there never was one. If the file is gone, the error is store.ErrGone; if it
// cannot be read, a FileError. The function may run several times.
func (s Store) Update(now time.Time, change func(*File) error) error {
	what := "write " + s.Backend.Path(key)
	return store.Update(s.Backend, key, what, func(v store.Value, unread error) (w store.Write, err error) {
		f := &File{}
		switch {
		case errors.Is(unread, store.ErrGone):
			return w, unread
		case unread != nil:
			return w, fmt.Errorf("%s: %w", what, unread)
		case v.Data != nil:
			if f, err = Decode(v.Data); err != nil {
				return w, &FileError{err}
			}
		}
		before := slices.Clone(f.Rules)
		if err := change(f); err != nil {
			return w, err
		}
		if what := Difference(before, f.Rules); what != "" && s.May != nil {
			if err := s.May(what); err != nil {
				return w, err
			}
		}
		return store.Write{Data: f.Encode(), Now: now}, nil
	})
}

// operationLogKind describes the log of operations on the file of rules.
var operationLogKind = store.OperationLogKind("policy-operations")

// operationLogName is the name under which operations on the file of rules are logged.
const operationLogName = "policy"

// operationLog has the operations that the file of rules does not have any more.
func (s Store) operationLog() store.OperationLog {
	return store.OperationLog{Backend: s.Machine, Kind: &operationLogKind}
}

// RepairOperations reports what is wrong with the log of applied operations. To restore it, all of them are forgotten.
func (s Store) RepairOperations(remedy store.Remedy, now time.Time) (problem, err error) {
	return s.operationLog().Repair(operationLogName, remedy, now)
}

// UpdateOnce makes a change, unless an operation of this id was applied within the last day, and returns the rule that was
// added or removed. Rules are removed by their number, so a retry that was applied again would remove another one.
func (s Store) UpdateOnce(op string, now time.Time, change func([]Rule) ([]Rule, Rule, error)) (rule Rule, err error) {
	log := s.operationLog()
	var ops []Operation
	err = s.Update(now, func(f *File) (err error) {
		var known store.LoggedResults
		if ops = nil; op != "" {
			if at := slices.IndexFunc(f.Operations, func(o Operation) bool { return o.ID == op }); at >= 0 {
				rule = f.Operations[at].Rule
				return nil
			}
			if known, err = log.Read(operationLogName, now); err != nil {
				return err
			}
			if again, err := known.Result(op, &rule); again || err != nil {
				return err
			}
		}
		if f.Rules, rule, err = change(f.Rules); err == nil && op != "" {
			ops = append(store.OperationsToKeep(f.Operations, func(o Operation) bool { return known.Has(o.ID) || !store.FitsLog(&o.Rule) }), Operation{op, rule})
			f.Operations = ops
		}
		return err
	})
	var due []store.Operation
	for _, o := range store.OperationsToLog(ops) {
		if store.FitsLog(&o.Rule) {
			due = append(due, store.Operation{ID: o.ID, Result: &o.Rule})
		}
	}
	if err == nil && len(due) > 0 {
		_ = log.Add(operationLogName, due, now) // operations that could not be moved stay in the file, and the next operation tries again
	}
	return rule, err
}
