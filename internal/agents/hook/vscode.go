package hook

// writeVSCode answers VS Code. At a stop the decision is nested, at a sub-agent's stop it is not.
func writeVSCode(c Call, a Answer) Reply {
	switch {
	case a.Refused != "":
		return Reply{Stdout: `{"continue":false,` + line("", pair{"stopReason", a.Refused})[1:]}
	case a.Prompt != "" && c.Kind == Stop:
		return Reply{Stdout: line("Stop", pair{"decision", "block"}, pair{"reason", a.Prompt})}
	}
	return writeClaude(c, a)
}
