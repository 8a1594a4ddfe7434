package hook

// readKimi reads an event of Kimi CLI.
func readKimi(p payload) Call { return likeClaude(p) }

// writeKimi answers Kimi CLI. To go on, exit code 2 with the prompt on standard error is the only way that it documents.
// What stands on standard output becomes part of the model's context, so nothing does unless it is meant to.
func writeKimi(c Call, a Answer) Reply {
	switch {
	case a.Prompt != "":
		return Reply{Stderr: a.Prompt, Code: 2}
	case a.Context != "" && c.Kind == Start:
		return Reply{Stdout: a.Context}
	}
	return Reply{}
}
