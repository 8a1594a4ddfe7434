package codex

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// texts are what Codex writes about failures: "You've hit your usage limit. … try again at 6:34 AM", "Your workspace is out
// of credits.", "You hit your spend cap set in your workspace.", "shared rollout token budget exhausted", "Selected model is
// at capacity.", "Your access token could not be refreshed … Please sign in again.", "stream disconnected before completion".
var texts = stream.FailureTexts{
	Classes: []stream.ClassPhrases{
		{Class: continuation.ErrorBilling, Phrases: []string{"out of credits", "to use codex with your chatgpt plan", "spend cap", "token budget exhausted"}},
		{Class: continuation.ErrorAuth, Phrases: []string{"sign in again"}},
		{Class: continuation.ErrorServer, Vague: []string{"stream disconnected", "error sending request", "at capacity"}},
	},
	Denials: []stream.Denial{
		{Phrase: "tools::router: error=approval policy is never; reject command", Tool: "command_execution"},
		{Phrase: "rejected: blocked by policy", Tool: "command_execution"},
		{Phrase: "approval required by policy, but askforapproval is set to never", Tool: "command_execution"},
		{Phrase: "tools::router: error=patch rejected", Tool: "file_change"},
	},
}
