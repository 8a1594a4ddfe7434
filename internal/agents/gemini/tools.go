package gemini

import "onward/internal/native"

var tools = native.Tools{
	Todo: []native.Tool{
		{Name: "write_todos", Does: native.Writes},
		{Name: "read_todos", Does: native.Reads},
		{Name: "tracker_create_task", Does: native.Creates, Follow: follow},
		{Name: "tracker_update_task", Does: native.Updates, Follow: follow},
		{Name: "tracker_add_dependency", Does: native.Links, Follow: follow},
		{Name: "tracker_get_task", Does: native.ShowsOne, Follow: follow},
		{Name: "tracker_list_tasks", Does: native.ShowsAll, Follow: follow},
		{Name: "tracker_visualize", Does: native.ShowsOne, Follow: follow},
	},
	Readers: []string{"read_file", "read_many_files", "list_directory", "search_file_content", "grep_search", "google_web_search", "get_internal_docs", "ask_user"},
	Shells:  []string{"run_shell_command"},
	Waits:   []string{"read_background_output", "list_background_processes"},
}
