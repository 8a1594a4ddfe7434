package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"onward/test/golden"
)

// TestExampleReport makes docs/report.html, the report that the README shows, from recorded runs of agents.
func TestExampleReport(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "report.html")
	onward := func(args ...string) {
		t.Helper()
		c := exec.Command("onward", args...)
		c.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "ONWARD_NOW=2026-11-21T02:00:00Z", "TZ=UTC", "LC_ALL=C.UTF-8")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("onward %q: %v\n%s", args, err, out)
		}
	}
	report := []string{"report", "-o", made}
	for name, stream := range map[string]string{"claude": "claude/stream-tasks.jsonl", "gemini": "gemini/stream-ok.jsonl", "opencode": "opencode/run.jsonl"} {
		onward("ingest", "--save", "--emit", "none", "--quiet", "--session", name, filepath.Join("testdata", "streams", filepath.FromSlash(stream)))
	}
	onward(append(report, "gemini", "opencode", "claude")...)
	got, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join("docs", "report.html"), string(got))
}
