package hook

import (
	"onward/internal/agent"
	continuation "onward/internal/continue"
)

// readLLxprt reads an event of LLxprt Code, whose hooks are Gemini CLI's with two differences.
//
// Its AfterAgent comes after each answer of the model, before the tools run that the answer calls,
// and does not report whether it calls any. A denial there would put our prompt between a call and
// its result. If the turn is over, LLxprt Code has already continued twice by itself if its own
// list is open, and ignores a denial then. So no AfterAgent is the end of a turn here.
//
// A BeforeAgent without a prompt brings the tools' results back to the model; no person speaks then.
func readLLxprt(p payload) Call {
	c := readNamed(p)
	switch {
	case c.Kind == Prompt && c.Text == "":
		c.unspoken()
	case c.Kind == Stop:
		c.Kind, c.Activity = Report, continuation.AssistantMessage
		if reason, paused := agent.PauseReason(p.Text("prompt_response")); paused {
			c.pauses(reason)
		}
	}
	return c
}
