package cursor

import (
	"cmp"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
)

var protocol = hook.Protocol{
	Name: "cursor", ReportsBothEnds: true, GoAhead: "{}\n",
	BlockCap: 5, CanRefusePrompt: true, LacksTodoTool: hook.Always, Parse: readHook, Render: renderHook,
	Ignores: []string{"beforereadfile", "aftershellexecution", "aftermcpexecution", "beforetabfileread", "aftertabfileedit", "workspaceopen"},
}

// readHook reads an event of Cursor. A stop can be the user's interrupt or an error:
// only the status distinguishes them, and neither may be continued.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadNamed(p)
	c.Session, c.Again = p.Text("conversation_id", "session_id"), p.Text("loop_count")
	if roots := p.List("workspace_roots"); len(roots) > 0 {
		c.Dir = cmp.Or(roots[0].Text(), c.Dir)
	}
	if c.Kind == hook.Stop || c.Kind == hook.SubagentStop {
		switch p.Text("status") {
		case "aborted":
			c.Events = append(c.Events, continuation.Event{Type: continuation.Abort})
		case "error":
			c.Events = append(c.Events, continuation.Event{Type: continuation.Error})
			c.SetFailure("", p.Text("error_message", "error"))
		}
	}
	return c
}

// renderHook answers Cursor, which knows no decisions at a stop: it is given the next message.
func renderHook(_ hook.Call, a hook.Answer) hook.Reply {
	switch {
	case a.Refused != "":
		return hook.Reply{Stdout: `{"continue":false,` + hook.ObjectLine("", "user_message", a.Refused)[1:]}
	case a.Prompt != "":
		return hook.Reply{Stdout: hook.ObjectLine("", "followup_message", a.Prompt)}
	case a.Context != "":
		return hook.Reply{Stdout: hook.ObjectLine("", "additional_context", a.Context)}
	}
	return hook.Reply{}
}
