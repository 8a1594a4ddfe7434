package claude

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// texts are what Claude Code writes about failures: "You've hit your limit · resets 3pm (America/New_York)",
// "5-hour limit reached ∙ resets 3am", "Your limit will reset at 3pm", "Claude AI usage limit reached|1759950000",
// "Invalid API key · Please run /login", "API Error: 500".
var texts = stream.Texts{
	Classes: []stream.ClassTexts{
		{Class: continuation.ErrorRateLimit, Phrases: []string{"hit your limit", "session limit", "hour limit", "weekly limit"}},
		{Class: continuation.ErrorAuth, Phrases: []string{"please run /login", "not logged in"}},
	},
	Status: []string{"api error: "},
	Resets: []string{"resets", "resets at", "reset at", "limit reached|"},
}
