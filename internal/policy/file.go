package policy

import (
	"fmt"
	"slices"

	"onward/internal/object"
)

// Schema is the kind and version of a file of rules.
const Schema = "onward/policy/v1"

// keptOps is how many operations a file remembers.
const keptOps = 16

// File is a file of rules.
type File struct {
	Rules []Rule
	Ops   []Op // the last ones whose callers gave them an id
}

// Op is an operation that was applied, and the rule that it added or removed.
type Op struct {
	ID   string
	Rule Rule
}

// Once makes a change, unless it is among the last ones, and gives the rule that was added or removed.
// Rules are removed by their number, so a retry that was applied again would remove another one.
func (f *File) Once(op string, change func() (Rule, error)) (Rule, error) {
	if at := slices.IndexFunc(f.Ops, func(o Op) bool { return op != "" && o.ID == op }); at >= 0 {
		return f.Ops[at].Rule, nil
	}
	rule, err := change()
	if err == nil && op != "" {
		f.Ops = append(f.Ops, Op{op, rule})
		f.Ops = f.Ops[max(0, len(f.Ops)-keptOps):]
	}
	return rule, err
}

// Add puts rules at the end, each once.
func (f *File) Add(more ...Rule) {
	for i := range more {
		if !slices.ContainsFunc(f.Rules, func(r Rule) bool { return r.Same(&more[i]) }) {
			f.Rules = append(f.Rules, more[i])
		}
	}
}

// Fields lists the members of a file of rules, behind its schema.
func (f *File) Fields(m *object.Fields) {
	object.List(m, "rules", &f.Rules)
	object.SomeList(m, "ops", &f.Ops)
}

// Fields lists the members of an operation.
func (o *Op) Fields(m *object.Fields) {
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
	for i := range f.Ops {
		if err := f.Ops[i].Rule.Check(); err != nil {
			return nil, fmt.Errorf("/ops/%d/rule: %w", i, err)
		}
	}
	return f, Check(f.Rules)
}

// Encode writes a file of rules, a member on each line, for people to read.
func (f *File) Encode() []byte { return object.Print(Schema, f) }
