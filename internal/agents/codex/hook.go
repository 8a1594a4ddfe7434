package codex

import (
	"bytes"
	"slices"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
)

var protocol = hook.Protocol{
	Name: "codex", ReportsBothEnds: true, GoAhead: "{}\n", ServesConversations: true,
	CanRefusePrompt: true, ReportsCompactionEnd: true, LacksTodoTool: hook.Always, Exits: exec, Parse: readHook, Render: hook.RenderCommon,
	Ignores: []string{"premodelrequest", "postmodelrequest"},
}

// readHook reads an event of Codex, whose model may have set a goal.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadNamed(p)
	if slices.Contains(goalTools, p.Text("tool_name")) && c.Activity == continuation.ToolEnd {
		if e, ok := goalIn(p.Get("tool_response")); ok {
			c.Events = append(c.Events, e)
		}
	}
	return c
}

// exec recognises a rollout of `codex exec` by its first line. That program does not wait for its sub-agents.
func exec(rollout []byte) bool {
	first, _, _ := bytes.Cut(rollout, []byte("\n"))
	return bytes.Contains(first, []byte(`"type":"session_meta"`)) && bytes.Contains(first, []byte(`"originator":"codex_exec"`))
}
