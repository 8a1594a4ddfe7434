package exchange

import "onward/internal/agents"

// Names of the agents' formats.
const (
	Claude Format = "claude"
	Llxprt Format = "llxprt"
	Qwen   Format = "qwen"
	Gemini Format = "gemini"
)

// known are the agents of the registry that keep lists in files.
var known = func() (out Agents) {
	for _, a := range agents.All() {
		if a.Files != nil {
			out = append(out, AgentFormat{a.Name, a.Title, a.Files})
		}
	}
	return out
}()

// Decode reads a file in any of their formats, or in one of the others.
func Decode(format Format, name string, data []byte) (List, error) {
	return known.Decode(Source{Format: format, Name: name}, data)
}
