package kimi

import (
	"cmp"

	"onward/internal/agents/hook"
)

var protocol = hook.Protocol{
	Name: "kimi", ReportsBothEnds: true, Code: 2, BlockCap: 1, CanRefusePrompt: true, ReportsCompactionEnd: true,
	LacksTodoTool: hook.Always, Parse: readHook, Render: renderHook,
	Ignores: []string{"permissionresult"},
}

// readHook reads an event of Kimi CLI, whose prompts are lists of parts.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadNamed(p)
	if c.Kind == hook.Prompt {
		c.SetPrompt(cmp.Or(c.Text, hook.JoinParts(p.List("prompt"))), c.Key)
	}
	return c
}

// renderHook answers Kimi CLI. Exit code 2 is the only way that it documents to continue, with the
// prompt on standard error, and to withhold a prompt from the model, with a message to the user.
// Standard output becomes part of the model's context, so nothing else is written to it.
func renderHook(c hook.Call, a hook.Answer) hook.Reply {
	switch {
	case a.Prompt != "":
		return hook.Reply{Stderr: a.Prompt, Code: 2}
	case a.Refused != "" && c.Kind == hook.Prompt:
		return hook.Reply{Stderr: a.Refused, Code: 2}
	case a.Context != "":
		return hook.Reply{Stdout: a.Context}
	}
	return hook.Reply{}
}
