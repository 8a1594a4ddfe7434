package gemini

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// texts are what Gemini CLI writes about failures.
var texts = stream.Texts{
	Classes: []stream.ClassTexts{{Class: continuation.ErrorInvalidRequest, Phrases: []string{"fatalinputerror"}}},
}
