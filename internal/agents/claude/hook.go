package claude

import (
	"slices"
	"strings"

	"onward/internal/agents/hook"
)

var protocol = hook.Protocol{
	Name: "claude", BothEnds: true,
	BlockCap: 8, BlockCapVariable: "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", BlockCapOff: true, WorkFrees: true,
	FolderVariable: "CLAUDE_PROJECT_DIR", ShellFile: "CLAUDE_ENV_FILE", Refuses: true, Compacted: true,
	LacksTodoTool: todoToolOff, Parse: readHook, Render: hook.RenderCommon,
}

// todoToolOff knows the models that still have the todo tools, and the switch that brings them back.
func todoToolOff(c hook.Call, env func(string) string) bool {
	if TodoToolOn(env) {
		return false
	}
	models := []string{"claude-3", "-4-0", "-4-1", "-4-2025", "-4-5", "-4-6", "-4-7"}
	return !slices.ContainsFunc(models, func(with string) bool { return strings.Contains(c.Model, with) })
}

// readHook reads an event of Claude Code, which prompts its model by itself too: by the clock, after background
// work, and in loops. It names who speaks; without a name, as in older versions, that is the user.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadNamed(p)
	if c.Kind == hook.Prompt {
		switch p.Text("source") {
		case "", "user", "sdk":
		default:
			c.Unspoken()
		}
	}
	return c
}
