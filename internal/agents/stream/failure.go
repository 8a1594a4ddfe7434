package stream

import (
	"strconv"
	"strings"

	continuation "onward/internal/continue"
)

// Failure is the reason in a stream why a turn failed.
type Failure struct {
	code int    // HTTP status, or 0
	Kind string // the agent's or the API's class, such as rate_limit_error
	text string // the message
}

// FailureOf classifies the error of a stream; status is its HTTP status if that is a separate member.
func FailureOf(kind, text string, status Word) Failure {
	code := statusInText("status " + string(status))
	if code == 0 {
		code = statusInText(text)
	}
	if _, rest, ok := strings.Cut(text, "API Error: "); ok && code == 0 {
		code = statusInText("status " + rest)
	}
	return Failure{code, kind, text}
}

// class classifies a failure by its remedy. The message takes precedence if it is more precise than the type:
// an overflowing context is an invalid request to the API, and an exhausted account a rate limit.
func (f Failure) class() continuation.ErrorClass {
	text := strings.ToLower(f.Kind + " " + f.text)
	has := func(phrases ...string) bool {
		for _, p := range phrases {
			if strings.Contains(text, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("prompt is too long", "prompt_too_long", "context window", "context_length", "context length", "maximum context", "input token count", "too many tokens in"):
		return continuation.ErrorContext
	case has("billing", "credit balance", "insufficient_quota", "payment required", "insufficient credits", "out of credits"):
		if !resetIn(f.text).IsZero() {
			return continuation.ErrorRateLimit // it is over by itself, whatever the account's page says
		}
		return continuation.ErrorBilling
	case has("rate_limit", "rate limit", "usage limit", "hit your limit", "session limit", "hour limit", "weekly limit", "too many requests", "overloaded", "resource_exhausted", "quota", "at capacity"):
		return continuation.ErrorRateLimit
	case has("authentication", "unauthorized", "permission_error", "invalid api key", "invalid_api_key", "api key not valid", "please run /login", "oauth token", "forbidden", "not logged in"):
		return continuation.ErrorAuth
	case has("invalid_request", "invalid request", "invalid_argument", "not_found_error", "bad request", "fatalinputerror"):
		return continuation.ErrorInvalidRequest
	}
	switch code := f.code; {
	case code == 401 || code == 403:
		return continuation.ErrorAuth
	case code == 402:
		return continuation.ErrorBilling
	case code == 429 || code == 529:
		return continuation.ErrorRateLimit
	case code == 413:
		return continuation.ErrorContext
	case code >= 400 && code < 500:
		return continuation.ErrorInvalidRequest
	case code >= 500:
		return continuation.ErrorServer
	}
	switch {
	case has("api_error", "server_error", "server error", "bad gateway", "unavailable", "timed out", "timeout", "stream disconnected", "stream error", "connection", "network", "error sending request"):
		return continuation.ErrorServer
	}
	return continuation.ErrorUnknown
}

// statusInText finds an HTTP status in a message that has no member for it, as in "unexpected
// status 503 Service Unavailable".
func statusInText(text string) int {
	text = strings.ToLower(text)
	for {
		_, rest, ok := strings.Cut(text, "status")
		if !ok {
			return 0
		}
		text = rest
		digits := strings.TrimLeft(rest, `": code`)
		digits = digits[:leadingDigits([]byte(digits))]
		if code, _ := strconv.Atoi(digits); code >= 400 && code < 600 && len(digits) == 3 {
			return code
		}
	}
}

// The texts that precede the time in an error. They are the hosts', whichever agent passes them on.
var (
	// "You've hit your limit · resets 3pm (America/New_York)", "Your limit will reset at 3pm", "usage limit reached|1759950000"
	anthropicResets = [...]string{"resets", "resets at", "reset at", "limit reached|"}

	// "You've hit your usage limit. … try again at 6:34 AM", "Please try again in 3 days 4 hours 12 minutes", and the answer itself
	openAIResets = [...]string{"try again at", "try again in", "resets_at", "resets_in_seconds"}

	// `"retryDelay": "34s"`, "Please retry in 12h4m", "Your quota will reset after 5h23m"
	googleResets = [...]string{"retrydelay", "retry in", "reset after"}

	// any host's, where an agent quotes the head of its answer
	quotedResets = [...]string{"retry-after", "retry_after", "retry after"}
)

// resetIn finds when the host can be asked again in the text of an error. Whose text it is matters little: an agent
// passes on what its host says, and any agent can have any host.
func resetIn(text string) continuation.Reset {
	text = text[:min(len(text), maxText)]
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		lower = text // lower case has another length in some script; the positions must agree
	}
	for _, phrases := range [...][]string{anthropicResets[:], openAIResets[:], googleResets[:], quotedResets[:]} {
		for _, phrase := range phrases {
			for from := 0; ; {
				at := strings.Index(lower[from:], phrase)
				if at < 0 {
					break
				}
				from += at + len(phrase)
				if r, err := continuation.ParseReset(text[from:]); err == nil {
					return r
				}
			}
		}
	}
	return continuation.Reset{}
}

// IsRateLimit reports whether an HTTP status says that too much was asked.
func IsRateLimit(status Word) bool { return string(status) == "429" || string(status) == "529" }
