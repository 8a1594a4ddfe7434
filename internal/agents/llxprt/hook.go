package llxprt

import (
	"onward/internal/agents/gemini"
	"onward/internal/agents/hook"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

var protocol = hook.Protocol{
	Name: "llxprt", GoAhead: "{}\n", Speaker: gemini.ModelSpeaker, // it has its own todo tools, and continues on its own
	FolderVariable: "LLXPRT_PROJECT_DIR", CanRefusePrompt: true, Parse: readHook, Render: renderHook,
	Ignores: []string{"beforemodel", "aftermodel", "beforetoolselection", "precompress"},
}

// readHook reads an event of LLxprt Code, whose hooks are those of gemini.Agent with two differences.
//
// Its AfterAgent comes after each answer of the model, before the tools run that the answer calls,
// and does not report whether it calls any. A denial there would put our prompt between a call and
// its result. If the turn is over, LLxprt Code has already continued twice on its own if its own
// list is open, and ignores a denial then. So no AfterAgent is the end of a turn here.
//
// A BeforeAgent without a prompt brings the tools' results back to the model; no person speaks then.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadNamed(p)
	switch {
	case c.Kind == hook.Prompt && c.Text == "":
		c.SetAgentPrompt()
	case c.Kind == hook.Stop:
		c.Kind, c.Activity = hook.Report, continuation.AssistantMessage
		if reason, paused := stream.PauseReason(p.Text("prompt_response")); paused {
			c.SetPause(reason)
		}
	}
	return c
}

func renderHook(c hook.Call, a hook.Answer) hook.Reply { return hook.RenderDecision(c, a, "deny") }
