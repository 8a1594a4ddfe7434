package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestQuickStart pastes the README's quick start into a shell on a machine that has nothing but Go and git:
// an empty home, and no onward on the PATH. The repository it clones is a copy of this tree.
// It then installs that clone, and removes it again.
func TestQuickStart(t *testing.T) {
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
	pasted := strings.TrimSpace(strings.Join(lines, "\n"))
	if strings.Count(pasted, "\n") != 3 {
		t.Fatalf("the quick start is not of four lines:\n%s", pasted)
	}
	url := strings.Fields(pasted)[2]

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
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://" + home + "/origin.insteadOf", "GIT_CONFIG_VALUE_0=" + url,
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

	out := run(pasted + "\ncommand -v onward")
	for _, want := range []string{"3 items: 1 open, 2 completed", "(exit code 0)", "(exit code 10)", "What to try next", "/onward/onward\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("the quick start printed no %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "rejected") {
		t.Errorf("the example alarms with what is normal:\n%s", out)
	}

	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}
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

// withoutOnward leaves out of a PATH the folders in which an onward is installed.
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
