package stream

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	continuation "onward/internal/continue"
)

// Failure is the reason in a stream why a turn failed.
type Failure struct {
	code int    // the HTTP status if that is a separate member, or 0
	Kind string // the agent's or the API's class, such as rate_limit_error
	text string // the message
}

// FailureOf is the error of a stream; status is its HTTP status if that is a separate member.
func FailureOf(kind, text string, status Word) Failure {
	return Failure{statusAfter("status", "status "+string(status)), kind, text}
}

// Class classifies a failure by its remedy. The message takes precedence if it is more precise than the type:
// an overflowing context is an invalid request to the API, and an exhausted account a rate limit.
func (a AllFailureTexts) Class(f Failure) continuation.ErrorClass {
	text := strings.ReplaceAll(strings.ToLower(f.Kind+" "+f.text), "’", "'")
	text = strings.ReplaceAll(text, "disk quota", "disk") // it is the machine's, not the host's
	for _, c := range [...]struct {
		class continuation.ErrorClass
		vague bool
	}{
		{continuation.ErrorServer, false},
		{continuation.ErrorContext, false},
		{continuation.ErrorBilling, false},
		{continuation.ErrorRateLimit, false},
		{continuation.ErrorBilling, true},
		{continuation.ErrorRateLimit, true},
		{continuation.ErrorAuth, false},
		{continuation.ErrorInvalidRequest, false},
	} {
		switch {
		case !a.hasPhrase(c.class, c.vague, text):
		case c.class == continuation.ErrorBilling && !a.Reset(f.text).IsZero():
			return continuation.ErrorRateLimit // it ends without any action, no matter what the account's page says
		default:
			return c.class
		}
	}
	switch code := a.code(f); {
	case code == 401 || code == 403:
		return continuation.ErrorAuth
	case code == 402:
		return continuation.ErrorBilling
	case code == 429:
		return continuation.ErrorRateLimit
	case code == 413:
		return continuation.ErrorContext
	case code >= 400 && code < 500:
		return continuation.ErrorInvalidRequest
	case code >= 500, a.hasPhrase(continuation.ErrorServer, true, text):
		return continuation.ErrorServer
	case (strings.Contains(text, "limit") || strings.Contains(text, "allowance")) && (strings.Contains(text, "reset") || !a.Reset(f.text).IsZero()):
		return continuation.ErrorRateLimit // of a program that is not known
	}
	return continuation.ErrorUnknown
}

// code returns the HTTP status of a failure, or 0.
func (a AllFailureTexts) code(f Failure) int {
	text := "\n" + strings.ToLower(f.text)
	code := cmp.Or(f.code, statusAfter("status", text), statusAfter("\n", text)) // a line may begin with it: "429 Too many tokens"
	for t := range a.all {
		for _, word := range t.Status {
			code = cmp.Or(code, statusAfter(word, text))
		}
	}
	return code
}

// statusAfter finds an HTTP status behind a word, as in the message "unexpected status 503 Service Unavailable".
func statusAfter(word, text string) int {
	for {
		_, rest, ok := strings.Cut(text, word)
		if !ok {
			return 0
		}
		text = rest
		digits := strings.TrimLeft(rest, `"=: code([`)
		digits = digits[:leadingDigits([]byte(digits))]
		if code, _ := strconv.Atoi(digits); code >= 400 && code < 600 && len(digits) == 3 {
			return code
		}
	}
}

// Reset finds when the host can be asked again in the text of an error.
func (a AllFailureTexts) Reset(text string) continuation.Reset {
	text = text[:min(len(text), maxText)]
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		lower = text // lower case has another length in some script; the positions must agree
	}
	r := inBeijing(text, lower)
	for t := range a.all {
		for _, phrase := range t.Resets {
			for from := 0; r.IsZero(); {
				at := strings.Index(lower[from:], phrase)
				if at < 0 {
					break
				}
				at += from
				from = at + len(phrase)
				if at > 0 && 'a' <= text[at-1] && text[at-1] <= 'z' && text[at] == lower[at] {
					continue // within a word, such as "await"
				}
				if found, err := continuation.ParseReset(afterName(text[from:])); err == nil {
					r = found
				}
			}
		}
	}
	for _, word := range [...]string{"week", "daily", "per day", "7-day", "7 day", "monthly", "opus limit", "sonnet limit"} {
		if strings.Contains(lower, word) {
			return r.AsLongLimit()
		}
	}
	return r
}

// afterName passes over the rest of the name of a member or a header, and returns its value: `Seconds":59` of "retryAfterSeconds",
// or `-tokens: 6m0s` of x-ratelimit-reset-tokens. A number of milliseconds gets its unit.
func afterName(text string) string {
	name := text[:len(text)-len(strings.TrimLeftFunc(text, func(r rune) bool { return r == '_' || r == '-' || 'a' <= r|0x20 && r|0x20 <= 'z' }))]
	value := strings.TrimLeft(text[len(name):], `\" `)
	if name == "" || value == "" || value[0] != ':' && value[0] != '=' {
		return text
	}
	rest := strings.NewReplacer("_", "", "-", "", "milliseconds", "", "seconds", "", "secs", "", "timestamp", "", "time", "", "delay", "", "after", "",
		"requests", "", "tokens", "", "unix", "", "date", "", "utc", "", "at", "", "in", "", "ms", "").Replace(strings.ToLower(name))
	if rest != "" && rest != "s" {
		return text
	}
	if !strings.HasSuffix(strings.ToLower(name), "ms") && !strings.HasSuffix(strings.ToLower(name), "milliseconds") {
		return value
	}
	value = strings.TrimLeft(value, `:=\"[ `)
	digits := leadingDigits([]byte(value))
	return value[:digits] + "ms" + value[digits:]
}

// beijing returns the zone of the hosts that write a date without one.
func beijing() *time.Location { return time.FixedZone("CST", 8*60*60) }

// inBeijing finds the time from which such a host can be asked again: "Your limit will reset at 2026-10-09 16:00:00". The text
// is also given in lower case.
func inBeijing(text, lower string) continuation.Reset {
	for _, phrase := range [...]string{"will reset at 2", "限额将在 2"} {
		at := strings.Index(lower, phrase)
		if at < 0 {
			continue
		}
		at-- // the first figure of the year
		if r, err := continuation.ParseReset(text[at+len(phrase):]); err == nil && r.LacksZone() {
			return r.InZone(beijing())
		}
	}
	return continuation.Reset{}
}

// IsRateLimit reports whether an HTTP status says that too much was asked.
func IsRateLimit(status Word) bool { return string(status) == "429" }
