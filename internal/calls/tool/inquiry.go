package tool

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/schema"
)

// Call is the part of a call that an Inquiry is about: the name of a tool, and arguments.
type Call struct {
	Tool string
	Args jsontext.Value
}

// Inquiry has the questions of a command about the parameters of declared tools: whether they can be used, and whether
// arguments are valid for them. They are asked together. The built-in tools need no questions.
type Inquiry struct {
	Questions []schema.Question

	about   []*Tool        // the tool of each question
	at      map[string]int // the indexes of a tool's arguments among the questions
	answers []schema.Answer
}

// InquireParameters asks about the parameters of every tool.
func InquireParameters(tools Set) *Inquiry {
	q := &Inquiry{}
	for i := range tools {
		if t := &tools[i]; t.declares() {
			q.ask(t, schema.Question{Schema: t.Parameters})
		}
	}
	return q
}

// InquireArguments asks about the arguments of calls, each once, those of a tool after its parameters.
// It skips a value that is not an object, since no tool accepts one.
func InquireArguments(tools Set, calls []Call) *Inquiry {
	q := &Inquiry{at: map[string]int{}}
	for i := range tools {
		t := &tools[i]
		for _, c := range calls {
			if c.Tool != t.Name || !t.declares() {
				continue
			}
			_, err := arguments(c.Args)
			if _, known := q.at[key(t, c.Args)]; known || err != nil {
				continue
			}
			if len(q.about) == 0 || q.about[len(q.about)-1] != t {
				q.ask(t, schema.Question{Schema: t.Parameters})
			}
			q.at[key(t, c.Args)] = len(q.Questions)
			q.ask(t, schema.Question{Value: c.Args})
		}
	}
	return q
}

func (q *Inquiry) ask(t *Tool, question schema.Question) {
	q.Questions, q.about = append(q.Questions, question), append(q.about, t)
}

// key is the key of a tool and its arguments among the questions.
func key(t *Tool, args jsontext.Value) string { return t.Name + " " + string(args) }

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

// IgnoredKeywords returns the keywords of parameters that have no effect. JSON Schema ignores unknown keywords, and so also
// misspelt ones.
func (q *Inquiry) IgnoredKeywords() []string {
	var out []string
	for i, t := range q.about {
		for _, place := range q.answers[i].Ignored {
			out = append(out, fmt.Sprintf("tool %q: parameters: %s: no keyword of this draft of JSON Schema, so it is without effect", t.Name, place))
		}
	}
	return out
}

// Check validates arguments against the parameters of a tool, by the answers.
func (q *Inquiry) Check(t *Tool, args jsontext.Value) error {
	at, asked := q.at[key(t, args)]
	if !asked || at >= len(q.answers) {
		return t.Check(args)
	}
	return q.answers[at].Err()
}
