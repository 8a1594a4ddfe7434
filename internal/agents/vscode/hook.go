package vscode

import "onward/internal/agents/hook"

var protocol = hook.Protocol{
	Name: "vscode", ReportsBothEnds: true, GoAhead: "{}\n",
	BlockCap: 8, CanRefusePrompt: true, LacksTodoTool: hook.Always, Parse: hook.ReadNamed, Render: renderHook,
}

// renderHook answers VS Code. At a stop the decision is nested, at a sub-agent's stop it is not.
func renderHook(c hook.Call, a hook.Answer) hook.Reply {
	switch {
	case a.Refused != "":
		return hook.Reply{Stdout: `{"continue":false,` + hook.ObjectLine("", "stopReason", a.Refused)[1:]}
	case a.Prompt != "" && c.Kind == hook.Stop:
		return hook.Reply{Stdout: hook.ObjectLine("Stop", "decision", "block", "reason", a.Prompt)}
	}
	return hook.RenderCommon(c, a)
}
