package gemini

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// texts are what Gemini CLI writes about failures.
var texts = stream.FailureTexts{
	Classes: []stream.ClassPhrases{{Class: continuation.ErrorInvalidRequest, Phrases: []string{"fatalinputerror"}}},
}
