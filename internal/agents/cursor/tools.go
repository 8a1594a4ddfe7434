package cursor

import "onward/internal/native"

var tools = native.Tools{
	Todo: []native.Tool{
		{Name: "updateTodosToolCall", Does: native.Writes},
		{Name: "update_todos", Does: native.Writes},
		{Name: "todoToolCall", Does: native.Writes},
		{Name: "todoWriteToolCall", Does: native.Writes},
		{Name: "todo_write", Does: native.Writes},
		{Name: "readTodosToolCall", Does: native.Reads},
	},
	Readers: []string{"list_dir", "codebase_search", "file_search"},
	Shells:  []string{"Shell", "run_terminal_cmd"},
}
