package claude

import "onward/internal/native"

var tools = native.Tools{
	Todo: []native.Tool{
		{Name: "TodoWrite", Does: native.Writes},
		{Name: "TodoRead", Does: native.Reads},
		{Name: "TaskCreate", Does: native.Creates, Follow: follow, Shared: true},
		{Name: "TaskUpdate", Does: native.Updates, Follow: follow, Shared: true},
		{Name: "TaskGet", Does: native.ShowsOne, Follow: follow, Shared: true},
		{Name: "TaskList", Does: native.ShowsAll, Follow: follow, Shared: true},
	},
	Readers: []string{
		"Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "NotebookRead", "BashOutput", "TaskOutput", "ToolSearch",
		"ListMcpResources", "ListMcpResourcesTool", "ReadMcpResource", "ReadMcpResourceTool", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode",
		"Skill", "LSP", "Monitor", "ScheduleWakeup", "Sleep", "SendMessage", "StructuredOutput", "AgentOutputTool",
	},
	Shells:   []string{"Bash"},
	Waits:    []string{"BashOutput", "TaskOutput", "AgentOutputTool", "Monitor", "ScheduleWakeup"},
	Refusals: []string{"<tool_use_error>", "InputValidationError", "Error:"},
}
