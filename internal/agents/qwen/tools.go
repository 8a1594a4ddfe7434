package qwen

import "onward/internal/native"

var tools = native.Tools{
	Todo:     []native.Tool{{Name: "todo_write", Does: native.Writes}},
	Refusals: []string{"Error:", "Failed to modify todos", "Error writing todos", "Todo creation blocked", "Todo completion blocked"},
	Quotes:   "latest contents of your todo list:",
}
