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
		"mcp__ci__build_status": true, "Read": false, "Edit": false, "mcp__db__query": false, "waitlist": false, "": false,
	} {
		if got := native.IsWait(agents.Tools(), tool, object.Value(`{}`)); got != want {
			t.Errorf("%s: %v", tool, got)
		}
	}
	for file, want := range map[string]bool{
		"/tmp/claude-1000/-home-ada-parser/0001/tasks/b1.output": true, "build.log": true, "main.go": false, "output/main.go": false, "log": false,
	} {
		if got := native.IsWait(agents.Tools(), "Read", object.Value(fmt.Sprintf(`{"file_path":%q}`, file))); got != want {
			t.Errorf("read %q: %v", file, got)
		}
	}
	if native.IsWait(agents.Tools(), "Edit", object.Value(`{"file_path":"main.go","old_string":"open(\"build.log\")","new_string":"open(\"x\")"}`)) {
		t.Error("an edit of code that names a log waits for nothing")
	}
	for line, want := range map[string]bool{
		"make >build.log": false,
		"cat /tmp/claude-1000/-home-ada-parser/tasks/b1.output": true,
		"head -5 <build.log":                     true,
		"git ls-remote origin":                   true,
		"git status":                             false,
		"gcloud builds describe 12":              true,
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

// TestRunsOn tells lines that leave a command running from those with a & that means something else.
func TestRunsOn(t *testing.T) {
	for line, want := range map[string]bool{
		"npm start &":                          true,
		"nohup ./serve >log 2>&1 &":            true,
		"(setsid sleep 600 &)":                 true,
		"./serve & curl localhost:8080":        true,
		"./serve &\ncurl localhost:8080":       true,
		`echo "a" & echo 'b'`:                  true,
		"make a & make b & wait":               false,
		"make a && make b":                     false,
		"make 2>&1 | tail":                     false,
		"make &>log":                           false,
		"make >& log":                          false,
		`echo "salt & pepper"`:                 false,
		`echo 'it''s' \& done`:                 false,
		"curl http://localhost/?a=1&b=2":       false,
		"cat >a.html <<'E'\nA & B\nE":          false,
		"git commit -m 'say \"yes\" & \"no\"'": false,
		"":                                     false,
		"&":                                    false,
	} {
		if got := native.RunsOn(line); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}
