package continuation

import (
	"cmp"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// promptHint is the next step after a limit that the user's prompt ends.
const promptHint = "the user's next prompt continues; in a script, `onward event user-prompt`"

// continueCommand names what continues the agent after the cause of an end is removed.
func (q *question) continueCommand() string {
	return "`" + cmp.Or(q.facts.Command, "onward resume") + "`"
}

// restartCountersText says how the counters start again, as the beginning of a hint.
func (q *question) restartCountersText() string {
	if q.facts.Command != "" {
		return q.continueCommand() + " goes on, and "
	}
	return q.continueCommand() + " resets the counters, and "
}

// raiseLimitText says how the user allows more than a limit.
func (q *question) raiseLimitText(key string) string {
	return q.settingAssignment(key, "N") + " allows more"
}

// raiseBudgetText says how a run goes on whose budget is used up, and how the user allows more.
func (q *question) raiseBudgetText(key string) string {
	if q.facts.Command == "" {
		return q.raiseLimitText(key)
	}
	return q.restartCountersText() + q.raiseLimitText(key)
}

// BudgetUsedUp returns the answer that a budget is used up; nil if none is. A run asks for it directly, since it may start a turn
// after an answer of an earlier row.
func BudgetUsedUp(doc *session.Document, facts Facts, set Settings, now todo.Time) *Decision {
	if doc == nil {
		doc = &session.Document{}
	}
	return budget(&question{doc: doc, led: doc.Continuation, facts: facts, set: set, now: now})
}

func budget(q *question) *Decision {
	var elapsed time.Duration
	if began := cmp.Or(q.led.PromptAt, q.doc.CreatedAt); began != 0 { // 0: this question creates the document
		elapsed = began.Since(q.now)
	}
	if ms := q.facts.ElapsedMS; ms != nil {
		elapsed = time.Duration(*ms) * time.Millisecond
	}
	usd, tokens := float64(q.led.SpentMicros)/1e6, int64(q.led.SpentTokens)
	if told := q.facts.SpendUSD; told != nil {
		usd = max(usd, *told)
	}
	if told := q.facts.SpendTokens; told != nil {
		tokens = max(tokens, *told)
	}
	switch {
	case q.set.MaxDuration > 0 && elapsed >= q.set.MaxDuration:
		return because(Limit, "budget", "the time of %s is used up", todo.SpanText(q.set.MaxDuration)).withHint("%s", q.raiseBudgetText("max-duration"))
	case q.set.MaxUSD > 0 && usd >= q.set.MaxUSD:
		return because(Limit, "budget", "the budget of %v USD is used up", q.set.MaxUSD).withHint("%s", q.raiseBudgetText("max-usd"))
	case q.set.MaxTokens > 0 && tokens >= q.set.MaxTokens:
		return because(Limit, "budget", "the budget of %d tokens is used up", q.set.MaxTokens).withHint("%s", q.raiseBudgetText("max-tokens"))
	}
	return nil
}

func total(q *question) *Decision {
	// What an agent reports of its own failures lowers the count of the document, and not that of the run.
	switch ofPrompt, ofList := max(q.led.TotalPrompt, q.facts.Prompts), q.led.TotalSession; {
	case ofPrompt >= q.set.MaxTotal:
		return because(Limit, "total", "the agent was stopped after %s for one prompt, and %s", todo.Plural(ofPrompt, "continuation"), q.remainingWorkText()).withHint("%s", q.restartCountersText()+q.raiseLimitText("max-total"))
	case ofList >= listTotal*q.set.MaxTotal:
		return because(Limit, "total", "the agent was stopped after %s for one list, and %s", todo.Plural(ofList, "continuation"), q.remainingWorkText()).withHint("%s", q.raiseLimitText("max-total"))
	}
	return nil
}

func attempts(q *question) *Decision {
	if q.led.Attempts < q.set.MaxAttempts {
		return nil
	}
	return because(Limit, "attempts", "the agent was stopped after %s without work, and %s", todo.Plural(q.led.Attempts, "attempt"), q.remainingWorkText()).withHint("%s", q.restartCountersText()+q.raiseLimitText("max-attempts"))
}

func stalled(q *question) *Decision {
	if q.led.Stagnation < q.maxStagnation() {
		return nil
	}
	return because(Limit, "stalled", "the agent was stopped after %s without progress, and %s", todo.Plural(q.led.Stagnation, "continuation"), q.remainingWorkText()).withHint("%s", q.restartCountersText()+q.raiseLimitText("max-stagnation"))
}

func cooldown(q *question) *Decision {
	if q.led.Last == nil || q.set.Cooldown <= 0 {
		return nil
	}
	if left := q.set.Cooldown - q.age(q.led.Last.At); left > 0 {
		return waitFor(left, "cooldown", "the last continuation was less than %s ago", todo.SpanText(q.set.Cooldown))
	}
	return nil
}

func countdownCancelled(q *question) *Decision {
	if q.facts.Rest <= 0 {
		return nil
	}
	return waitFor(q.facts.Rest, "countdown_cancelled", "the countdown was cancelled by activity")
}

func proceed(q *question) *Decision {
	return because(Continue, continued, "%s", q.remainingWorkText())
}
