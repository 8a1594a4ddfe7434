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

	"onward/internal/calls/policy"
	"onward/internal/calls/shell"
)

var (
	policyTime = flag.Duration("policy-time", 0, "how long generated commands are run in real shells; 0 is a short part")
	policySeed = flag.Uint64("policy-seed", 1, "what the commands are generated from")
)

// TestPolicyAgainstRealShells runs the commands that a rule allows in real shells. Each shell must run only the program
// that the rule names, once, with exactly the words of the command.
func TestPolicyAgainstRealShells(t *testing.T) {
	t.Parallel()
	shells := realShells(t)
	if len(shells) == 0 {
		t.Skip("skipped: there is neither dash nor bash")
	}
	rules := []policy.Rule{{Tool: policy.ShellTool, Command: "alpha", Decision: policy.Allow}}
	g := shellText{rand.New(rand.NewPCG(*policySeed, 1))}
	counts := map[string]int{}
	began := time.Now()
	for counts["runs"] < 600 || time.Since(began) < *policyTime {
		text := g.command()
		counts["commands"]++
		q := policy.Question{Tool: policy.ShellTool, Confirm: "ask", Command: text, Mode: policy.Default, Args: jsontext.Value("{}")}
		if policy.Decide(q, rules).Decision != policy.Allow {
			continue
		}
		counts["allowed"]++
		want, why := shell.Plain(text)
		if why != "" {
			t.Fatalf("command %d of seed %d: %q is allowed, but not plain: %s", counts["commands"], *policySeed, text, why)
		}
		for _, sh := range shells {
			counts["runs"]++
			if got := sh.run(t, text); len(got) != 1 || got[0] != strings.Join(want, "\x00") {
				t.Errorf("command %d of seed %d in %s: allowed is %q, which runs %q", counts["commands"], *policySeed, sh.name, text, got)
			}
		}
	}
	t.Logf("seed %d, %d shells, %v: %v", *policySeed, len(shells), time.Since(began).Round(time.Second), counts)
	if counts["allowed"] < counts["commands"]/50 {
		t.Errorf("only %d of %d commands are allowed, which tests little", counts["allowed"], counts["commands"])
	}
}

// shellText generates random commands, most words of which are plain.
type shellText struct{ *rand.Rand }

// The parts of the generated commands: plain words, and text that a shell may interpret.
var (
	shellPlain   = strings.Split("a|Z|9|_|-|.|,|/|:|@|%|+|one|two|-x|--long=|a=b|HEAD~1|HEAD^|~|^|=|./b/alpha|alpha|victim|\"x y\"|'x  y'|'$a'|'`b`'|'\\'|'!'|'\"'|\"'\"|\"\"|''|\"ä €\"|'ä'|\"#\"|'*'|\";\"|'|'|'{a,b}'|'~'|'='|\"~/x\"", "|")
	shellHostile = []string{
		"$a", "$(victim)", "`victim`", "${a:-victim}", "$((PATH=1))", "$'a'", "$\"a\"", ";victim", "&&victim", "||victim", "|victim", "&", "\n", "\nvictim", "\r", "\r\n",
		"\\", "\\\n", "#", " #", "*", "?", "[a]", "{a,b}", "{1..3}", "!", "!!", "!a", "(", ")", "(victim)", "<one", ">x", ">>x", "2>&1", "<(victim)", "<<E", "<<<a", "'", "\"",
		"\"$a\"", "\"$(victim)\"", "\"`victim`\"", "\"\\a\"", "\"!a\"", "=victim", "~victim", "~/a", "a=~", "a:~", "%1", "ä", "\u00a0", "\u2003", "\u3000", "\v", "\f", "\x00", "\x1b", "\xff",
		"\t", "  ", " -c victim", " -- victim", " PATH=b", "^a^b", "@(a|b)", "+(a)", "a(victim)", "{ victim;}", " && ", " | sh",
	}
	shellBefore = []string{"", " ", "\t", "A=1 ", "PATH=b ", "- ", "! ", "time ", "command ", "exec ", "eval ", "\\", "noglob ", "repeat 2 ", "{ ", "( ", "-c ", "\n", "ä", "\ufeff", "if ", "then ", "coproc "}
)

// command returns a command that runs the program alpha with words, some of which are not plain.
func (g shellText) command() string {
	var b strings.Builder
	if g.IntN(4) == 0 {
		b.WriteString(shellBefore[g.IntN(len(shellBefore))])
	}
	b.WriteString([]string{"alpha", "'alpha'", `"al"pha`, "al''pha"}[g.IntN(4)])
	hostile := g.IntN(2) == 0
	for range g.IntN(6) {
		if g.IntN(3) > 0 {
			b.WriteString([]string{" ", "\t", "  "}[g.IntN(3)])
		}
		if hostile && g.IntN(3) == 0 {
			b.WriteString(shellHostile[g.IntN(len(shellHostile))])
		} else {
			b.WriteString(shellPlain[g.IntN(len(shellPlain))])
		}
	}
	return b.String()
}

// realShell is a shell with a folder of programs that record each run.
type realShell struct {
	name string
	path string // its program, under the name with which it is started
	dir  string
}

// realShells returns the shells on PATH, each under its own name and as sh.
func realShells(t *testing.T) []realShell {
	t.Helper()
	var out []realShell
	for _, name := range []string{"dash", "bash", "busybox", "ksh", "ksh93", "lksh", "mksh", "zsh", "yash"} {
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

// fill writes the programs. Those in the folder b must never run in place of an allowed program of the same name.
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
		script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\0' '%s' \"$@\" >>'%s'\nprintf '\\1' >>'%[2]s'\n", says, filepath.Join(sh.dir, "ran"))
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

// run runs a command and returns the programs that ran, each followed by its arguments, with zero bytes between them.
func (sh *realShell) run(t *testing.T, text string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, sh.path, "-c", text)
	work, ran := filepath.Join(sh.dir, "work"), filepath.Join(sh.dir, "ran")
	cmd.Dir = work
	// Without a locale, yash refuses a command with letters outside ASCII.
	cmd.Env = []string{"PATH=" + filepath.Join(sh.dir, "bin"), "HOME=" + work, "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	// A background process keeps the output open, so Run waits for its end too.
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // the exit code does not matter
	if cmd.Process == nil {
		return nil // the shell did not start: for example, an argument cannot contain a NUL
	}
	// A function that calls itself in the background outlives its shell and would run forever, so all processes are killed.
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
	return strings.Split(strings.TrimSuffix(string(data), "\x00\x01"), "\x00\x01")
}
