package claude

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// texts are what Claude Code writes about failures: "You've hit your limit · resets 3pm (America/New_York)",
// "5-hour limit reached ∙ resets 3am", "Your limit will reset at 3pm", "Claude AI usage limit reached|1759950000",
// "You're out of extra usage · resets 3pm", "You've hit your Opus limit · resets Oct 12, 1pm", "Invalid API key · Please run /login",
// "API Error: 500", "API Error: Request rejected (429)", "Conversation too long. Press esc twice …".
var texts = stream.FailureTexts{
	Classes: []stream.ClassPhrases{
		{Class: continuation.ErrorContext, Phrases: []string{"conversation too long"}},
		{Class: continuation.ErrorBilling, Phrases: []string{"extra usage is required"}},
		{Class: continuation.ErrorRateLimit, Phrases: []string{
			"hit your limit", "session limit", "hour limit", "weekly limit", "opus limit", "sonnet limit", "out of extra usage",
		}},
		{Class: continuation.ErrorAuth, Phrases: []string{"please run /login", "not logged in", "organization has been disabled", "organization has disabled"}},
		{Class: continuation.ErrorInvalidRequest, Phrases: []string{"issue with the selected model"}},
		{Class: continuation.ErrorServer, Phrases: []string{"not your usage limit"}},
	},
	Status: []string{"api error: ", "request rejected ("},
	Resets: []string{"limit reached|"},
}
