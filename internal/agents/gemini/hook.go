package gemini

import (
	"strings"

	"onward/internal/agents/hook"
)

var protocol = hook.Protocol{
	Name: "gemini", ReportsBothEnds: true, GoAhead: "{}\n", Speaker: ModelSpeaker,
	FolderVariable: "GEMINI_PROJECT_DIR", CanRefusePrompt: true, LacksTodoTool: hook.Always, Parse: readHook, Render: renderHook,
	Ignores: []string{"beforemodel", "aftermodel", "beforetoolselection", "precompress"},
}

// ModelSpeaker marks the messages of the model in chat recordings.
const ModelSpeaker = "gemini"

// readHook reads an event of Gemini CLI.
// Its PreCompress comes before every request, whether it compresses anything or not, and is ignored here.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadNamed(p)
	switch c.Kind {
	case hook.Prompt:
		c.SetPrompt(withoutContext(c.Text), "")
	case hook.Stop:
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

// renderHook answers Gemini CLI. There is always an answer on standard output,
// because without one it uses standard error as the answer.
func renderHook(c hook.Call, a hook.Answer) hook.Reply { return hook.RenderDecision(c, a, "deny") }
