package native

// OnwardTools are the tools of onward's own MCP server.
var OnwardTools = Tools{
	Todo: []Tool{
		{Name: "mcp__onward__todo_write", Does: Saves},
		{Name: "mcp__onward__todo_update", Does: Saves},
		{Name: "mcp__onward__todo_read", Does: Saves},
		{Name: "mcp__onward__todo_next", Does: Saves},
		{Name: "mcp__onward__todo_pause", Does: Saves},
		{Name: "onward_todo_write", Does: Saves}, // so some agents call them
		{Name: "onward_todo_update", Does: Saves},
		{Name: "onward_todo_read", Does: Saves},
		{Name: "onward_todo_next", Does: Saves},
		{Name: "onward_todo_pause", Does: Saves},
	},
}
