package vscode

import "onward/internal/native"

var tools = native.Tools{
	Todo:    []native.Tool{{Name: "manage_todo_list", Does: native.Writes}}, // with the operation read it writes nothing
	Readers: []string{"semantic_search", "get_errors", "fetch_webpage", "get_changed_files"},
	Shells:  []string{"run_in_terminal"},
}
