package hook

import continuation "onward/internal/continue"

// readCodex reads an event of Codex. It tells of the user's interrupt by an event of its own.
func readCodex(p payload) Call {
	c := likeClaude(p)
	if c.Event == "Interrupt" {
		c.report(continuation.Event{Type: continuation.Abort})
	}
	return c
}

// writeCodex answers Codex, which takes an answer with a key that it does not know for a failure of the hook,
// and one without a reason too. Only a conversation's beginning knows additional context.
func writeCodex(c Call, a Answer) Reply {
	if c.Kind != Start {
		a.Context = ""
	}
	return answerLikeClaude(c, a, "block", "{}\n")
}
