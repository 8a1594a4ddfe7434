package tool

import (
	"onward/internal/suggest"
)

// Set has all tools that can be called: the built-in ones, the user's and the project's, each in their order.
type Set []Tool

// Find returns a tool, or nil.
func (s Set) Find(name string) *Tool {
	for i := range s {
		if s[i].Name == name {
			return &s[i]
		}
	}
	return nil
}

// Suggest returns tools whose names are close to one that is not there.
func (s Set) Suggest(name string) []string {
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].Name
	}
	return suggest.Names(name, names)
}
