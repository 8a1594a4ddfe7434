package tool

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/schema"
)

// Inquiry is what a command asks the companion, all at once: whether the parameters of declared tools can be used,
// and whether arguments fit them. What the program itself declares is never asked about.
type Inquiry struct {
	Question schema.Question

	tools   []*Tool
	schemas map[string]int // where a tool's parameters stand in the question
	values  map[string]int // where arguments do
	answer  schema.Answer
}

// NewInquiry starts with the tools whose parameters the built-in checker does not know;
// with all, it asks about every declared one.
func NewInquiry(tools Set, all bool) *Inquiry {
	q := &Inquiry{schemas: map[string]int{}, values: map[string]int{}}
	for i := range tools {
		if t := &tools[i]; t.unknown != nil || all {
			q.schema(t)
		}
	}
	return q
}

// schema asks about the parameters of a tool, once.
func (q *Inquiry) schema(t *Tool) (index int, declared bool) {
	if t.Builtin() || len(t.Parameters) == 0 {
		return 0, false
	}
	at, known := q.schemas[t.Name]
	if !known {
		at = len(q.tools)
		q.schemas[t.Name] = at
		q.tools = append(q.tools, t)
		q.Question.Schemas = append(q.Question.Schemas, t.Parameters)
	}
	return at, true
}

// Arguments asks about arguments of a tool, once. What is no object is not asked about: it fits no tool.
func (q *Inquiry) Arguments(t *Tool, args jsontext.Value) {
	if _, err := arguments(args); err != nil {
		return
	}
	key := t.Name + " " + string(args)
	if _, known := q.values[key]; known {
		return
	}
	if at, declared := q.schema(t); declared {
		q.values[key] = len(q.Question.Values)
		q.Question.Values = append(q.Question.Values, schema.Value{Schema: at, Value: args})
	}
}

// Empty reports whether there is nothing to ask.
func (q *Inquiry) Empty() bool { return len(q.tools) == 0 }

// Take takes the answer in. Its error names the first tool whose parameters cannot be used.
func (q *Inquiry) Take(a schema.Answer) error {
	q.answer = a
	for i, t := range q.tools {
		if err := a.Schemas[i].Err(); err != nil {
			return fmt.Errorf("read tools %s: %w: tool %q: parameters: %w", t.file, ErrDeclaration, t.Name, err)
		}
	}
	return nil
}

// Ignored says which keywords of parameters are without effect: JSON Schema passes over what it does not know,
// and what is misspelt is among that.
func (q *Inquiry) Ignored() []string {
	var out []string
	for i, t := range q.tools {
		for _, place := range q.answer.Schemas[i].Ignored {
			out = append(out, fmt.Sprintf("tool %q: parameters: %s: no keyword of this draft of JSON Schema, so it is without effect", t.Name, place))
		}
	}
	return out
}

// Check holds arguments against the parameters of a tool, by the answer. Where what is built in refuses them too,
// it is in its words, so that a message does not depend on what is installed.
func (q *Inquiry) Check(t *Tool, args jsontext.Value) error {
	if t.Builtin() || len(t.Parameters) == 0 {
		return t.Check(args)
	}
	v, err := arguments(args)
	if err != nil {
		return err
	}
	at, asked := q.values[t.Name+" "+string(args)]
	if !asked || at >= len(q.answer.Values) {
		return errors.New("they were not held against the tool's parameters")
	}
	err = q.answer.Values[at].Err()
	if err != nil && t.check != nil {
		if own := t.check.Check(v); own != nil {
			return own
		}
	}
	return err
}
