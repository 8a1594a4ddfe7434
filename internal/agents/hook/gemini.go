package hook

import "strings"

// readGemini reads an event of Gemini CLI.
// Its PreCompress comes before every request, whether it compresses anything or not, and is ignored here.
func readGemini(p payload) Call {
	c := readNamed(p)
	switch c.Kind {
	case Prompt:
		c.prompt(withoutContext(c.Text), "")
	case Stop:
		c.Message = p.Text("prompt_response")
	}
	return c
}

// withoutContext removes the context that a hook added at the start of the conversation: it
// precedes the user's first words.
func withoutContext(prompt string) string {
	if rest, ok := strings.CutPrefix(prompt, "<hook_context>"); ok {
		if _, said, ok := strings.Cut(rest, "</hook_context>"); ok {
			return strings.TrimLeft(said, "\r\n")
		}
	}
	return prompt
}

// writeGemini answers Gemini CLI. There is always an answer on standard output,
// because without one it uses standard error as the answer.
func writeGemini(c Call, a Answer) Reply { return claudeReply(c, a, "deny") }
