package tool

import (
	"cmp"
	_ "embed" // the declarations of the program's own tools
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/schema"
	"onward/internal/todo"
)

// builtIn is the source of the program's own tools.
const builtIn = "built in"

//go:embed builtin.json
var builtin []byte

// Builtin returns the tools of the program itself. They have no hash, because a new version of onward does not count as
// a changed declaration.
func Builtin() Set {
	tools, err := Decode(builtin, builtIn, "")
	if err != nil {
		panic(err)
	}
	for i := range tools {
		tools[i].Hash = ""
	}
	return tools
}

// Check validates arguments without a validator of JSON Schema: they must be an object, and valid for a built-in tool.
// The arguments of a declared tool with parameters need an Inquiry.
func (t *Tool) Check(args jsontext.Value) error {
	members, err := arguments(args)
	switch {
	case err != nil:
		return err
	case t.Builtin():
		return t.checkBuiltinArgs(members)
	case t.declares():
		return errors.New("they were not held against the tool's parameters")
	}
	return nil
}

// declares reports whether a declaration has parameters, against which arguments are validated.
func (t *Tool) declares() bool { return !t.Builtin() && len(t.Parameters) > 0 }

// arguments reads the arguments of a call, which are an object.
func arguments(args jsontext.Value) (members map[string]jsontext.Value, err error) {
	v, err := schema.Decode(args)
	if err != nil {
		return nil, err
	}
	if _, ok := v.(map[string]any); !ok {
		return nil, errors.New("the arguments are not an object")
	}
	return members, json.Unmarshal(args, &members)
}

// checkBuiltinArgs validates the arguments of the built-in tools. A list is read by the function that writes it in the end.
func (t *Tool) checkBuiltinArgs(members map[string]jsontext.Value) error {
	takes := map[string]string{"shell": "command", "todo_write": "todos", PauseTool: "reason"}[t.Name]
	value, given := members[takes]
	if takes != "" && !given {
		return fmt.Errorf("%q is missing", takes)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name != takes {
			return fmt.Errorf("%q is not among the parameters", name)
		}
	}
	switch {
	case takes == "":
		return nil
	case t.Name != "todo_write":
		return checkText(takes, value, t.Name == PauseTool)
	case value.Kind() != '[':
		return fmt.Errorf("todos: %s is not an array", value)
	}
	if _, err := native.Decode(value); err != nil {
		return fmt.Errorf("todos: %w", err)
	}
	return nil
}

func checkText(name string, value jsontext.Value, short bool) error {
	var text string
	if value.Kind() != '"' {
		return fmt.Errorf("%s: %s is not a string", name, value)
	}
	if err := json.Unmarshal(value, &text); err != nil {
		return err
	}
	if short {
		text = strings.TrimSpace(text) // trimmed, as it will be saved
	}
	n := utf8.RuneCountInString(text)
	switch {
	case n == 0:
		return fmt.Errorf("%s: it is empty", name)
	case short && n > todo.MaxReason:
		return fmt.Errorf("%s: %d characters, where at most %d are wanted", name, n, todo.MaxReason)
	}
	return nil
}

// PauseTool is the tool with which a model pauses itself.
const PauseTool = "todo_pause"

// ListEvent returns what a call of a built-in tool does to the list: a pause, or another list. The function continues reports whether
// onward keeps the agent going, which is why a model may pause; writer returns who it is, by what
// onward knows of it.
func ListEvent(name string, args jsontext.Value, continues func() (bool, error), writer func() todo.Authority) (continuation.Event, error) {
	e := continuation.Event{Source: "tool"}
	if name == PauseTool {
		if may, err := continues(); err != nil || !may {
			return e, cmp.Or(err, errors.New("it is offered only while an item is open and continuation is on"))
		}
		e.Type, e.Reason = continuation.Pause, TextArg(args, "reason")
		return e, nil
	}
	items, err := native.Decode(args)
	e.Type, e.Items, e.Change = continuation.Todos, items, "wrote the list"
	e.Writer = writer()
	return e, err
}

// Offered returns the tools that a model is offered: it can pause only while onward keeps it going.
func (s Set) Offered(continues bool) Set {
	if continues {
		return s
	}
	return slices.DeleteFunc(slices.Clone(s), func(t Tool) bool { return t.Name == PauseTool })
}
