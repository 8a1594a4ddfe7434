package agents_test

import (
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// TestProblems reads the ends of programs' standard error.
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		name, text string
		class      continuation.ErrorClass
		line       string
		reset      bool
		usage      bool
	}{
		{name: "nothing"},
		{name: "no class", text: "Segmentation fault\n", line: "Segmentation fault"},
		{
			name: "a limit after other lines", text: "Loaded credentials.\nERROR: You've hit your usage limit. Try again at 11:45 PM.\n",
			class: continuation.ErrorRateLimit, line: "ERROR: You've hit your usage limit. Try again at 11:45 PM.", reset: true,
		},
		{name: "a limit, and a connection that ends with it", text: "usage limit reached\nconnection closed\n", class: continuation.ErrorRateLimit, line: "usage limit reached"},
		{name: "an error that was got over", text: "server error, trying again\nInvalid API key\n", class: continuation.ErrorAuth, line: "Invalid API key"},
		{
			name: "gemini's quota", text: "Error when talking to Gemini API\n_ApiError: {\"error\":{\"message\":\"{\\n \\\"error\\\": {\\\"code\\\": 429, \\\"message\\\": \\\"You exceeded your current quota. Please retry in 34s.\\\"}}\",\"code\":429}}\n" +
				"    at throwErrorIfNotOK (file:///usr/lib/gemini.js:1:2)\n    at async run (file:///usr/lib/gemini.js:3:4) {\n  status: 429\n}\n\nNode.js v22.1.0\n",
			class: continuation.ErrorRateLimit, line: "Error when talking to Gemini API: You exceeded your current quota. Please retry in 34s.", reset: true,
		},
		{
			name: "opencode's log", text: `timestamp=2026-11-27T23:01:27.282Z level=ERROR run=b3fba9ee message="stream error" providerID=mock small=false agent=build mode=primary error.error="AI_APICallError: You have hit your usage limit. Please try again in 2 hours."` + "\n",
			class: continuation.ErrorRateLimit, line: "You have hit your usage limit. Please try again in 2 hours.", reset: true,
		},
		{name: "python", text: "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    go()\nValueError: no model\n", line: "ValueError: no model"},
		{
			name: "a disabled account", text: `API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"This organization has been disabled."},"request_id":"req_1"}` + "\n",
			class: continuation.ErrorAuth, line: "API Error: 400: This organization has been disabled.",
		},
		{
			name: "an account without the program", text: "Your organization has disabled Claude subscription access for Claude Code · Use an Anthropic API key instead, or ask your admin to enable access\n",
			class: continuation.ErrorAuth, line: "Your organization has disabled Claude subscription access for Claude Code · Use an Anthropic API key instead, or ask your admin to enable access",
		},
		{name: "only braces", text: "}\n}\n"},
		{
			name: "a flag", text: "error: unexpected argument '--foo' found\n\nUsage: codex exec [OPTIONS]\n\nFor more information, try '--help'.\n",
			line: "error: unexpected argument '--foo' found", usage: true,
		},
		{
			name: "root", text: "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons\n",
			line: "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons", usage: true,
		},
		{
			name: "how it is called, and then why not", text: "usage: tool [-h] FILE\n\nOptions:\n  --on-error MODE  what an error does\n\nmissing operand\nTry 'tool --help' for more.\n",
			line: "missing operand", usage: true,
		},
		{
			name: "a flag, and a help that speaks of errors", text: "tool: unrecognized option '--frob'\nUsage: tool [options]\n\nOptions:\n--on-error MODE  what an error does\nErrors are written to the log.\n",
			line: "tool: unrecognized option '--frob'", usage: true,
		},
		{name: "only how it is called", text: "Usage: tool <command>\n\nCommands:\n  go  goes\n", line: "Usage: tool <command>", usage: true},
		{
			name: "only the options, below a picture in colour", text: "\x1b[90m█▀▀█ █▀▀█\x1b[0m\n\nopencode run [message..]\n\nrun opencode with a message\n\nPositionals:\n  message  message to send  [array]\n\nOptions:\n  -h, --help  show help\n",
			line: "opencode run [message..]", usage: true,
		},
		{name: "a limit is no usage", text: "Usage limit reached\n", class: continuation.ErrorRateLimit, line: "Usage limit reached"},
		{name: "long ago", text: "usage limit\n" + strings.Repeat("step\n", 60), line: "step"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := agents.FailureTexts().ProblemIn(c.text)
			if p.Class != c.class || p.Line != c.line || p.Reset.IsZero() == c.reset || p.Usage != c.usage {
				t.Errorf("got %+v", p)
			}
		})
	}
}

// TestSentences finds the words of an error in what a host answers.
func TestSentences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Invalid API key · Please run /login", "Invalid API key · Please run /login"},
		{`API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.4: image dimensions exceed"}}`, "API Error: 400: messages.4: image dimensions exceed"},
		{`{"error":"no such model"}`, "no such model"},
		{"{\n \"error\": {\n  \"message\": \"quota\"\n }\n}", "quota"},
		{`{"detail": 1}`, `{"detail": 1}`},
		{"{broken", "{broken"},
		{"}\n  at x (y:1:2)\nError: real\n", "Error: real"},
	} {
		if got := stream.FailureSentence(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestWhatStaysInAConversation classifies the failures of a conversation that every further request breaks.
func TestWhatStaysInAConversation(t *testing.T) {
	for _, text := range []string{
		"messages.41.content.31.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
		"messages.3.content.1.image.source.base64: image exceeds 5 MB maximum",
		"Could not process image",
		"Image was too large. Double press esc to go back and try again with a smaller image.",
		"PDF too large. Please double press esc to edit your message and try again.",
		"messages: text content blocks must be non-empty",
		"all messages must have non-empty content except for the optional final assistant message",
		"API Error due to tool use concurrency issues.",
		"`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1",
		"Claude Code is unable to respond to this request, which appears to violate our Usage Policy (https://www.anthropic.com/legal/aup).",
		"This content was flagged for possible cybersecurity risk.",
		"The response was filtered due to the prompt triggering the content management policy.",
	} {
		if got := agents.FailureTexts().Class(stream.FailureOf("", text, nil)); got != continuation.ErrorInvalidRequest {
			t.Errorf("%q: got %s", text, got)
		}
	}
}
