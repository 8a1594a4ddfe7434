package grok

import (
	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// todoTool changes the list by the ids of its items; its result has the whole list.
const todoTool = "todo_write"

var tools = native.Tools{
	Todo:    []native.Tool{{Name: todoTool, Does: native.Writes}},
	Readers: []string{"read_file", "list_dir", "grep", "web_search", "web_fetch", "search_tool", "get_command_or_subagent_output", "ask_user_question", "enter_plan_mode", "exit_plan_mode"},
	Shells:  []string{"run_terminal_command"},
	Waits:   []string{"get_command_or_subagent_output"},
}

// listIn returns the list in the result of the todo tool, whose items are members by their ids; nil if the call was refused.
func listIn(result object.Members) *native.List {
	state := result.Object("todos_updated").Get("state").Object().Get("todos")
	if state.Kind() != '{' {
		return nil
	}
	list := new(native.List)
	for _, m := range state.Object()[:min(len(state.Object()), todo.MaxItems)] {
		is := m.Value.Object()
		it := todo.Item{ID: native.ShortenID(m.Name), Content: native.NormalizeText(is.Prose("content")), Status: todo.Pending}
		if it.Content == "" {
			continue
		}
		if status, word, known := native.ParseStatus(is.Text("status")); known {
			it.Status, it.NativeStatus = status, word
		}
		list.Items = append(list.Items, it)
	}
	return list
}
