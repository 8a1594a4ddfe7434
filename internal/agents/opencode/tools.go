package opencode

import "onward/internal/native"

var tools = native.Tools{
	Todo: []native.Tool{
		{Name: "todowrite", Does: native.Writes},
		{Name: "todoread", Does: native.Reads},
	},
	Readers: []string{"list", "codesearch", "question"},
}
