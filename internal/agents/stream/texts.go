package stream

import (
	"iter"
	"slices"
	"strings"

	continuation "onward/internal/continue"
)

// FailureTexts are what the program of one agent writes itself about turns that fail, with any host. Every phrase is in
// lower case. An agent may run another one and pass on what that one wrote, so each text is looked for in what any agent says.
type FailureTexts struct {
	// Classes are phrases that show why a turn failed.
	Classes []ClassPhrases

	// Status are the words before an HTTP status.
	Status []string

	// Resets are the words before the time from which the host can be asked again.
	Resets []string

	// Denials are the lines on standard error about calls that were denied, if the stream does not show such calls.
	Denials []Denial
}

// Denial is a phrase of a line about a call that was denied, and the name of its tool.
type Denial struct{ Phrase, Tool string }

// denials yields the tool of each call that was denied by the end of a program's standard error.
func (a AllFailureTexts) denials(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(strings.ToLower(text)) {
			for t := range a.all {
				if at := slices.IndexFunc(t.Denials, func(d Denial) bool { return strings.Contains(line, d.Phrase) }); at >= 0 && !yield(t.Denials[at].Tool) {
					return
				}
			}
		}
	}
}

// ClassPhrases are the phrases of one class.
type ClassPhrases struct {
	Class   continuation.ErrorClass
	Phrases []string
	Vague   []string // count only if no phrase of another class about the account is there: a limit's text also names the page for billing
}

// AllFailureTexts are the texts of the programs of all agents.
type AllFailureTexts func(yield func(*FailureTexts) bool)

// hosts are the texts of model hosts. An agent passes on what its host answers, and any agent can use any host.
var hosts = FailureTexts{
	Classes: []ClassPhrases{
		{Class: continuation.ErrorContext, Phrases: []string{
			"prompt is too long", "prompt_too_long", "context window", "context_length", "context length", "maximum context", "input token count", "too many tokens in",
			"context limit", "context size", "context overflow", "input is too long", "range of input length", "maximum prompt length", "model token limit",
			"reduce the length of the messages", "prompt token count", "request_too_large", "request too large",
		}},
		{
			Class: continuation.ErrorBilling,
			Phrases: []string{
				"credit balance", "insufficient_quota", "insufficient credits", "insufficient balance", "enough credits", "requires more credits",
				"no credits remaining", "credits are depleted", "spend limit", "spending limit", "hard limit", "hard_limit", "request allowance", "no quota", "billing_error", "platform.openai.com/docs/guides/error-codes", "余额不足",
				"budget has been exceeded", "budget_exceeded", "exceeded budget", "exceededbudget", "key limit exceeded (total", "your monthly included credits", "package has expired", "arrearage",
			},
			Vague: []string{"billing", "payment required"},
		},
		{
			Class: continuation.ErrorRateLimit,
			Phrases: []string{
				"rate_limit", "rate limit", "rate-limit", "usage limit", "daily limit", "monthly limit", "message limit", "request limit", "limit exhausted", "usage exceeded", "使用上限", "速率限制", "请求过多",
				"too many requests", "too many tokens, please wait", "too many tokens per", "throttl", "resource_exhausted", "exhausted your capacity", "max rpm", "max tpm", "max rpd", "max tpd",
				"resource exhausted", "per minute limit", "per hour limit", "per day limit", "high concurrency", "frequency has been limited",
			},
			Vague: []string{"quota", "you're out of", "you are out of", "run out of your", "used all of your", "used all your", "usage cap", "reached your limit", "exceeded your limit", "before trying again"},
		},
		{Class: continuation.ErrorAuth, Phrases: []string{
			"authentication", "unauthorized", "permission_error", "invalid api key", "invalid_api_key", "api key not valid", "oauth token", "forbidden",
			"unauthenticated", "security token", "does not have access", "login again",
		}},
		{Class: continuation.ErrorInvalidRequest, Phrases: []string{
			"invalid_request", "invalid request", "invalid_argument", "not_found_error", "model_not_found", "model not found", "bad request",
			// what stays in the conversation: an image, an empty text, calls without results, and what safeguards refuse
			"image exceeds", "image dimensions", "could not process image", "unable to process image", "invalid image", "text content blocks must be non-empty",
			"image was too large", "image is too large", "image too large", "pdf was too large", "pdf is too large", "pdf too large",
			"must have non-empty content", "cannot be empty", "tool use concurrency", "without `tool_result`", "unexpected `tool_use_id`",
			"usage policy", "usage policies", "unable to respond to this request", "safeguards", "safety system", "content_policy", "content policy", "content management policy",
			"content_filter", "prohibited_content", "was flagged", "been flagged",
		}},
		{
			Class:   continuation.ErrorServer,
			Phrases: []string{"overloaded"},
			Vague: []string{
				"api_error", "server_error", "server error", "bad gateway", "unavailable", "timed out", "timeout", "stream error", "connection", "network",
				"econnre", "enotfound", "etimedout", "eai_again", "enetunreach", "ehostunreach", "socket hang up", "fetch failed", "high demand", "no capacity",
				"resolve host", "name resolution", "no such host", "no route to host", "err_internet", "err_name_not", "err_address", "certificate has expired", "cert_has_expired",
			},
		},
	},
	Status: []string{"error", "http", `"code"`},
	Resets: []string{
		// "Please try again in 11.054s", "try again at Oct 9th, 2026 6:34 AM", "try again after 1 seconds"
		"try again", "resets_at", "reset_at", "resets_in_seconds", "reset_in_seconds",
		// `"retryDelay": "34s"`, "Please retry in 12h4m"
		"retrydelay", "retry in", "retry at", "retrying in",
		// where the head of an answer is quoted
		"retry-after", "retry_after", "retry after", "retryafter",
		// "resets Oct 9, 5pm", "Resets in 143h57m55s", "your limit to reset on April 20, 2026 at 2:00 AM"
		"resets", "resetsat", "reset time", "reset date", "reset", "resetat",
		// "Please wait 14 hours 33 minutes before trying again"
		"wait",
		// "You will regain access on 2026-11-01 at 00:00 UTC"
		"regain access", "available", "renews", "refreshes", "refreshed", "come back", "until",
		// "your monthly cycle ends on 10/12/2026", "Your access will be restored at 2:00 PM", "You can continue in 90 minutes"
		"ends", "restored", "returns", "return", "back in", "back at", "continue in", "continue at", "resume in", "resume at", "resume using this model at",
		"请等待",
	},
}

// all yields the texts of the programs, then those of the hosts.
func (a AllFailureTexts) all(yield func(*FailureTexts) bool) {
	more := true
	if a != nil {
		a(func(t *FailureTexts) bool {
			more = yield(t)
			return more
		})
	}
	if more {
		yield(&hosts)
	}
}

// hasPhrase reports whether a text has a phrase of a class, of the vague ones or of the others.
func (a AllFailureTexts) hasPhrase(class continuation.ErrorClass, vague bool, text string) bool {
	for t := range a.all {
		for _, row := range t.Classes {
			if row.Class != class {
				continue
			}
			phrases := row.Phrases
			if vague {
				phrases = row.Vague
			}
			for _, phrase := range phrases {
				if strings.Contains(text, phrase) {
					return true
				}
			}
		}
	}
	return false
}
