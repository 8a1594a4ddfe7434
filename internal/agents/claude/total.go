package claude

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// processTotal is what a process has used since its start, as the last result has it. A result has the tokens of its turn, but the
// cost of the process, and of all models that worked in it.
type processTotal struct {
	cost   int // in millionths of a US dollar
	tokens int // of all models
}

// costOf returns what the turn of a result has cost. Used is what the turn used.
func (p *processTotal) costOf(result *Line, used continuation.Usage) int {
	now := processTotal{cost: stream.Micros(result.Word("total_cost_usd"))}
	for model := range result.Member("modelUsage").Values('{') {
		now.tokens += model.Usage("outputTokens", "inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens").All()
	}
	before := *p
	*p = now
	// The first result of a process has the number 0. Older versions do not number them: a total that is too low for what was
	// used before and now is that of another process.
	if string(result.Word("result_index")) == "0" || now.cost < before.cost || now.tokens > 0 && now.tokens < before.tokens+used.All() {
		return now.cost
	}
	return now.cost - before.cost
}
