package native

import "slices"

// ClaudeTools are Claude Code's.
var ClaudeTools = Tools{
	Todo: []Tool{
		{Name: "TodoWrite", Does: Writes},
		{Name: "TodoRead", Does: Reads},
		{Name: "TaskCreate", Does: Creates},
		{Name: "TaskUpdate", Does: Updates},
		{Name: "TaskGet", Does: ShowsOne},
		{Name: "TaskList", Does: ShowsAll},
	},
	Readers: []string{
		"Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "NotebookRead", "BashOutput", "TaskOutput", "ToolSearch",
		"ListMcpResources", "ListMcpResourcesTool", "ReadMcpResource", "ReadMcpResourceTool", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode",
	},
	Shells:   []string{"Bash"},
	Refusals: []string{"<tool_use_error>", "InputValidationError", "Error:"},
}

// CodexTools are Codex's.
var CodexTools = Tools{
	Todo:     []Tool{{Name: "update_plan", Does: Writes}},
	Readers:  []string{"view_image", "grep_files", "request_user_input"},
	Shells:   []string{"local_shell", "shell_command", "exec_command"},
	Refusals: []string{"failed to parse", "unsupported call"},
}

// GeminiTools are Gemini CLI's.
var GeminiTools = Tools{
	Todo: []Tool{
		{Name: "write_todos", Does: Writes},
		{Name: "read_todos", Does: Reads},
		{Name: "tracker_create_task", Does: Creates},
		{Name: "tracker_update_task", Does: Updates},
		{Name: "tracker_add_dependency", Does: Links},
		{Name: "tracker_get_task", Does: ShowsOne},
		{Name: "tracker_list_tasks", Does: ShowsAll},
		{Name: "tracker_visualize", Does: ShowsOne},
	},
	Readers: []string{"read_file", "read_many_files", "list_directory", "search_file_content", "grep_search", "google_web_search", "get_internal_docs", "ask_user"},
	Shells:  []string{"run_shell_command"},
}

// LLxprtTools are LLxprt Code's.
var LLxprtTools = Tools{
	Todo: []Tool{
		{Name: "todo_write", Does: Writes},
		{Name: "todo_read", Does: Reads},
		{Name: "todo_pause", Does: Pauses},
	},
}

// QwenTools are Qwen Code's.
var QwenTools = Tools{
	Todo:     []Tool{{Name: "todo_write", Does: Writes}},
	Refusals: []string{"Failed to modify todos", "Error writing todos", "Todo creation blocked", "Todo completion blocked"},
}

// OpencodeTools are opencode's.
var OpencodeTools = Tools{
	Todo: []Tool{
		{Name: "todowrite", Does: Writes},
		{Name: "todoread", Does: Reads},
	},
	Readers: []string{"list", "codesearch", "question"},
}

// CursorTools are Cursor's.
var CursorTools = Tools{
	Todo: []Tool{
		{Name: "updateTodosToolCall", Does: Writes},
		{Name: "update_todos", Does: Writes},
		{Name: "todoToolCall", Does: Writes},
		{Name: "todoWriteToolCall", Does: Writes},
		{Name: "todo_write", Does: Writes},
		{Name: "readTodosToolCall", Does: Reads},
	},
	Readers: []string{"list_dir", "codebase_search", "file_search"},
	Shells:  []string{"Shell", "run_terminal_cmd"},
}

// VSCodeTools are VS Code's.
var VSCodeTools = Tools{
	Todo:    []Tool{{Name: "manage_todo_list", Does: Writes}}, // with the operation read it writes nothing
	Readers: []string{"semantic_search", "get_errors", "fetch_webpage", "get_changed_files"},
	Shells:  []string{"run_in_terminal"},
}

// KimiTools are Kimi CLI's.
var KimiTools = Tools{
	Todo: []Tool{
		{Name: "SetTodoList", Does: Writes}, // without a list it writes nothing
		{Name: "TodoList", Does: Writes},
	},
	Readers: []string{"SearchWeb", "FetchURL", "Think"},
}

// DroidTools are Factory Droid's.
var DroidTools = Tools{
	Todo: []Tool{{Name: "TodoWrite", Does: Writes}}, // numbered lines
}

// CopilotTools are GitHub Copilot CLI's.
var CopilotTools = Tools{
	Todo:    []Tool{{Name: "sql", Does: Queries}}, // of its own database, about todos and anything else
	Readers: []string{"view", "report_intent"},
}

// PiTools are those of onward's extension of Pi.
var PiTools = Tools{Todo: []Tool{{Name: "todo_write", Does: Writes}}}

// OnwardTools are those of onward's own MCP server.
var OnwardTools = Tools{
	Todo: []Tool{
		{Name: "mcp__onward__todo_write", Does: Saves},
		{Name: "mcp__onward__todo_update", Does: Saves},
		{Name: "mcp__onward__todo_read", Does: Saves},
		{Name: "mcp__onward__todo_next", Does: Saves},
		{Name: "mcp__onward__todo_pause", Does: Saves},
		{Name: "onward_todo_write", Does: Saves}, // so opencode calls them
		{Name: "onward_todo_update", Does: Saves},
		{Name: "onward_todo_read", Does: Saves},
		{Name: "onward_todo_next", Does: Saves},
		{Name: "onward_todo_pause", Does: Saves},
	},
}

// All are the tools of every agent.
func All() Known {
	return slices.Values([]*Tools{
		&ClaudeTools, &CodexTools, &GeminiTools, &LLxprtTools, &QwenTools, &OpencodeTools, &CursorTools, &VSCodeTools, &KimiTools, &DroidTools, &CopilotTools, &PiTools, &OnwardTools,
	})
}

// The agents whose todo tools differ.
const (
	Claude   = "claude"
	Codex    = "codex"
	Gemini   = "gemini"
	LLxprt   = "llxprt"
	Qwen     = "qwen"
	Opencode = "opencode"
	Cursor   = "cursor"
	Kimi     = "kimi"
	Droid    = "droid"
	Copilot  = "copilot"
)

// ToolOf returns an agent's todo tool of exactly this name, or nil.
func ToolOf(agent, name string) *Tool {
	for _, a := range [...]struct {
		name  string
		tools *Tools
	}{
		{Claude, &ClaudeTools},
		{Codex, &CodexTools},
		{Gemini, &GeminiTools},
		{LLxprt, &LLxprtTools},
		{Qwen, &QwenTools},
		{Opencode, &OpencodeTools},
		{Cursor, &CursorTools},
		{Kimi, &KimiTools},
		{Droid, &DroidTools},
		{Copilot, &CopilotTools},
	} {
		if a.name == agent {
			return a.tools.Find(name)
		}
	}
	return nil
}

// AnyTool returns the todo tool of a name, of any agent and in any style, or nil.
func AnyTool(name string) *Tool { return ToolIn(All(), name) }

// IsRefusal reports whether the text of a result is a refusal, whichever agent wrote it.
func IsRefusal(text string) bool { return AnyRefusal(All(), text) }
