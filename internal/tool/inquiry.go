package tool

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/schema"
)

// Call is what is asked about a call: the name of a tool, and arguments.
type Call struct {
	Tool string
	Args jsontext.Value
}

// Inquiry is what a command asks about the parameters of declared tools, all at once: whether they can be used,
// and whether arguments fit them. What the program itself declares is never asked about.
type Inquiry struct {
	Questions []schema.Question

	about   []*Tool        // the tool of each question
	at      map[string]int // the indexes of a tool's arguments among the questions
	answers []schema.Answer
}

// AskParameters asks about the parameters of every tool.
func AskParameters(tools Set) *Inquiry {
	q := &Inquiry{}
	for i := range tools {
		q.ask(&tools[i], nil)
	}
	return q
}

// AskArguments asks about the arguments of calls.
func AskArguments(tools Set, calls []Call) *Inquiry {
	q := &Inquiry{at: map[string]int{}}
	for i := range tools {
		if values := q.values(&tools[i], calls); values != nil {
			q.ask(&tools[i], values)
		}
	}
	return q
}

// ask asks about the parameters of a tool, and then about values.
func (q *Inquiry) ask(t *Tool, values []schema.Question) {
	if !t.declares() {
		return
	}
	q.Questions = append(append(q.Questions, schema.Question{Schema: t.Parameters}), values...)
	for len(q.about) < len(q.Questions) {
		q.about = append(q.about, t)
	}
}

// values returns the questions about the arguments of a tool, each once. What is no object is not
// asked about: it fits no tool.
func (q *Inquiry) values(t *Tool, calls []Call) (values []schema.Question) {
	for _, c := range calls {
		if c.Tool != t.Name || !t.declares() {
			continue
		}
		if _, err := arguments(c.Args); err != nil {
			continue
		}
		key := t.Name + " " + string(c.Args)
		if _, known := q.at[key]; !known {
			values = append(values, schema.Question{Value: c.Args})
			q.at[key] = len(q.Questions) + len(values)
		}
	}
	return values
}

// SetAnswers stores the answers. Its error names the first tool whose parameters cannot be used.
func (q *Inquiry) SetAnswers(answers []schema.Answer) error {
	q.answers = answers
	for i, t := range q.about {
		if err := answers[i].Err(); err != nil && q.Questions[i].Schema != nil {
			return fmt.Errorf("read tools %s: %w: tool %q: parameters: %w", t.file, ErrDeclaration, t.Name, err)
		}
	}
	return nil
}

// Ignored reports which keywords of parameters are without effect: JSON Schema passes over what it does not know,
// and what is misspelt is among that.
func (q *Inquiry) Ignored() []string {
	var out []string
	for i, t := range q.about {
		for _, place := range q.answers[i].Ignored {
			out = append(out, fmt.Sprintf("tool %q: parameters: %s: no keyword of this draft of JSON Schema, so it is without effect", t.Name, place))
		}
	}
	return out
}

// Check holds arguments against the parameters of a tool, by the answers.
func (q *Inquiry) Check(t *Tool, args jsontext.Value) error {
	at, asked := q.at[t.Name+" "+string(args)]
	if !asked || at >= len(q.answers) {
		return t.Check(args)
	}
	return q.answers[at].Err()
}
