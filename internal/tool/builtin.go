package tool

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
	"onward/internal/schema"
	"onward/internal/todo"
)

func builtinName(name string) bool {
	switch name {
	case "shell", "todo_write", "todo_read", "todo_pause":
		return true
	}
	return false
}

// Builtin returns the tools of the program itself.
func Builtin() Set {
	tools := Set{
		{
			Name: "shell", Kind: Execute, Confirm: "ask",
			Description: "Run a command with sh.",
			Parameters:  jsontext.Value(`{"type":"object","properties":{"command":{"type":"string","minLength":1,"description":"The command, as for sh -c."}},"required":["command"],"additionalProperties":false}`),
		},
		{
			Name: "todo_write", Kind: Other, Confirm: "never",
			Description: "Replace the whole todo list of the session.",
			Parameters: jsontext.Value(`{"type":"object","properties":{"todos":{"type":"array","maxItems":10000,"items":{"type":"object","properties":{` +
				`"id":{"type":"string"},"content":{"type":"string","minLength":1},"status":{"enum":["pending","in_progress","completed","cancelled","blocked"]},` +
				`"priority":{"enum":["high","medium","low"]},"subtasks":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"content":{"type":"string","minLength":1},` +
				`"status":{"enum":["pending","in_progress","completed","cancelled","blocked"]}},"required":["content"]}}},"required":["content","status"]}}},"required":["todos"],"additionalProperties":false}`),
		},
		{
			Name: "todo_read", Kind: Read, Confirm: "never",
			Description: "Read the todo list of the session.",
			Parameters:  jsontext.Value(`{"type":"object","properties":{},"additionalProperties":false}`),
		},
		{
			Name: "todo_pause", Kind: Other, Confirm: "never",
			Description: "Say that the work cannot go on without the user, and why.",
			Parameters:  jsontext.Value(`{"type":"object","properties":{"reason":{"type":"string","minLength":1,"maxLength":500}},"required":["reason"],"additionalProperties":false}`),
		},
	}
	for i := range tools {
		tools[i].Source = "built in"
		if err := tools[i].finish(); err != nil {
			panic(err)
		}
	}
	return tools
}

// Check holds arguments against what is known without a judge of schemas: they must be an object,
// and as a built-in tool accepts them. Those of a declared tool with parameters need an Inquiry.
func (t *Tool) Check(args jsontext.Value) error {
	members, err := arguments(args)
	switch {
	case err != nil:
		return err
	case t.Builtin():
		return t.checkOwn(members)
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
		return nil, errors.New("the arguments are no object")
	}
	return members, json.Unmarshal(args, &members)
}

// checkOwn validates the arguments of the built-in tools. A list is read by the function that writes it in the end.
func (t *Tool) checkOwn(members map[string]jsontext.Value) error {
	takes := map[string]string{"shell": "command", "todo_write": "todos", "todo_pause": "reason"}[t.Name]
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
		return checkText(takes, value, t.Name == "todo_pause")
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
	n := utf8.RuneCountInString(text)
	switch {
	case n == 0:
		return fmt.Errorf("%s: it is empty", name)
	case short && n > todo.MaxReason:
		return fmt.Errorf("%s: %d characters, where at most %d are wanted", name, n, todo.MaxReason)
	}
	return nil
}

// Offered returns the tools that a model is offered: it can pause only while it could be continued.
func (s Set) Offered(continues bool) Set {
	if continues {
		return s
	}
	return slices.DeleteFunc(slices.Clone(s), func(t Tool) bool { return t.Name == "todo_pause" })
}
