package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"onward/test/golden"
)

// TestExampleReport makes docs/report.html, the report that the README shows: a night with a continuation, a wait for the
// agent's host, a pause that the user answered, and a gate that failed at first. Recorded runs of agents follow.
func TestExampleReport(t *testing.T) {
	dir := t.TempDir()
	made, project := filepath.Join(dir, "report.html"), filepath.Join(dir, "webshop")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	onward := func(folder, at, in string, code int, args ...string) {
		t.Helper()
		c := exec.Command("onward", args...)
		c.Dir, c.Stdin = folder, strings.NewReader(in)
		// The environment is left out, because in an agent's shell a gate's result in --facts is refused.
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "ONWARD_NOW=2026-11-21T" + at + ":00Z", "TZ=UTC", "LC_ALL=C.UTF-8"}
		out, err := c.CombinedOutput()
		if c.ProcessState == nil || c.ProcessState.ExitCode() != code {
			t.Fatalf("onward %q: %v\n%s", args, err, out)
		}
	}
	night := func(at string, code int, args ...string) {
		t.Helper()
		onward(project, at, "", code, append([]string{"--session", "release"}, args...)...)
	}
	night("01:00", 0, "set", "gate", "go test ./...")
	night("01:00", 0, "event", "user-prompt", "--text", "Release version 1.2: all tests pass, and the notes are written.")
	onward(project, "01:02", "- [ ] Repair the failing tests\n- [ ] Write the release notes\n- [ ] Tag the release\n", 0, "--session", "release", "todo", "import", "-")
	night("01:02", 0, "todo", "start", "1")
	night("01:20", 0, "todo", "done", "1")
	night("01:21", 0, "event", "turn-end", "--tool-calls", "14")
	night("01:21", 0, "check-continue") // it stopped with open items, and continues
	night("01:22", 0, "todo", "start", "2")
	night("01:35", 0, "event", "turn-end", "--status", "failed", "--error-class", "rate_limit", "--retry-after", "5m")
	night("01:35", 13, "check-continue") // its host has a usage limit
	night("01:41", 0, "check-continue")  // after the time that the host named, and a tenth more
	night("01:48", 0, "todo", "done", "2")
	night("01:50", 0, "pause", "Which key signs the tag?")
	night("01:50", 11, "check-continue")
	night("02:10", 0, "event", "user-prompt", "--text", "Use the key of the release team.")
	night("02:11", 0, "todo", "start", "3")
	night("02:18", 0, "todo", "done", "3")
	night("02:19", 0, "event", "turn-end", "--tool-calls", "6")
	// The gate fails, and the agent is sent back with the output. The result comes from the caller, so that its duration never differs.
	gate := func(at string, code int, facts string) {
		onward(project, at, facts, code, "--session", "release", "check-continue", "--facts", "-")
	}
	gate("02:19", 0, `{"gate":{"command":"go test ./...","code":1,"output":"--- FAIL: TestNotes (0.00s)\n    notes_test.go:12: the notes name no change of the parser\nFAIL"}}`)
	night("02:24", 0, "event", "turn-end", "--tool-calls", "2")
	gate("02:24", 10, `{"gate":{"command":"go test ./...","code":0}}`) // it is done, and proven

	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, stream := range map[string]string{"claude": "claude/stream-tasks.jsonl", "gemini": "gemini/stream-ok.jsonl", "opencode": "opencode/run.jsonl"} {
		onward(root, "02:30", "", 0, "ingest", "--save", "--emit", "none", "--quiet", "--session", name, filepath.Join("testdata", "streams", filepath.FromSlash(stream)))
	}
	onward(root, "02:30", "", 0, "report", "-o", made, "release", "gemini", "opencode", "claude")
	got, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join("docs", "report.html"), string(got))
}
