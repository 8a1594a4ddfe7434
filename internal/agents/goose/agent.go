// Package goose has what onward knows about goose.
package goose

import (
	"onward/internal/agents/agent"
	"onward/internal/native"
)

// Agent is goose. Its stream names no session by which a run could be resumed.
var Agent = agent.Agent{
	Name: "goose", Title: "goose",
	Kind: Kind, Formats: formats, Tools: &tools,
	Versions: []string{"1.37.0"},
}

// todoTool writes the whole list, as a text.
const todoTool = "todo__todo_write"

var tools = native.Tools{
	Todo:    []native.Tool{{Name: todoTool, Does: native.Writes}},
	Readers: []string{"analyze", "load", "load_skill", "read_image", "tree", "extensionmanager__list_resources", "extensionmanager__read_resource", "extensionmanager__search_available_extensions"},
	Shells:  []string{"shell"},
}
