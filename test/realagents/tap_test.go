//go:build unix

package realagents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The hook that the agents run is this test binary under the name onward-tap:
// it passes everything on to onward beside it, and keeps what went in and came out.

// tapped is one call of the hook.
type tapped struct {
	Args   []string
	Stdin  string
	Stdout string
	Stderr string
	Code   int
}

// event returns the agent's name of the event.
func (c tapped) event() string {
	var e struct {
		Event string `json:"hook_event_name"`
		Type  string `json:"type"`
	}
	if json.Unmarshal([]byte(c.Stdin), &e) != nil {
		return ""
	}
	return e.Event + e.Type
}

// blocks reports whether the agent was continued.
func (c tapped) blocks() bool {
	const ownCode = 40 // of a hook whose agent continues by an exit code
	var answer struct {
		Decision, Action   string
		HookSpecificOutput struct{ HookEventName string }
	}
	return c.Code == ownCode || json.Unmarshal([]byte(c.Stdout), &answer) == nil &&
		(answer.Decision == "block" || answer.Decision == "deny" || answer.Action == "continue" || answer.HookSpecificOutput.HookEventName == "Stop")
}

// tap is the main function of onward-tap.
func tap() int {
	dir := filepath.Dir(os.Args[0])
	var in, out, errs bytes.Buffer
	if _, err := in.ReadFrom(os.Stdin); err != nil {
		return 70
	}
	c := tapped{Args: os.Args[1:], Stdin: in.String()}
	cmd := exec.Command(filepath.Join(dir, "onward"), c.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		c.Code = exit.ExitCode()
	} else if err != nil {
		return 70
	}
	c.Stdout, c.Stderr = out.String(), errs.String()
	text, err := json.Marshal(c)
	name := filepath.Join(dir, "..", "taps", fmt.Sprintf("%020d.json", time.Now().UnixNano()))
	// The test may look at any moment, and the agent's end may kill us at any other.
	if err != nil || os.WriteFile(name+".tmp", text, 0o644) != nil || os.Rename(name+".tmp", name) != nil {
		return 70
	}
	os.Stdout.WriteString(c.Stdout)
	os.Stderr.WriteString(c.Stderr)
	return c.Code
}

// taps returns the calls of the hook so far, in order.
func (p place) taps() []tapped {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.home, "taps", "*.json"))
	if err != nil {
		p.t.Fatal(err)
	}
	out := make([]tapped, len(files))
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &out[i])
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
	return out
}

// story contains the questions to the hook and its answers, a line per call.
func story(calls []tapped) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "%s -> %d %.300s %.200s\n", c.event(), c.Code, strings.TrimSpace(c.Stdout), c.Stderr)
	}
	return b.String()
}

// blocked counts how often the agent was continued.
func blocked(calls []tapped) (n int) {
	for _, c := range calls {
		if c.blocks() {
			n++
		}
	}
	return n
}

// onward runs onward in the project, and returns its exit code and standard output.
func (p place) onward(args ...string) (int, string) {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.path, "onward"), args...)
	cmd.Dir, cmd.Env = p.dir, p.env()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// hook installs the agent's hooks, with the tap for the program.
func (p place) hook(a agent, flags ...string) {
	p.t.Helper()
	code, out := p.onward(append([]string{"hooks", "install", a.name, "--program", filepath.Join(p.path, "onward-tap")}, flags...)...)
	if code != 0 {
		p.t.Fatalf("hooks install %s: exit %d\n%s", a.name, code, out)
	}
}

// counts returns how many items of the project's list are completed, and how many there are.
func (p place) counts() (completed, total int) {
	p.t.Helper()
	code, out := p.onward("todo", "show", "--json")
	var doc struct {
		Counts struct{ Total, Completed int }
	}
	if err := json.Unmarshal([]byte(out), &doc); code != 0 || err != nil {
		p.t.Fatalf("todo show: exit %d, %v\n%s", code, err, out)
	}
	return doc.Counts.Completed, doc.Counts.Total
}

// own makes a conversation that is still going on the owner of the project's list.
func (p place) own(conversation string) {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.path, "onward"), "hook", "generic")
	cmd.Dir, cmd.Env = p.dir, p.env()
	cmd.Stdin = strings.NewReader(asJSON(object{"event": "user-prompt", "session_id": conversation, "cwd": p.dir, "prompt": "go"}))
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
}

// build puts onward and the tap into a folder.
func build(t *testing.T, dir string) {
	t.Helper()
	if err := os.Link(program, filepath.Join(dir, "onward")); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "onward-tap")); err != nil {
		t.Fatal(err)
	}
}
