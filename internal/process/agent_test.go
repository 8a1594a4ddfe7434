package process

import (
	"os"
	"runtime"
	"testing"

	"onward/internal/session"
)

func TestRecognizeAgentProcess(t *testing.T) {
	for _, c := range []struct {
		agent string
		name  string
		args  []string
		want  bool
	}{
		{"claude", "claude", []string{"claude"}, true},
		{"claude", "2.1.330", []string{"/home/me/.local/bin/claude", "-p", "go"}, true},
		{"codex", "codex", []string{"/opt/node_modules/@openai/codex-linux-x64/vendor/bin/codex", "exec"}, true},
		{"gemini", "node", []string{"node", "--no-warnings=DEP0040", "/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js", "-p", "x"}, true},
		{"gemini", "MainThread", []string{"/usr/bin/node", "/usr/local/bin/gemini"}, true},
		{"qwen", "node", []string{"node", "/x/node_modules/@qwen-code/qwen-code/cli-entry.js"}, true},
		{"claude", "sh", []string{"sh", "-c", "/x/onward hook claude || :"}, false},
		{"claude", "onward-tap", []string{"/x/onward-tap", "hook", "claude"}, false},
		{"claude", "claude-onward", []string{"/x/claude-onward", "hook"}, false},
		{"pi", "node", []string{"node", "/usr/local/bin/pi", "--mode", "json"}, true},
		{"pi", "node", []string{"node", "/x/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js"}, true},
		{"pi", "ping", []string{"ping", "localhost"}, false},
		{"pi", "node", []string{"node", "/x/node_modules/pinia/api.js"}, false},
		{"gemini", "node", []string{"node", "/home/gemini/wrapper.js"}, false},
		{"gemini", "node", []string{"node"}, false},
		{"claude", "kworker", nil, false},
	} {
		if got := (program{name: c.name, args: c.args}).is(c.agent); got != c.want {
			t.Errorf("%s: %q %q: %v", c.agent, c.name, c.args, got)
		}
	}
}

// TestGoneRequiresLocalRecord checks that a process counts as ended only if it was recorded on this machine.
func TestGoneRequiresLocalRecord(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are unknown here")
	}
	here := place()
	here.PID = os.Getpid()
	here.Start, _ = StartTime(here.PID)
	for _, c := range []struct {
		name   string
		change func(*session.Process)
		want   bool
	}{
		{"this process", func(*session.Process) {}, false},
		{"its id, given out again", func(p *session.Process) { p.Start += "1" }, true},
		{"no such process", func(p *session.Process) { p.PID = 1 << 30 }, true},
		{"another machine", func(p *session.Process) { p.PID, p.Host = 1<<30, "elsewhere" }, false},
		{"another start of the machine", func(p *session.Process) { p.PID, p.Boot = 1<<30, "before" }, false},
		{"another namespace", func(p *session.Process) { p.PID, p.Namespace = 1<<30, "pid:[1]" }, false},
		{"a record without a start", func(p *session.Process) { p.PID, p.Start = 1<<30, "" }, false},
	} {
		p := here
		c.change(&p)
		if got := KnownEnded(&p); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if KnownEnded(nil) {
		t.Error("an unknown process is gone")
	}
}

// A recorded process is found among the ancestors by its id and its start time.
func TestFindRecordedAgent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are unknown here")
	}
	parent := place()
	parent.PID = os.Getppid()
	parent.Start, _ = StartTime(parent.PID)
	if got := FindAgent("nobody-has-this-name", nil, &parent); got != &parent {
		t.Errorf("the parent: %+v", got)
	}
	for name, change := range map[string]func(*session.Process){
		"its id, given out again": func(p *session.Process) { p.Start += "1" },
		"another process":         func(p *session.Process) { p.PID = 1 << 30 },
	} {
		p := parent
		change(&p)
		if got := FindAgent("nobody-has-this-name", nil, &p); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
