package native_test

import (
	"fmt"
	"testing"

	"onward/internal/agents"
	"onward/internal/native"
	"onward/internal/object"
)

// TestWaits tells calls that wait, or look after something that takes its time, from those that may be a loop.
func TestWaits(t *testing.T) {
	for tool, want := range map[string]bool{
		"BashOutput": true, "TaskOutput": true, "wait": true, "wait_agent": true, "mcp__ci__wait_for_build": true, "read_bash": true,
		"Read": false, "Edit": false, "mcp__db__query": false, "waitlist": false, "": false,
	} {
		if got := native.IsWait(agents.Tools(), tool, object.Value(`{}`)); got != want {
			t.Errorf("%s: %v", tool, got)
		}
	}
	for line, want := range map[string]bool{
		"sleep 2":                                true,
		"sleep 2 && cat build.log":               true,
		"python -c 'import time; time.sleep(2)'": true,
		"/bin/bash -lc 'sleep 1; ls'":            true,
		"gh run view 12":                         true,
		"GH_TOKEN=x gh pr checks":                true,
		"tail -n 5 train.log":                    true,
		"ps aux | grep train":                    true,
		"curl -s localhost:8080/health":          true,
		"npm run watch":                          true,
		"cat README.md":                          false,
		"cat sleeping.go":                        false,
		"go test ./...":                          false,
		"ls | head":                              false,
		"sed -n 1,20p main.go":                   false,
		"":                                       false,
	} {
		if got := native.IsWait(agents.Tools(), "Bash", object.Value(fmt.Sprintf(`{"command":%q}`, line))); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
