package native

// OnwardTools are the tools of onward's own MCP server.
var OnwardTools = Tools{
	Todo: []Tool{
		{Name: "mcp__onward__todo_write", Does: AlreadySaved},
		{Name: "mcp__onward__todo_update", Does: AlreadySaved},
		{Name: "mcp__onward__todo_read", Does: AlreadySaved},
		{Name: "mcp__onward__todo_next", Does: AlreadySaved},
		{Name: "mcp__onward__todo_pause", Does: AlreadySaved},
		{Name: "onward_todo_write", Does: AlreadySaved}, // so some agents call them
		{Name: "onward_todo_update", Does: AlreadySaved},
		{Name: "onward_todo_read", Does: AlreadySaved},
		{Name: "onward_todo_next", Does: AlreadySaved},
		{Name: "onward_todo_pause", Does: AlreadySaved},
	},
}
