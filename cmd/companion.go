package cmd

import (
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/companion"
	"onward/internal/doctor"
	"onward/internal/object"
	"onward/internal/schedule"
	"onward/internal/schema"
	"onward/internal/tool"
)

// holds says how the arguments of a call fit a tool.
type holds func(*tool.Tool, jsontext.Value) error

// schemaCompanion returns what asks the companion about schemas, or nil where it is not installed.
func schemaCompanion() (func(*tool.Inquiry) error, error) {
	path, err := companion.Find(schema.Companion)
	if path == "" || err != nil {
		return nil, err
	}
	return func(q *tool.Inquiry) error {
		if q.Empty() {
			return nil
		}
		answer, err := companion.Schemas(path, q.Question, version, companion.Wait)
		if err != nil {
			return err
		}
		return q.Take(answer)
	}, nil
}

// asked is a tool with the arguments of a call, for the companion.
type asked struct {
	tool string
	args jsontext.Value
}

// checked returns what holds the arguments of calls against their tools. The companion, where it is installed,
// is asked about all of them here, before any lock is taken, and starts once.
func checked(tools tool.Set, calls []asked) (holds, error) {
	ask, err := schemaCompanion()
	if err != nil {
		return nil, err
	}
	if ask == nil {
		return (*tool.Tool).Check, nil
	}
	q := tool.NewInquiry(tools, false)
	for _, c := range calls {
		// What is over a limit is refused anyway, and the companion has its own.
		if t := tools.Find(c.tool); t != nil && len(c.args) <= schedule.MaxArgs && object.Depth(c.args) <= schedule.MaxNesting {
			q.Arguments(t, c.args)
		}
	}
	return q.Check, ask(q)
}

// judged has the parameters of tools judged: those that the built-in checker does not know, or all.
// It returns the keywords in them that are without effect.
func judged(tools tool.Set, all bool) ([]string, error) {
	ask, err := schemaCompanion()
	if ask == nil || err != nil {
		return nil, err
	}
	q := tool.NewInquiry(tools, all)
	if err := ask(q); err != nil || q.Empty() {
		return nil, err
	}
	return q.Ignored(), nil
}

// companions looks at the programs that stand beside this one.
func companions() doctor.Finding {
	found := doctor.Finding{Name: "schemas", State: doctor.Good, Detail: "the built-in checker; " + schema.Companion + " is not installed beside onward"}
	path, err := companion.Find(schema.Companion)
	if path == "" && err == nil {
		return found
	}
	if err == nil {
		found.Detail = path + ", version " + version
		_, err = companion.Schemas(path, schema.Question{}, version, companion.Wait)
	}
	if err != nil {
		found.State, found.Detail, found.Hint = doctor.Bad, err.Error(), companionHint
	}
	return found
}

// companionHint says what to do about a companion that does not do its work.
const companionHint = "install " + schema.Companion + " anew, from the same release as onward, or remove it: onward then checks by itself"

// unknownHint says what to do about parameters that the built-in checker does not know.
const unknownHint = "what is built in knows a part of JSON Schema; " + schema.Companion + ", installed beside onward, understands all of it"
