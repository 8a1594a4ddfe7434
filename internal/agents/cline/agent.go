// Package cline has what onward knows about Cline's CLI.
package cline

import (
	"onward/internal/agents/agent"
	"onward/internal/native"
)

// Agent is Cline. Its hooks at the end of a turn run on their own, and it does not wait for an answer, so none of them
// can continue it. It has no todo tool, and its output does not name the session by which it could be resumed.
var Agent = agent.Agent{
	Name: "cline", Title: "Cline",
	Kind: Kind, Formats: formats, Program: &program, Tools: &tools,
	Versions: []string{"3.0.65"},
}

var tools = native.Tools{
	Readers: []string{"read_files", "search_codebase", "fetch_web_content", "ask_question"},
	Shells:  []string{"run_commands"},
}
