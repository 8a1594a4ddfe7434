//go:build unix

package torture

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/policy"
)

var (
	policyVerdicts = flag.Int("policy-verdicts", 20_000, "how many generated commands the policy must judge as their generator does")
	policyTime     = flag.Duration("policy-time", 0, "how long generated commands are run in real shells; 0 is a short part")
	policySeed     = flag.Uint64("policy-seed", 1, "what the commands are generated from")
)

// policyCase is what the policy is asked with, and which programs must not run where it allows a command.
type policyCase struct {
	name  string
	mode  policy.Mode
	rules []policy.Rule
	wrong func(ran string) bool
}

// policyCases are a list of what is allowed, and a list of what is denied.
// The program alpha may run, beta with the argument one, victim never.
func policyCases(t *testing.T) []policyCase {
	t.Helper()
	rules := func(decision policy.Decision, commands ...string) (out []policy.Rule) {
		for _, c := range commands {
			r := policy.Rule{Tool: policy.ShellTool, Command: c, Decision: decision}
			if err := r.Check(); err != nil {
				t.Fatal(err)
			}
			out = append(out, r)
		}
		return out
	}
	return []policyCase{
		{
			"allow", policy.Default,
			rules(policy.Allow, "alpha", "beta one", "true", ":", "echo", "cd", "test", "[", "printf", "read", "export", "eval", "set", "exit", "command"),
			func(ran string) bool { return ran != "alpha" && !strings.HasPrefix(ran, "alpha ") && ran != "beta one" },
		},
		{
			"deny", policy.Yolo,
			rules(policy.Deny, "victim", "beta two"),
			func(ran string) bool { return strings.HasPrefix(ran, "victim") || ran == "beta two" },
		},
	}
}

func (c *policyCase) allows(command string) bool {
	q := policy.Question{Tool: policy.ShellTool, Confirm: "ask", Mode: c.mode, Command: command, Args: jsontext.Value("{}")}
	return policy.Decide(q, c.rules).Decision == policy.Allow
}

// TestPolicyFindsEveryCommand holds verdicts against the generator's own model: what it put into a command
// that must not run is never allowed.
func TestPolicyFindsEveryCommand(t *testing.T) {
	t.Parallel()
	g := &shellGrammar{rand: rand.New(rand.NewPCG(*policySeed, 0))}
	cases := policyCases(t)
	allowed := map[string]int{}
	for n := range *policyVerdicts {
		g.ran = nil
		text := g.commands(3)
		for _, c := range cases {
			if !c.allows(text) {
				continue
			}
			allowed[c.name]++
			if at := slices.IndexFunc(g.ran, c.wrong); at >= 0 {
				t.Fatalf("command %d of seed %d: %s allows %q, which runs %q", n, *policySeed, c.name, text, g.ran[at])
			}
		}
	}
	t.Logf("%d commands, allowed: %v", *policyVerdicts, allowed)
	for _, name := range []string{"allow", "deny"} {
		if allowed[name] < *policyVerdicts/1000 {
			t.Errorf("%s: only %d of %d commands are allowed, which tests little", name, allowed[name], *policyVerdicts)
		}
	}
}

// TestPolicyAgainstRealShells runs what the policy allows in real shells, among programs that note that they ran.
func TestPolicyAgainstRealShells(t *testing.T) {
	t.Parallel()
	shells := realShells(t)
	if len(shells) == 0 {
		t.Skip("skipped: there is neither dash nor bash")
	}
	g := &shellGrammar{rand: rand.New(rand.NewPCG(*policySeed, 1))}
	cases := policyCases(t)
	counts := map[string]int{}
	began := time.Now()
	for n := 0; counts["runs"] < 300 || time.Since(began) < *policyTime; n++ {
		text := g.commands(2)
		for range g.rand.IntN(3) {
			text = g.mutated(text)
		}
		counts["commands"]++
		var allowing []*policyCase
		for i := range cases {
			if cases[i].allows(text) {
				allowing = append(allowing, &cases[i])
				counts[cases[i].name]++
			}
		}
		if len(allowing) == 0 {
			continue
		}
		for _, sh := range shells {
			counts["runs"]++
			for _, ran := range sh.run(t, text) {
				for _, c := range allowing {
					if c.wrong(ran) {
						t.Errorf("command %d of seed %d in %s: %s allows %q, which runs %q", n, *policySeed, sh.name, c.name, text, ran)
					}
				}
			}
		}
	}
	t.Logf("seed %d, %v: %v", *policySeed, time.Since(began).Round(time.Second), counts)
}

// realShell is a shell with a folder of programs that note that they ran.
type realShell struct {
	name string
	path string // its program, under the name that it is to have
	dir  string
}

// realShells returns the shells that are here: dash and bash by name, and as sh.
func realShells(t *testing.T) []realShell {
	t.Helper()
	var out []realShell
	for _, name := range []string{"dash", "bash", "busybox", "ksh", "mksh", "zsh", "yash"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		for _, as := range []string{name, "sh"} {
			if as == name && name == "busybox" {
				continue
			}
			sh := realShell{name: name + " as " + as, dir: t.TempDir()}
			sh.path = filepath.Join(sh.dir, "bin", as)
			sh.fill(t, program)
			out = append(out, sh)
		}
	}
	return out
}

// fill makes the programs. Those in b are replacements that must never run in the place of an allowed one.
func (sh *realShell) fill(t *testing.T, program string) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	bin, work := filepath.Join(sh.dir, "bin"), filepath.Join(sh.dir, "work")
	must(os.MkdirAll(filepath.Join(work, "b"), 0o700))
	must(os.Mkdir(bin, 0o700))
	write := func(path, says string) {
		script := fmt.Sprintf("#!/bin/sh\nprintf '%s%%s\\0' \"${1:+ $1}\" >>'%s'\n", says, filepath.Join(sh.dir, "ran"))
		must(os.WriteFile(path, []byte(script), 0o700))
	}
	for _, name := range []string{"alpha", "beta", "victim"} {
		write(filepath.Join(bin, name), name)
	}
	for _, name := range []string{"alpha", "beta", "echo", "victim"} {
		write(filepath.Join(work, "b", name), "replaced "+name)
	}
	for _, name := range []string{"one", "two"} {
		must(os.WriteFile(filepath.Join(work, name), nil, 0o600))
	}
	must(os.Symlink(program, filepath.Join(bin, "sh")))
	if sh.path != filepath.Join(bin, "sh") {
		must(os.Symlink(program, sh.path))
	}
	for _, name := range []string{"env", "xargs", "timeout", "nohup", "nice", "find", "cat"} {
		if path, err := exec.LookPath(name); err == nil {
			must(os.Symlink(path, filepath.Join(bin, name)))
		}
	}
}

// run runs a command and returns the programs that ran.
func (sh *realShell) run(t *testing.T, text string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, sh.path, "-c", text)
	work, ran := filepath.Join(sh.dir, "work"), filepath.Join(sh.dir, "ran")
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + filepath.Join(sh.dir, "bin"), "HOME=" + work}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	// What continues in the background holds its output open, so that its end is waited for.
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // how it ended does not matter
	if cmd.Process == nil {
		return nil // a text that no program can be given as an argument, as one with a NUL
	}
	// A function that calls itself in the background outlives its shell, and would never end.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if entries, err := os.ReadDir(work); err == nil && len(entries) > 3 {
		for _, e := range entries {
			if !slices.Contains([]string{"b", "one", "two"}, e.Name()) {
				_ = os.RemoveAll(filepath.Join(work, e.Name()))
			}
		}
	}
	data, err := os.ReadFile(ran)
	if err != nil {
		return nil
	}
	if err := os.Remove(ran); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}
