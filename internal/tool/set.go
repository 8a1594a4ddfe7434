package tool

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/near"
)

// Set is all tools that can be called, by order of declaration: built in, the user's, the project's.
type Set []Tool

// Find gives a tool, or nil.
func (s Set) Find(name string) *Tool {
	for i := range s {
		if s[i].Name == name {
			return &s[i]
		}
	}
	return nil
}

// Suggest gives tools whose names are close to one that is not there.
func (s Set) Suggest(name string) []string {
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].Name
	}
	return near.Names(name, names)
}

func builtinName(name string) bool {
	switch name {
	case "shell", "todo_write", "todo_read", "todo_pause":
		return true
	}
	return false
}

// Builtin gives the tools of the program itself.
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
		if err := cmp.Or(tools[i].finish(), tools[i].unknown); err != nil {
			panic(err)
		}
	}
	return tools
}
