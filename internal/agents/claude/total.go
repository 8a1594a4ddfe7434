package claude

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// processTotal is what a process has used since its start, as the last result has it. A result has the tokens of its turn, but the
// cost of the process, and of all models that worked in it.
type processTotal struct {
	cost int                // in millionths of a US dollar
	used continuation.Usage // of all models
}

// usageOf returns what the turn of a result has used and cost. Seen is the sum of the responses of the turn and of its
// sub-agents in the stream, and own the result's own count, which leaves sub-agents out. The largest of both
// and of what all models have used since the last result counts.
func (p *processTotal) usageOf(result *Line, seen, own continuation.Usage) continuation.Usage {
	now := processTotal{cost: stream.ParseMicros(result.Word("total_cost_usd")), used: modelUsage(result.Member("modelUsage"))}
	before := *p
	*p = now
	more, cost := now.used, now.cost
	switch since := result.Member("model_usage_since_last_result"); {
	case since.Kind() == '{': // A process that resumes a conversation continues its totals, so only this tells the turn's part.
		more = modelUsage(since)
		cost = more.Cost
	case string(result.Word("result_index")) == "0" || now.cost < before.cost || now.used.TokensWithCached() > 0 && now.used.TokensWithCached() < before.used.TokensWithCached()+own.TokensWithCached():
		// The first result of a process has the number 0. Older versions do not number them: a total that is too low for what was
		// used before and now is that of another process.
	default:
		more, cost = now.used.Since(before.used), now.cost-before.cost
	}
	for _, other := range []continuation.Usage{own, seen} {
		if other.TokensWithCached() > more.TokensWithCached() {
			more = other
		}
	}
	more.Cost = cost
	return more
}

// modelUsage adds up what each model has used.
func modelUsage(models stream.Value) (all continuation.Usage) {
	for model := range models.Values('{') {
		u := model.Usage("outputTokens", "inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
		u.Cached, u.Cost = stream.ParseCount(model.Word("cacheReadInputTokens")), stream.ParseMicros(model.Word("costUSD"))
		all.Add(u)
	}
	return all
}
