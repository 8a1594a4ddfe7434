package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestQuickStart runs the README's first command as on a machine with nothing but Go, git and make: with an
// empty home, and without onward on PATH. The checkout is a clone of this tree. Then it installs the clone, and
// uninstalls it again. The README's second command is left out, because it runs this test.
// The programs of the other modules are stand-ins there, newer than their sources; .ci/nightly makes them.
func TestQuickStart(t *testing.T) {
	if !*long {
		t.Skip("only in the long form, which .ci/nightly runs; .ci/run runs the README's commands themselves")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the quick start is for a Unix shell")
	}
	for _, needed := range []string{"sh", "git"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("there is no %s", needed)
		}
	}
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, b := range blocks(string(readme)) {
		if strings.HasPrefix(b.comment, "not run: TestQuickStart runs it") {
			lines = b.lines
		}
	}
	commands := make([]string, 0, 2)
	for _, line := range lines {
		if command, _, _ := strings.Cut(line, "#"); strings.TrimSpace(command) != "" {
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	if !slices.Equal(commands, []string{"make demo", "make test"}) {
		t.Fatalf("the quick start is not the two commands that .ci/run calls: %q", commands)
	}
	ci, err := os.ReadFile(filepath.Join(".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range commands {
		if !strings.Contains(string(ci), "\n"+command+"\n") {
			t.Errorf(".ci/run does not call %s", command)
		}
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}

	home := t.TempDir()
	tree, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{
		"HOME=" + home,
		"PATH=" + withoutOnward(os.Getenv("PATH")),
		"GOMODCACHE=" + goEnv(t, "GOMODCACHE"), "GOCACHE=" + goEnv(t, "GOCACHE"), "GOFLAGS=-modcacherw",
		"TMPDIR=" + t.TempDir(), "LC_ALL=C.UTF-8",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		// The demo itself removes the variables of an agent and of a user's store from its environment.
		"CLAUDECODE=1", "ONWARD_GATE=false", "ONWARD_SESSION=mine",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
	}
	run := func(script string) string {
		t.Helper()
		c := exec.Command("sh", "-euc", script)
		c.Dir, c.Env = home, env
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v\n%s", script, err, out)
		}
		return string(out)
	}
	run("git init -q origin && git --git-dir=origin/.git --work-tree='" + tree + "' add -A && git -C origin commit -qm tree")

	run("git clone -q origin onward")

	// The demo can be repeated; the second run builds nothing.
	run("cd onward && make demo")
	out := run("cd onward && make demo")
	for _, b := range blocks(string(readme)) {
		if !strings.HasPrefix(b.comment, "not run: TestQuickStart compares it") {
			continue
		}
		for _, line := range b.lines {
			if line != "…" && !strings.Contains(out, line+"\n") {
				t.Errorf("the README shows %q, and the demo does not:\n%s", line, out)
			}
		}
	}

	run("cd onward && touch onward-mcp onward-etcd && chmod +x onward-mcp onward-etcd")
	run("cd onward && make install DESTDIR=" + home + "/root PREFIX=/usr")
	run("export PATH=$HOME/root/usr/bin:$PATH; cd /; onward doctor | grep -q 'onward-schema, version'")
	for _, file := range []string{
		"man/man1/onward.1.gz", "man/man1/onward-todo-add.1.gz", "man/man7/onward-exit-codes.7.gz",
		"bash-completion/completions/onward", "zsh/site-functions/_onward", "fish/vendor_completions.d/onward.fish",
	} {
		if _, err := os.Stat(filepath.Join(home, "root", "usr", "share", file)); err != nil {
			t.Errorf("make install: %v", err)
		}
	}
	run("cd onward && make uninstall DESTDIR=" + home + "/root PREFIX=/usr")
	if left := run("find root -type f"); left != "" {
		t.Errorf("make uninstall left:\n%s", left)
	}
}

// withoutOnward returns a PATH without the folders that contain an onward.
func withoutOnward(path string) string {
	var kept []string
	for _, dir := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(dir, "onward")); err != nil {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Skip("there is no go to build with")
	}
	return strings.TrimSpace(string(out))
}
