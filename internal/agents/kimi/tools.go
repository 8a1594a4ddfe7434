package kimi

import "onward/internal/native"

var tools = native.Tools{
	Todo: []native.Tool{
		{Name: "SetTodoList", Does: native.Writes}, // without a list it writes nothing
		{Name: "TodoList", Does: native.Writes},
	},
	Readers: []string{"SearchWeb", "FetchURL", "Think"},
}
