package codex

import (
	"bytes"

	"onward/internal/agents/hook"
)

var protocol = hook.Protocol{
	Name: "codex", BothEnds: true, GoAhead: "{}\n", Serves: true,
	Refuses: true, Compacted: true, LacksTodoTool: hook.Always, Exits: exec, Parse: hook.ReadNamed, Render: hook.RenderCommon,
	Ignores: []string{"premodelrequest", "postmodelrequest"},
}

// exec recognises a rollout of `codex exec` by its first line. That program does not wait for its sub-agents.
func exec(rollout []byte) bool {
	first, _, _ := bytes.Cut(rollout, []byte("\n"))
	return bytes.Contains(first, []byte(`"type":"session_meta"`)) && bytes.Contains(first, []byte(`"originator":"codex_exec"`))
}
