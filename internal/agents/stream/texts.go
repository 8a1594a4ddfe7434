package stream

import (
	"strings"

	continuation "onward/internal/continue"
)

// Texts are what the program of one agent writes itself about turns that fail, whatever host it asks. Every phrase is in
// lower case. An agent may run another one and pass on what that one wrote, so each text is looked for in what any agent says.
type Texts struct {
	// Classes are phrases that show why a turn failed.
	Classes []ClassTexts

	// Status are the words before an HTTP status.
	Status []string

	// Resets are the words before the time from which the host can be asked again.
	Resets []string
}

// ClassTexts are the phrases of one class.
type ClassTexts struct {
	Class   continuation.ErrorClass
	Phrases []string
}

// AllTexts are the texts of the programs of all agents.
type AllTexts func(yield func(*Texts) bool)

// hosts are the texts of model hosts, of which an agent passes on what its host answers, and any agent can have any host.
var hosts = Texts{
	Classes: []ClassTexts{
		{continuation.ErrorContext, []string{
			"prompt is too long", "prompt_too_long", "context window", "context_length", "context length", "maximum context", "input token count", "too many tokens in",
			"context limit", "context size", "context overflow", "input is too long", "range of input length", "maximum prompt length", "model token limit",
			"reduce the length of the messages", "prompt token count", "request_too_large",
		}},
		{continuation.ErrorBilling, []string{
			"billing", "credit balance", "insufficient_quota", "payment required", "insufficient credits", "insufficient balance", "enough credits", "requires more credits",
			"no credits remaining", "spend limit", "spending limit",
		}},
		{continuation.ErrorRateLimit, []string{
			"rate_limit", "rate limit", "rate-limit", "usage limit", "daily limit", "limit exhausted", "使用上限", "too many requests", "resource_exhausted", "quota",
		}},
		{continuation.ErrorAuth, []string{"authentication", "unauthorized", "permission_error", "invalid api key", "invalid_api_key", "api key not valid", "oauth token", "forbidden"}},
		{continuation.ErrorInvalidRequest, []string{"invalid_request", "invalid request", "invalid_argument", "not_found_error", "model_not_found", "model not found", "bad request"}},
		{continuation.ErrorServer, []string{
			"api_error", "server_error", "server error", "bad gateway", "unavailable", "timed out", "timeout", "stream error", "connection", "network",
			"econnre", "enotfound", "socket hang up", "fetch failed", "high demand", "overloaded",
		}},
	},
	Resets: []string{
		// OpenAI: "Please try again in 11.054s", and the members of an answer
		"try again in", "resets_at", "resets_in_seconds",
		// Google: `"retryDelay": "34s"`, "Please retry in 12h4m", "Your quota will reset after 5h23m"
		"retrydelay", "retry in", "reset after",
		// any host's, where the head of its answer is quoted
		"retry-after", "retry_after", "retry after",
		// Anthropic: "You will regain access on 2026-11-01 at 00:00 UTC"; Moonshot: "please try again after 1 seconds"
		"regain access on", "try again after",
	},
}

// all yields the texts of the programs, then those of the hosts.
func (a AllTexts) all(yield func(*Texts) bool) {
	more := true
	if a != nil {
		a(func(t *Texts) bool {
			more = yield(t)
			return more
		})
	}
	if more {
		yield(&hosts)
	}
}

// have reports whether a text has a phrase of a class.
func (a AllTexts) have(class continuation.ErrorClass, text string) bool {
	for t := range a.all {
		for _, row := range t.Classes {
			if row.Class != class {
				continue
			}
			for _, phrase := range row.Phrases {
				if strings.Contains(text, phrase) {
					return true
				}
			}
		}
	}
	return false
}
