// Command startup measures what a start of onward costs.
//
//	go run ./test/bench/startup [-n 50] [-gate]
//
// A hook looks for the agent among the processes that started it. To measure that one,
// run the program by an agent's name:
//
//	go build -o /tmp/claude ./test/bench/startup && /tmp/claude
package main

import (
	"strings"

	"onward/test/bench/paired"
)

// Events as Claude Code sends them to its hooks.
const (
	stop    = `{"session_id":"5e2f","transcript_path":"/none","cwd":"/","permission_mode":"default","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"Part ROUND is done.","background_tasks":[]}`
	toolEnd = `{"session_id":"5e2f","cwd":"/","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a","stderr":""},"tool_use_id":"t1"}`
)

// Budgets of a start, as multiples of the time of the hello world.
const (
	hot     = 2.0 // a loop or a hook waits for the answer
	commits = 2.5 // the same with a commit before the answer
	reads   = 2.0
	writes  = 2.5 // with two fsyncs
	words   = 2.5 // help, version, and errors of usage
)

func main() { paired.Main("startup", 50, measure) }

func measure(b *paired.Bench, runs int) (over bool, err error) {
	for _, setup := range [][]string{
		{"todo", "add", "-", "--session", "bench"},
		{"todo", "add", "only item", "--session", "paused"},
		{"pause", "waits for a key", "--session", "paused"},
		{"todo", "add", "-", "--session", "hooked"},
	} {
		if err := b.Onward(strings.NewReader(strings.Repeat("an item of a list of twenty\n", 20)), setup...); err != nil {
			return false, err
		}
	}
	return b.Run(runs, []*paired.Command{
		b.Saves(),
		{Name: "check-continue (no commit)", Args: []string{"check-continue", "--session", "paused"}, Budget: hot},
		{Name: "--session paused check-continue", Args: []string{"--session", "paused", "check-continue"}, Budget: hot},
		{Name: "check-continue --dry-run, 20 items", Args: []string{"check-continue", "--dry-run", "--session", "bench"}, Budget: hot},
		{
			Name: "check-continue, 20 items, commits", Args: []string{"check-continue", "--session", "bench"}, Budget: commits,
			Before: []string{"event", "user-prompt", "--session", "bench"},
		},
		{Name: "hook claude, a stop (no commit)", Args: []string{"hook", "claude", "--session", "paused"}, Stdin: stop, Budget: hot},
		{Name: "hook claude, a tool's end", Args: []string{"hook", "claude", "--session", "hooked"}, Stdin: toolEnd, Budget: hot},
		{
			Name: "hook claude, a stop, commits", Args: []string{"hook", "claude", "--session", "hooked"}, Stdin: stop, Budget: commits,
			Before: []string{"event", "user-prompt", "--session", "hooked"},
		},
		{Name: "todo show --json, 20 items", Args: []string{"todo", "show", "--json", "--session", "bench"}, Budget: reads},
		{Name: "todo show, 20 items", Args: []string{"todo", "show", "--session", "bench"}, Budget: reads},
		{Name: "todo list", Args: []string{"todo", "list"}, Budget: reads},
		{Name: "todo add", Args: []string{"todo", "add", "one more", "--session", "grows"}, Budget: writes},
		{Name: "todo done", Args: []string{"todo", "done", "last", "--session", "grows"}, Budget: writes},
		{Name: "--help", Args: []string{"--help"}, Budget: words},
		{Name: "todo add --help", Args: []string{"todo", "add", "--help"}, Budget: words},
		{Name: "--version", Args: []string{"--version"}, Budget: words},
		{Name: "an unknown command", Args: []string{"add", "x"}, Budget: words, Code: 64},
		{Name: "an unknown flag", Args: []string{"check-continue", "--nosuch"}, Budget: words, Code: 64},
	})
}
