package hook

import "strings"

// readGemini reads an event of Gemini CLI, which has names of its own.
func readGemini(p payload) Call {
	c := likeClaude(p)
	switch c.Event {
	case "BeforeAgent":
		c.prompt(withoutContext(p.Text("prompt")), "")
	case "AfterAgent":
		c.Kind, c.Message = Stop, p.Text("prompt_response")
	case "BeforeTool":
		c.began()
	case "AfterTool":
		c.ended(p.Text("tool_name"), p.Get("tool_input"), p.Get("tool_response"), false)
	}
	// PreCompress comes before every request, whether it compresses anything or not.
	return c
}

// withoutContext takes off what a hook told the conversation at its beginning: it stands before the person's first words.
func withoutContext(prompt string) string {
	if rest, ok := strings.CutPrefix(prompt, "<hook_context>"); ok {
		if _, said, ok := strings.Cut(rest, "</hook_context>"); ok {
			return strings.TrimLeft(said, "\r\n")
		}
	}
	return prompt
}

// writeGemini answers Gemini CLI. There is always an answer on standard output,
// because without one it takes standard error for it.
func writeGemini(c Call, a Answer) Reply { return answerLikeClaude(c, a, "deny", "{}\n") }
