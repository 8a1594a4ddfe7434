package llxprt

import "onward/internal/native"

var tools = native.Tools{
	Todo: []native.Tool{
		{Name: "todo_write", Does: native.Writes},
		{Name: "todo_read", Does: native.Reads},
		{Name: "todo_pause", Does: native.Pauses},
	},
}
