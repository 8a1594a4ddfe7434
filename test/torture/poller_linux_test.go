package torture

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestGoEndsBySignal lets the start of Go's network poller fail after onward's own check of it has passed.
// Go then ends the process, but must not do so with its exit code 2, which agents read from a hook as "continue".
func TestGoEndsBySignal(t *testing.T) {
	needStrace(t)
	for _, args := range []string{"hook claude", "check-continue", "todo add x", "todo list"} {
		for _, fault := range []string{"epoll_create1:error=EMFILE:when=2", "epoll_create1:error=ENOMEM:when=2", "eventfd2:error=ENFILE:when=2"} {
			p := abused(t, 3)
			before := p.state(t, everything)
			call, _, _ := strings.Cut(fault, ":")
			wrap := []string{"strace", "-f", "-q", "-o", filepath.Join(p.dir, "log"), "-e", "trace=" + call, "-e", "inject=" + fault}
			if r := p.run(t, `{"hook_event_name":"Stop","session_id":"x"}`, wrap, strings.Fields(args)...); r.code != -1 {
				t.Errorf("%s, %s: exit code %d: %.200s", args, fault, r.code, r.errors)
			}
			if after := p.state(t, everything); after != before {
				t.Errorf("%s, %s: it was\n%s\nand is\n%s", args, fault, before, after)
			}
		}
	}
}

// TestWithoutAPoller lets onward's own check of the poller fail. A command reports it, and a hook lets the agent stop.
func TestWithoutAPoller(t *testing.T) {
	needStrace(t)
	for _, fault := range []string{"epoll_create1:error=EMFILE", "epoll_create1:error=ENOMEM", "eventfd2:error=ENFILE"} {
		call, _, _ := strings.Cut(fault, ":")
		for args, code := range map[string]int{"hook claude": 0, "todo add x": 74, "todo list": 74, "schedule list": 74, "doctor": 74} {
			p := abused(t, 3)
			before := p.state(t, everything)
			wrap := []string{"strace", "-f", "-q", "-o", filepath.Join(p.dir, "log"), "-e", "trace=" + call, "-e", "inject=" + fault + ":when=1+"}
			r := p.run(t, `{"hook_event_name":"Stop","session_id":"x"}`, wrap, strings.Fields(args)...)
			if r.code != code || complaint(r) != "" || r.code == 0 && r.out != "" {
				t.Errorf("%s, %s: exit code %d, want %d: %s%s", args, fault, r.code, code, r.out, r.errors)
			}
			if after := p.state(t, everything); after != before {
				t.Errorf("%s, %s: it was\n%s\nand is\n%s", args, fault, before, after)
			}
		}
	}
}
