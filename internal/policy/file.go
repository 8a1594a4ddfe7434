package policy

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

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

// Decode reads a file of rules. A member that is not known is an error,
// because a misspelt one would make a rule wider than it was meant.
func Decode(data []byte) (*File, error) {
	f := &File{}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	r := object.NewReader(dec)
	kind := ""
	rest := r.Object(func(name string) bool {
		switch name {
		case "schema":
			kind = r.String()
		case "rules":
			r.Array(func() { f.Rules = append(f.Rules, readRule(r)) })
		case "ops":
			r.Array(func() { f.Ops = append(f.Ops, readOp(r)) })
		default:
			return false
		}
		return true
	})
	switch {
	case r.Err() != nil:
		return nil, object.Problem(data, r.Err())
	case kind != Schema:
		return nil, fmt.Errorf("%w: the schema is %q, not %q", ErrRule, kind, Schema)
	case rest != nil:
		return nil, fmt.Errorf("%w: members that are not known: %s", ErrRule, rest)
	}
	if err := object.End(data, dec); err != nil {
		return nil, err
	}
	return f, nil
}

func readRule(r *object.Reader) Rule {
	var rule Rule
	if rule.Read(r); rule.Unknown != nil {
		r.Refuse("members that are not known: %s", rule.Unknown)
	}
	return rule
}

func readOp(r *object.Reader) Op {
	var op Op
	r.Object(func(name string) bool {
		switch name {
		case "id":
			op.ID = r.String()
		case "rule":
			op.Rule = readRule(r)
		default:
			return false
		}
		return true
	})
	return op
}

// Encode writes a file of rules, a member on each line, for people to read.
func (f *File) Encode() []byte {
	w := object.NewWriter(128 * (len(f.Rules) + 1))
	w.Open('{')
	w.String("schema", Schema)
	w.Name("rules")
	w.Open('[')
	for i := range f.Rules {
		f.Rules[i].Write(w)
	}
	w.Close(']')
	if len(f.Ops) > 0 {
		w.Name("ops")
		w.Open('[')
		for i := range f.Ops {
			w.Open('{')
			w.String("id", f.Ops[i].ID)
			w.Name("rule")
			f.Ops[i].Rule.Write(w)
			w.Close('}')
		}
		w.Close(']')
	}
	w.Close('}')
	out := jsontext.Value(w.Bytes())
	if err := out.Indent(jsontext.WithIndent("  ")); err != nil {
		return append(w.Bytes(), '\n')
	}
	return append(out, '\n')
}
