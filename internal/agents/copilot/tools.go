package copilot

import "onward/internal/native"

var tools = native.Tools{
	Todo:    []native.Tool{{Name: "sql", Does: native.Queries, About: asksTodos, Reads: understands, Follow: follow}}, // of its own database, about todos and anything else
	Readers: []string{"view", "report_intent"},
	Waits:   []string{"read_bash", "read_powershell", "read_agent", "list_agents"},
}
