// Command startup measures what a start of onward costs.
//
//	go run ./test/bench/startup [-n 50] [-gate]
package main

import (
	"strings"

	"onward/test/bench/paired"
)

// What Claude Code sends to its hooks.
const (
	stop    = `{"session_id":"5e2f","transcript_path":"/none","cwd":"/","permission_mode":"default","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"Part ROUND is done.","background_tasks":[]}`
	toolEnd = `{"session_id":"5e2f","cwd":"/","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a","stderr":""},"tool_use_id":"t1"}`
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
		{Name: "check-continue (no commit)", Args: []string{"check-continue", "--session", "paused"}, Budget: 1.5},
		{Name: "check-continue --dry-run, 20 items", Args: []string{"check-continue", "--dry-run", "--session", "bench"}, Budget: 1.5},
		{
			Name: "check-continue, 20 items, commits", Args: []string{"check-continue", "--session", "bench"}, Budget: 2.2,
			Before: []string{"event", "user-prompt", "--session", "bench"},
		},
		{Name: "hook claude, a stop (no commit)", Args: []string{"hook", "claude", "--session", "paused"}, Stdin: stop, Budget: 1.5},
		{Name: "hook claude, a tool's end", Args: []string{"hook", "claude", "--session", "hooked"}, Stdin: toolEnd, Budget: 1.5},
		{
			Name: "hook claude, a stop, commits", Args: []string{"hook", "claude", "--session", "hooked"}, Stdin: stop, Budget: 2.2,
			Before: []string{"event", "user-prompt", "--session", "hooked"},
		},
		{Name: "todo show --json, 20 items", Args: []string{"todo", "show", "--json", "--session", "bench"}, Budget: 2.0},
		{Name: "todo show, 20 items", Args: []string{"todo", "show", "--session", "bench"}, Budget: 2.0},
		{Name: "--session paused check-continue (no commit)", Args: []string{"--session", "paused", "check-continue"}, Budget: 1.6},
		{Name: "--help", Args: []string{"--help"}, Budget: 2.5},
		{Name: "--version", Args: []string{"--version"}, Budget: 2.5},
		{Name: "an unknown command", Args: []string{"add", "x"}, Budget: 2.5, Code: 64},
		{Name: "an unknown flag", Args: []string{"check-continue", "--nosuch"}, Budget: 2.5, Code: 64},
		{Name: "todo add", Args: []string{"todo", "add", "one more", "--session", "grows"}, Budget: 2.5},
	})
}
