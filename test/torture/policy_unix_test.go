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

// The parts of commands that begin with a builtin. Every word in evaluatedWords makes a shell run victim if a builtin
// evaluates it, as the number that stands for N.
var (
	commonBuiltins = strings.Fields(". : [ alias bg break cd chdir command continue echo eval exec export false fc fg getopts hash jobs let local print printf pwd read readonly " +
		"return set shift test times trap true type typeset ulimit umask unalias unset wait time nohup realpath rename integer nameref autoload functions history r")
	// Those of which it is known that they evaluate their words in some shell.
	evaluating = strings.Fields("compgen declare export getopts integer jobs let local print printf read readonly set shift test typeset ulimit unset [")
	// What would end the shell that tries many commands, or leave it waiting.
	notTried     = strings.Fields("kill stop suspend logout bye exit while until")
	runsItsWords = strings.Fields("builtin command coproc emulate eval exec fc nocorrect noglob repeat sched time trap zregexparse nohup")
	builtinFlags = []string{
		"", "-a", "-v", "-W", "-x", "-e", "-c", "-i", "-n", "-p", "-P", "-s", "-m", "-A", "-A a", "-f", "-d", "-u", "-t", "-r", "-k", "-l", "-E", "-T", "-F", "-R", "-z", "-o", "-M",
		"-b", "-C", "-S", "-g", "-n -v", "-g -a", "1 -lt", "1 -eq", "! -v", "1 -a -v", "x", "a: ", "%d", "%d 1", "-v a %d", "1", "-- 'a'", "-c -l", "-DP", "-v a -P",
	}
	evaluatedWords = []string{
		"a[$(victim N)]", "a[`victim N`]", "a=b[$(victim N)]", "$(victim N)", "`victim N`", "a=$(victim N)", "a[b[$(victim N)]]", "a[1+$(victim N)]=1", "a=($(victim N))", "${ victim N;}",
		"${|victim N;}", "${a:=$(victim N)}", "$((a[$(victim N)]))", "$[a[$(victim N)]]", "[$(victim N)]=1", "a?$(victim N)", "a[<(victim N)]", "<(victim N)", ">(victim N)", "=(victim N)",
		"a=(<(victim N))", "a=<(victim N)", "a=([0]=<(victim N))", "(e:victim N:)", "*(e:victim N:)", "a=*(e:victim N:)", "~[victim N]", "a;victim N", "&victim N", "|victim N", "{ victim N;}",
		"a(){ victim N;}", "a={victim N}", "!victim N", "%{victim N%}", "%(victim N)T", "a[victim N]", "a[(e)victim N]", "a(victim N)", "(victim N)", "victim N", "a=victim N", "EXIT", "DEBUG", "b",
		`\x24(victim N)`, `\44(victim N)`, `\u0024(victim N)`, `\140victim N\140`, `a\x60victim N\x60`, "vict?m N", "victi[m] N", `\victim N`, "=victim N", "'victim' N",
	}
)

// TestBuiltinsAgainstRealShells runs commands of the shells' builtins, with words that builtins evaluate, in real shells.
// What a rule on the builtin allows runs nothing; what a rule on a builtin that runs its words allows, with the program
// that it runs, runs nothing else. Every builtin that a shell lists is in the table of package shell.
func TestBuiltinsAgainstRealShells(t *testing.T) {
	t.Parallel()
	shells := realShells(t)
	if len(shells) == 0 {
		t.Skip("skipped: there is neither dash nor bash")
	}
	batches, size := 1, 60
	if *long {
		batches = 10
	}
	random := rand.New(rand.NewPCG(*policySeed, 2))
	draw := func(from []string) string { return from[random.IntN(len(from))] }
	ran := 0
	for _, sh := range shells {
		names := append(sh.builtins(t), commonBuiltins...)
		for _, name := range names {
			if _, why := shell.Plain("'" + name + "' '$a'"); why == "" {
				t.Errorf("%s has %s built in, which package shell does not know", sh.name, name)
			}
		}
		names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(notTried, name) })
		for range batches {
			var script strings.Builder
			tried := map[string]string{}
			for len(tried) < size {
				from := names
				if random.IntN(2) == 0 {
					from = evaluating
				}
				command := "'" + draw(from) + "'"
				if name := strings.Trim(command, "'"); slices.Contains(runsItsWords, name) {
					command += " alpha"
				} else if flags := draw(builtinFlags); flags != "" {
					command += " " + flags
				}
				rule := policy.Rule{Tool: policy.ShellTool, Command: command, Decision: policy.Allow}
				number := fmt.Sprint(len(tried))
				for range 1 + random.IntN(2) {
					command += " '" + strings.ReplaceAll(draw(evaluatedWords), "N", number) + "'"
				}
				q := policy.Question{Tool: policy.ShellTool, Confirm: "ask", Command: command, Mode: policy.Default, Args: jsontext.Value("{}")}
				if policy.Decide(q, []policy.Rule{rule}).Decision == policy.Allow {
					tried[number] = command
					fmt.Fprintf(&script, "( eval '%s' ) </dev/null >/dev/null 2>&1\n", strings.ReplaceAll(command, "'", `'\''`))
				}
			}
			ran += len(tried)
			for _, got := range sh.runWithin(t, time.Minute, script.String()) {
				if words := strings.Split(got, "\x00"); words[0] == "victim" {
					t.Errorf("seed %d: allowed in %s is %q, which runs victim", *policySeed, sh.name, tried[words[len(words)-1]])
				}
			}
		}
	}
	t.Logf("seed %d, %d shells: %d commands", *policySeed, len(shells), ran)
}

// TestAliasesAndFunctionsOfRealShells takes the aliases and the functions that a shell has when it starts: what stands for another program is
// not plain, also behind what runs its words.
func TestAliasesAndFunctionsOfRealShells(t *testing.T) {
	t.Parallel()
	shells := realShells(t)
	if len(shells) == 0 {
		t.Skip("skipped: there is neither dash nor bash")
	}
	listed := 0
	for _, sh := range shells {
		for line := range strings.Lines(sh.prints(t, "alias 2>/dev/null || true")) {
			name, value, is := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "alias "), "=")
			if !is {
				continue
			}
			listed++
			words := strings.Fields(strings.Trim(value, "'\"\\"))
			for len(words) > 1 && slices.Contains([]string{"builtin", "command", "exec"}, words[0]) {
				words = words[1:]
			}
			for _, prefix := range []string{"", "time ", "nocorrect "} {
				_, why := shell.Plain(prefix + name + " a")
				_, builtin := shell.Plain("'" + words[0] + "' '$a'") // which is not plain for what a shell has built in
				if why == "" && words[0] != name && (prefix != "" || builtin == "") {
					t.Errorf("%s: %q is plain, and runs %s", sh.name, prefix+name, value)
				}
			}
		}
		if functions := sh.prints(t, "typeset -f 2>/dev/null || true"); strings.TrimSpace(functions) != "" {
			t.Errorf("%s has functions when it starts: %s", sh.name, functions)
		}
	}
	t.Logf("%d shells, %d aliases", len(shells), listed)
}

// prints returns what a script prints in a shell.
func (sh *realShell) prints(t *testing.T, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), sh.path, "-c", script)
	cmd.Env = []string{"PATH=" + filepath.Join(sh.dir, "bin")}
	said, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %s: %v", sh.name, script, err)
	}
	return string(said)
}

// builtins returns the builtins that a shell lists, which not every shell does.
func (sh *realShell) builtins(t *testing.T) []string {
	t.Helper()
	list, lists := map[string]string{
		"bash": "compgen -b; compgen -k", "zsh": "print -l ${(k)builtins} ${(k)reswords} ${(k)aliases}", "ksh93": "builtin", "busybox": "help",
	}[strings.Fields(sh.name)[0]]
	if !lists {
		return nil
	}
	return slices.DeleteFunc(strings.Fields(sh.prints(t, list)), func(word string) bool {
		_, why := shell.Plain("'" + word + "'")
		operator := word != ":" && strings.ContainsAny(word, "/{}!:")                                           // also a builtin with a path
		prose := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZ-", word[0]) >= 0 || strings.HasSuffix(word, "-") // in the help of busybox
		return why != "" || operator || prose || word == "[[" || word == "]]"
	})
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
	for _, name := range []string{"dash", "bash", "busybox", "ksh", "ksh93", "lksh", "mksh", "posh", "zsh", "yash"} {
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

// fill writes the programs. Those in the folder b must never run instead of an allowed program of the same name.
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
	for _, name := range []string{"one", "two", "victim"} {
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
	return sh.runWithin(t, 2*time.Second, text)
}

// runWithin is run with a limit of its own.
func (sh *realShell) runWithin(t *testing.T, limit time.Duration, text string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
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
