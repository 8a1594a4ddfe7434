package droid

import "onward/internal/native"

var tools = native.Tools{
	Todo: []native.Tool{{Name: "TodoWrite", Does: native.Writes}}, // numbered lines
}
