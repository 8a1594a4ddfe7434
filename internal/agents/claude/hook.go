package claude

import (
	"slices"
	"strconv"
	"strings"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
)

var protocol = hook.Protocol{
	Name: "claude", ReportsBothEnds: true,
	BlockCap: 8, BlockCapVariable: "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", BlockCapOff: true, WorkResetsBlocks: true,
	FolderVariable: "CLAUDE_PROJECT_DIR", ShellFile: "CLAUDE_ENV_FILE", CanRefusePrompt: true, ReportsCompactionEnd: true,
	LacksTodoTool: todoToolOff, Parse: readHook, ParseLed: led, Limit: quotaLimit, Render: renderHook, ByVersion: true,
}

// todoToolOff knows the models that still have the todo tools, and the switch that brings them back.
func todoToolOff(c hook.Call, env func(string) string) bool {
	if todoToolOn(env) {
		return false
	}
	models := []string{"claude-3", "-4-0", "-4-1", "-4-2025", "-4-5", "-4-6", "-4-7"}
	return !slices.ContainsFunc(models, func(with string) bool { return strings.Contains(c.Model, with) })
}

// quotaLimit reads the end of a limit from the line of a transcript that reports it.
func quotaLimit(line hook.Payload) continuation.Reset {
	quota := line.Object("quota_limits")
	return limitOf(quota.Text("status"), string(quota.Get("resets_at")))
}

// renderHook answers Claude Code. At a stop, versions from 2.1.163 on take the prompt as context, and show no error.
func renderHook(c hook.Call, a hook.Answer) hook.Reply {
	if c.Kind == hook.Stop && a.Prompt != "" && slices.Compare(version(c.Version), []int{2, 1, 163}) >= 0 {
		return hook.Reply{Stdout: hook.ObjectLine(c.Event, "additionalContext", a.Prompt)}
	}
	return hook.RenderCommon(c, a)
}

// version reads a version of Claude Code; nil if the text is not a version.
func version(text string) []int {
	var parts []int
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		parts = append(parts, n)
	}
	return parts
}

// readHook reads an event of Claude Code, which also prompts its model on its own: by the clock, after background
// work, and in loops. It names who speaks; without a name, as in older versions, that is the user.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadNamed(p)
	starts(p, &c)
	if c.Kind == hook.Prompt {
		switch p.Text("source") {
		case "", "user", "sdk":
		default:
			c.SetAgentPrompt()
		}
	}
	return c
}
