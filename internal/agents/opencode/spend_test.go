package opencode

import (
	"slices"
	"testing"

	continuation "onward/internal/continue"
)

// TestSubAgentTotal reads what `opencode db --format json` prints. The first answer is that of opencode 1.18.33, whose model charged 0.01730
// US dollars for each of two requests of a sub-agent: 700 tokens, 300 from a cache, 80 that it wrote, and 20 of thoughts.
func TestSubAgentTotal(t *testing.T) {
	const recorded = `[
  {
    "cost": 0.0346,
    "tokens_input": 1400,
    "tokens_output": 160,
    "tokens_reasoning": 40,
    "tokens_cache_read": 600,
    "tokens_cache_write": 0
  },
  {
    "cost": 0.0346,
    "tokens_input": 1400,
    "tokens_output": 160,
    "tokens_reasoning": 40,
    "tokens_cache_read": 600,
    "tokens_cache_write": 0
  }
]
`
	for printed, want := range map[string]continuation.Usage{
		recorded: {Input: 4000, Cached: 1200, Output: 400, Cost: 69200, Thread: "ses_1"},
		`[{"cost":null,"tokens_input":7,"tokens_output":-3,"tokens_reasoning":"x","tokens_cache_read":9e99,"tokens_cache_write":2,"more":{}}]`: {Input: 9, Thread: "ses_1"},
	} {
		if got, err := subAgentTotal([]byte(printed), "ses_1"); err != nil || got != want {
			t.Errorf("%s: %+v, %v", printed, got, err)
		}
	}
	for _, printed := range []string{"", "\n", "[]\n", "cost\ttokens_input\n1\t2\n", `{"cost":1}`, `[7]`, recorded[10:], recorded[:len(recorded)/2], "no such column: cost\n" + recorded} {
		if got, err := subAgentTotal([]byte(printed), "ses_1"); err == nil {
			t.Errorf("%q: %+v", printed, got)
		}
	}
}

// TestAskSubAgents asks only about ids that stay a text in SQL.
func TestAskSubAgents(t *testing.T) {
	if argv := program.AskSubAgents("ses_ddf366879ffedmyo0aBr2ftRn7"); len(argv) != 5 || !slices.Equal(argv[:4], []string{"opencode", "db", "--format", "json"}) {
		t.Errorf("%q", argv)
	}
	for _, id := range []string{"", "--help", "ses_1'", "ses_1' OR '1'='1", "ses_1;", "ses_1\n", "ses_1\x00", "ses 1", `ses_1"`, "ses_é", "%"} {
		if argv := program.AskSubAgents(id); argv != nil {
			t.Errorf("%q: %q", id, argv)
		}
	}
}

// FuzzSubAgentTotal reads any answer: what it counts is neither negative, nor more from a cache than there is.
func FuzzSubAgentTotal(f *testing.F) {
	f.Add([]byte(`[{"cost":0.0346,"tokens_input":1400,"tokens_output":160,"tokens_reasoning":40,"tokens_cache_read":600,"tokens_cache_write":0}]`))
	f.Add([]byte(`[{"cost":-1,"tokens_input":1e9,"tokens_output":"7","tokens_cache_read":9999999999999999999},{}]`))
	f.Add([]byte("[]"))
	f.Fuzz(func(t *testing.T, printed []byte) {
		used, err := subAgentTotal(printed, "ses_1")
		if used.Cached < 0 || used.Input < used.Cached || used.Output < 0 || used.Cost < 0 || (used.Thread == "") != (err != nil) {
			t.Errorf("%q: %+v, %v", printed, used, err)
		}
	})
}
