package grok

import (
	"strings"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
)

var protocol = hook.Protocol{
	Name: "grok", ReportsBothEnds: true, RunsOthersHooks: true,
	BlockCap: 8, FolderVariable: "GROK_WORKSPACE_ROOT", ReportsCompactionEnd: true, Parse: readHook, Render: renderHook,
}

// readHook reads an event of Grok Build. What happens in a sub-agent is reported under that one's own session, and left
// alone. A stop that ends the session asks nothing.
func readHook(p hook.Payload) hook.Call {
	event := strings.ReplaceAll(p.Text("hook_event_name"), "_", "")
	c := hook.ReadSharedFormat(p, event)
	switch {
	case p.Text("subagent_type") != "", c.Kind == hook.Stop && (p.Text("reason") == "shutdown" || p.Text("reason") == "channel_closed"):
		return hook.Call{}
	case event == "stopcancelled" && p.Text("cancelled_by") == "runtime":
		c.SetReport(continuation.Event{Type: continuation.TurnEnd, Status: continuation.Done})
	case event == "stopcancelled":
		c.SetReport(continuation.Event{Type: continuation.Abort})
	case event == "posttooluse" && p.Text("tool_name") == todoTool:
		c.SetWrittenList(listIn(p.Object("tool_result", "tool_response")))
	}
	return c
}

// renderHook sends Grok Build back to work; it reads nothing else of an answer. Context at a stop is not shown as an error.
func renderHook(c hook.Call, a hook.Answer) hook.Reply {
	if c.Kind == hook.Stop && a.Prompt != "" {
		return hook.Reply{Stdout: hook.ObjectLine("Stop", "additionalContext", a.Prompt)}
	}
	return hook.RenderCommon(c, hook.Answer{Prompt: a.Prompt})
}
