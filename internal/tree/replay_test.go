package tree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// commits reads the commits of a checkout.
func (r repo) commits(base string) *Commits {
	r.t.Helper()
	c, err := ReadCommits(context.Background(), r.dir, base)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func text(t *testing.T, elems ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elems...))
	if errors.Is(err, os.ErrNotExist) {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The worktree of the base has the check files of the present commit: new ones, changed ones, and not those that are gone.
func TestWorktrees(t *testing.T) {
	r := newRepo(t)
	r.write("x.go", "1")
	r.write("x_test.go", "1")
	r.write("gone_test.go", "1")
	r.write("package.json", `{"scripts":{"test":"jest"}}`)
	r.write("web/package.json", `{"dependencies":{}}`)
	r.commit()
	r.write("x.go", "2")
	r.write("x_test.go", "2")
	r.write("sub/new_test.go", "2")
	r.write("sub/run", "2")
	r.write("package.json", `{"scripts":{"test":"vitest"}}`)
	r.write("web/package.json", `{"dependencies":{"left-pad":"1"}}`)
	r.git("rm", "-q", "gone_test.go")
	r.commit()
	// A part of the files is checked out, as by git sparse-checkout, and there is another worktree, which git cannot find now.
	r.git("worktree", "add", "-q", filepath.Join(t.TempDir(), "away"))
	r.git("worktree", "list")
	r.git("sparse-checkout", "set", "--no-cone", "/*", "!/x.go")

	before := r.git("worktree", "list")
	c := r.in("sub").commits("HEAD~1")
	if c.Within != "sub" || c.Merged || c.Uncommitted {
		t.Errorf("the commits are %+v", c)
	}
	names, err := c.FindChecks("./run")
	if want := []string{"gone_test.go", "package.json", "sub/new_test.go", "sub/run", "x_test.go"}; err != nil || !slices.Equal(names, want) {
		t.Fatalf("%q, %v, and not %q", names, err, want)
	}
	folder := filepath.Join(t.TempDir(), "a [b]*?")
	if err := c.SetFolder(folder); err != nil {
		t.Fatal(err)
	}
	with, err := c.AddWorktree("with", c.Now, false)
	if err != nil {
		t.Fatal(err)
	}
	without, err := c.AddWorktree("without", c.Base, true)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]string{
		"x.go": {"2", "1"}, "x_test.go": {"2", "2"}, "gone_test.go": {"none", "none"}, "sub/new_test.go": {"2", "2"},
		"web/package.json": {`{"dependencies":{"left-pad":"1"}}`, `{"dependencies":{}}`},
	} {
		if got := [2]string{text(t, with, "..", name), text(t, without, "..", name)}; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if err := c.RemoveWorktrees(); err != nil {
		t.Fatal(err)
	}
	if after := r.git("worktree", "list"); after != before {
		t.Errorf("the worktrees were\n%s\nand are\n%s", before, after)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}

// What a killed replay left is removed by the next one, and nothing else.
func TestRemoveLeft(t *testing.T) {
	r := newRepo(t)
	r.write("x", "1")
	r.commit()
	before := r.git("status", "--porcelain=v2", "--branch") + text(t, r.dir, ".git", "config")
	all := t.TempDir()
	for _, name := range []string{"left", "runs"} {
		c := r.commits("HEAD")
		if err := c.SetFolder(filepath.Join(all, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.AddWorktree("with", c.Now, false); err != nil {
			t.Fatal(err)
		}
		defer c.RemoveWorktrees()
	}
	RemoveStaleWorktrees(all, func(name string) bool { return name == "runs" })
	if text(t, all, "runs", "with", "x") != "1" || text(t, all, "left", "with", "x") != "none" {
		t.Error("the wrong worktree was removed")
	}
	known, err := filepath.Glob(filepath.Join(r.dir, ".git", "worktrees", "*"))
	if err != nil || len(known) != 1 {
		t.Errorf("git knows %q, %v", known, err)
	}
	// A file that names another repository, or none, makes nothing else go.
	if err := os.WriteFile(filepath.Join(all, "runs", repositoryFile), []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	RemoveStaleWorktrees(all, func(string) bool { return false })
	if entries, err := os.ReadDir(all); err != nil || len(entries) != 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
	if after := r.git("status", "--porcelain=v2", "--branch") + text(t, r.dir, ".git", "config"); after != before {
		t.Errorf("it was %s\nand is %s", before, after)
	}
}

func TestCommitsErrors(t *testing.T) {
	r := newRepo(t)
	for _, test := range []struct {
		do   func()
		base string
		want error
	}{
		{func() {}, "HEAD", ErrNoCommit},
		{func() { r.write("x", "1"); r.commit() }, "nosuch", ErrNoBase},
		{func() {}, "--all", ErrNoBase},
		{func() {}, "HEAD:x", ErrNoBase},
		{func() {
			r.git("checkout", "-q", "--orphan", "apart")
			r.write("y", "1")
			r.commit()
			r.git("checkout", "-q", "main")
		}, "apart", ErrNoBase},
	} {
		test.do()
		if _, err := ReadCommits(context.Background(), r.dir, test.base); !errors.Is(err, test.want) {
			t.Errorf("base %q: %v, want %v", test.base, err, test.want)
		}
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(r.dir, ".git")} {
		if _, err := ReadCommits(context.Background(), dir, "HEAD"); !errors.Is(err, ErrNoCheckout) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
