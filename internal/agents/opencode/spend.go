package opencode

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
)

// delegates is the tool that has a sub-agent do a part of the work, in a session below the agent's own. `opencode run --format json` prints
// the call, and nothing of that session.
const delegates = "task"

// subAgents asks opencode's database, whose table of sessions has the totals of each.
var subAgents = agent.SubAgentUsage{Ask: subAgentQuery, Read: subAgentTotal}

const (
	belowSession = "WITH RECURSIVE below(id) AS (SELECT id FROM session WHERE parent_id = '%s' UNION SELECT s.id FROM session s JOIN below ON s.parent_id = below.id)"
	selectTotals = " SELECT cost, tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write FROM session JOIN below USING (id)"
)

// subAgentQuery returns the arguments that ask for the sessions below another one. Its id has no quotes, so it stays a text in SQL.
func subAgentQuery(session string) []string {
	return []string{"db", "--format", "json", fmt.Sprintf(belowSession, session) + selectTotals}
}

// subAgentTotal adds the rows up. opencode counts tokens as in the steps of its stream: those of a cache and of thoughts are left out of
// the others.
func subAgentTotal(printed []byte, session string) (total continuation.Usage, err error) {
	var rows []map[string]jsontext.Value
	if err := json.Unmarshal(printed, &rows); err != nil {
		return total, fmt.Errorf("read the answer of opencode: %w", err)
	}
	if len(rows) == 0 {
		return total, errors.New("opencode's database has no session of them")
	}
	for _, row := range rows {
		count := func(name string) int { return stream.ParseCount(stream.Word(row[name])) }
		cached := count("tokens_cache_read")
		total.Add(continuation.Usage{
			Input: count("tokens_input") + cached + count("tokens_cache_write"), Cached: cached,
			Output: count("tokens_output") + count("tokens_reasoning"), Cost: stream.ParseMicros(stream.Word(row["cost"])),
		})
	}
	total.Thread = native.ShortenID(session)
	return total, nil
}
