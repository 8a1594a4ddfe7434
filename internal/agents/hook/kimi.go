package hook

import "cmp"

// readKimi reads an event of Kimi CLI, whose prompts are lists of parts.
func readKimi(p payload) Call {
	c := readNamed(p)
	if c.Kind == Prompt {
		c.prompt(cmp.Or(c.Text, joinParts(p.List("prompt"))), c.Key)
	}
	return c
}

// writeKimi answers Kimi CLI. Exit code 2 is the only way that it documents to continue, with the
// prompt on standard error, and to withhold a prompt from the model, with a message to the user.
// Standard output becomes part of the model's context, so nothing else is written to it.
func writeKimi(c Call, a Answer) Reply {
	switch {
	case a.Prompt != "":
		return Reply{Stderr: a.Prompt, Code: 2}
	case a.Refused != "" && c.Kind == Prompt:
		return Reply{Stderr: a.Refused, Code: 2}
	case a.Context != "":
		return Reply{Stdout: a.Context}
	}
	return Reply{}
}
