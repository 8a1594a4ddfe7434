package codex

import "onward/internal/native"

var tools = native.Tools{
	Todo:     []native.Tool{{Name: "update_plan", Does: native.Writes}},
	Readers:  []string{"view_image", "grep_files", "request_user_input", "create_goal", "update_goal", "get_goal"},
	Shells:   []string{"local_shell", "shell_command", "exec_command"},
	Waits:    []string{"wait_agent", "write_stdin"},
	Refusals: []string{"failed to parse", "unsupported call"},
}
