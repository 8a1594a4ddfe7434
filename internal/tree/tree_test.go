package tree

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// repo is a checkout of a test, with the reader that looks at it.
type repo struct {
	t      *testing.T
	dir    string
	reader Reader
}

func newRepo(t *testing.T) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "a")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.org")
	}
	r := repo{t, t.TempDir(), Reader{Folder: t.TempDir()}}
	r.git("init", "-q", "--template=", "-b", "main")
	return r
}

func (r repo) in(folder string) repo { return repo{r.t, filepath.Join(r.dir, folder), r.reader} }

func (r repo) git(args ...string) string {
	r.t.Helper()
	c := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	c.Dir = r.dir
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// onEachWord puts a script before git that treats each word of a command by a case of sh, and then runs git.
func (r repo) onEachWord(does string) {
	git, err := exec.LookPath("git")
	if err != nil {
		r.t.Fatal(err)
	}
	bin := r.t.TempDir()
	wrapper := "#!/bin/sh\nfor word; do case $word in " + does + ";; esac; done\nexec '" + git + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(wrapper), 0o755); err != nil {
		r.t.Fatal(err)
	}
	r.t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func (r repo) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

func (r repo) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-qm", "change", "--allow-empty")
}

// tree reads the tree, and checks that no byte of .git has changed.
func (r repo) tree() Tree {
	r.t.Helper()
	t, err := r.read()
	if err != nil {
		r.t.Fatal(err)
	}
	return t
}

func (r repo) read() (Tree, error) {
	r.t.Helper()
	before := r.digest()
	t, err := r.reader.Read(context.Background(), r.dir)
	if after := r.digest(); after != before {
		r.t.Errorf("something in .git has changed:\n%s\n%s", before, after)
	}
	return t, err
}

// digest is of the name, mode, time and contents of everything in .git. The times of objects and of a shared index do
// not count: git renews them when it finds that it needs one that is there already.
func (r repo) digest() string {
	h := sha256.New()
	git := r.git("rev-parse", "--path-format=absolute", "--git-common-dir")
	err := filepath.WalkDir(git, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(h, path, info.Mode(), info.Size())
		if !strings.Contains(path, "/objects/") && !strings.Contains(path, "/sharedindex.") {
			fmt.Fprintln(h, info.ModTime())
		}
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			h.Write(data)
			return err
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// kept returns what the reader keeps of each checkout under a name.
func (r repo) kept(name string) []string {
	files, _ := filepath.Glob(filepath.Join(r.reader.Folder, "*", name))
	return files
}

func (r repo) noTree(words string) {
	r.t.Helper()
	_, err := r.read()
	var none *NoTree
	if !errors.As(err, &none) || !strings.Contains(none.Reason, words) || strings.Contains(none.Reason, "\n") {
		r.t.Errorf("%v, not a reason with %q", err, words)
	}
}

func (r repo) isCommit(t Tree) bool {
	return r.reader.CommitOf(context.Background(), r.dir, t.ID, "HEAD") == r.git("rev-parse", "HEAD")
}

// A file that git takes for left out is in git's tree all the same, so the id says which ones are missing.
func TestMissingFiles(t *testing.T) {
	ctx, r := context.Background(), newRepo(t)
	r.write("a_test.go", "a\n")
	r.write("b", "b\n")
	r.commit()
	whole := r.tree().ID
	r.git("update-index", "--skip-worktree", "a_test.go")
	if got := r.tree().ID; got != whole {
		t.Errorf("with all files it is %q, not %q", got, whole)
	}
	if err := os.Remove(filepath.Join(r.dir, "a_test.go")); err != nil {
		t.Fatal(err)
	}
	without := r.tree().ID
	if without == whole || treeOf(without) != whole || r.reader.CommitOf(ctx, r.dir, without, "HEAD") == "" {
		t.Errorf("without a file it is %q", without)
	}
	if got, err := r.reader.ChangedChecks(ctx, r.dir, whole, without); err == nil {
		t.Errorf("checks: %v", got)
	}
	if _, _, err := r.reader.ChecksAndOthers(ctx, r.dir, whole, without); err == nil || !strings.Contains(err.Error(), "left out") {
		t.Error(err)
	}
	r.write("b", "c\n")
	if got, err := r.reader.ChangedChecks(ctx, r.dir, without, r.tree().ID); err != nil || len(got) > 0 {
		t.Errorf("with another change: %v, %v", got, err)
	}
}

// What a user tells git to take for unchanged is read all the same.
func TestFilesTakenForUnchanged(t *testing.T) {
	for name, hide := range map[string][][]string{
		"assume-unchanged": {{"update-index", "--assume-unchanged", "a"}},
		"skip-worktree":    {{"update-index", "--skip-worktree", "a"}},
		"both":             {{"update-index", "--assume-unchanged", "a"}, {"update-index", "--skip-worktree", "a"}},
		"ignoreStat":       {{"config", "core.ignoreStat", "true"}, {"update-index", "--really-refresh"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.write("a", "a\n")
			r.write("b", "b\n")
			r.commit()
			for _, args := range hide {
				r.git(args...)
			}
			before := r.digest()
			whole := r.tree()
			if !r.isCommit(whole) {
				t.Errorf("clean: %+v", whole)
			}
			r.write("a", "changed\n")
			changed := r.tree()
			if changed.ID == whole.ID {
				t.Error("a change is not seen")
			}
			os.Remove(filepath.Join(r.dir, "a"))
			if gone := r.tree().ID; gone == whole.ID || gone == changed.ID {
				t.Errorf("without the file it is %q", gone)
			}
			r.write("a", "changed\n")
			if got := r.tree(); got != changed {
				t.Errorf("with the file again it is %+v, not %+v", got, changed)
			}
			r.reader = Reader{Folder: t.TempDir()}
			if got := r.tree(); got != changed {
				t.Errorf("without what was kept: %+v, not %+v", got, changed)
			}
			if r.digest() != before {
				t.Error("the repository is not as it was")
			}
		})
	}
}

// With core.worktree, git reads other files than those that are there.
func TestFilesOfAnotherFolder(t *testing.T) {
	r := newRepo(t)
	r.write("a/check.sh", "false\n")
	r.commit()
	top := r.tree().ID
	if got, err := r.reader.Read(context.Background(), filepath.Join(r.dir, "a")); err != nil || got.ID != top {
		t.Errorf("from a folder within: %v, %v", got, err)
	}
	for _, other := range []string{t.TempDir(), filepath.Dir(r.dir), filepath.Join(r.dir, "a")} {
		r.git("config", "core.worktree", other)
		r.noTree("core.worktree")
		if got, err := r.reader.ChangedChecks(context.Background(), r.dir, top, top); err == nil {
			t.Errorf("checks: %v", got)
		}
	}
}

// The tree of unchanged files is the commit's. Every change of a file makes another one, and undoing it brings it back.
func TestTreeIsThatOfTheFiles(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "*.log\n")
	r.write("a", "one\n")
	r.write("sub dir/ü\tb", "two\n")
	r.write("forced.log", "tracked although it is ignored\n")
	r.git("add", "-f", "forced.log")
	r.commit()
	clean := r.tree()
	if !r.isCommit(clean) {
		t.Fatalf("the tree of a clean checkout is %+v", clean)
	}
	seen := map[string]string{clean.ID: "a clean checkout"}
	steps := []struct {
		name     string
		do, undo func()
	}{
		{"a tracked file is changed", func() { r.write("a", "ONE\n") }, func() { r.write("a", "one\n") }},
		{"a tracked file is deleted", func() { os.Remove(filepath.Join(r.dir, "a")) }, func() { r.write("a", "one\n") }},
		{"a new file", func() { r.write("new", "x\n") }, func() { os.Remove(filepath.Join(r.dir, "new")) }},
		{"a new file with other text", func() { r.write("new", "y\n") }, func() { os.Remove(filepath.Join(r.dir, "new")) }},
		{"a new file with a line break in its name", func() { r.write("new\nfile", "x\n") }, func() { os.Remove(filepath.Join(r.dir, "new\nfile")) }},
		{"a new file in a new folder", func() { r.write("new/file", "x\n") }, func() { os.RemoveAll(filepath.Join(r.dir, "new")) }},
		{"an executable", func() { os.Chmod(filepath.Join(r.dir, "a"), 0o755) }, func() { os.Chmod(filepath.Join(r.dir, "a"), 0o644) }},
		{"a link", func() { os.Symlink("a", filepath.Join(r.dir, "link")) }, func() { os.Remove(filepath.Join(r.dir, "link")) }},
		{"an ignored file that is tracked", func() { r.write("forced.log", "x\n") }, func() { r.write("forced.log", "tracked although it is ignored\n") }},
		{"a file that is no longer ignored", func() { r.write("debug.log", "x\n"); r.write(".gitignore", "") }, func() { r.write(".gitignore", "*.log\n") }},
	}
	for _, s := range steps {
		s.do()
		got := r.tree()
		if other := seen[got.ID]; other != "" {
			t.Errorf("%s: the tree is that of: %s", s.name, other)
		}
		seen[got.ID] = s.name
		// What is staged has no influence.
		r.git("add", "-A")
		if staged := r.tree(); staged.ID != got.ID {
			t.Errorf("%s: another tree once it is staged", s.name)
		}
		r.git("reset", "-q")
		s.undo()
		if again := r.tree(); again != clean {
			t.Errorf("%s: the tree did not come back", s.name)
		}
	}
	r.write("x.log", "ignored\n")
	if got := r.tree(); got != clean {
		t.Error("an ignored file changes the tree")
	}
	// The tree is what a commit of everything has.
	r.write("a", "ONE\n")
	r.write("new", "x\n")
	dirty := r.tree()
	r.commit()
	if got := r.tree(); got.ID != dirty.ID || !r.isCommit(got) {
		t.Errorf("after the commit it is %+v, before it was %+v", got, dirty)
	}
}

// A file that is changed in the same instant as the index was written, with the same size, is seen.
func TestChangesWithinTheSameInstantAreSeen(t *testing.T) {
	r := newRepo(t)
	seen := map[string]bool{}
	r.write("untracked", "0")
	for i := range 10 {
		r.write("a", fmt.Sprint(i))
		r.git("add", "a")
		r.write("a", string(rune('a'+i)))
		r.write("untracked", fmt.Sprint(i))
		seen[r.tree().ID] = true
	}
	if len(seen) != 10 {
		t.Errorf("ten states have %d trees", len(seen))
	}
}

func TestUntrackedFilesThatComeAndGo(t *testing.T) {
	r := newRepo(t)
	empty := r.tree()
	if empty.ID == "" {
		t.Errorf("before the first commit it is %+v", empty)
	}
	r.write("a/b", "x")
	folder := r.tree()
	os.RemoveAll(filepath.Join(r.dir, "a"))
	r.write("a", "x")
	file := r.tree()
	os.Remove(filepath.Join(r.dir, "a"))
	if file == folder || folder == empty || r.tree() != empty {
		t.Errorf("%v %v %v", empty, folder, file)
	}
}

// Many new files are read with one pack of objects, which a later comparison finds. What a killed reading left is removed.
func TestManyUntrackedFiles(t *testing.T) {
	r := newRepo(t)
	r.write(".gitattributes", "converted/* text\n")
	r.write("a", "x")
	r.commit()
	none := r.tree()
	for i := range manyUntracked + 1 {
		r.write(fmt.Sprintf("many/%d", i), fmt.Sprintf("%d\r\n", i))
		r.write(fmt.Sprintf("converted/%d", i), strings.Repeat("x\r\n", i%2))
	}
	r.git("update-index", "--force-write-index", "--chmod=+x", "a")
	r.git("update-index", "--force-write-index", "--chmod=-x", "a")
	old := filepath.Join(filepath.Dir(r.kept("objects")[0]), "reading-1")
	os.Mkdir(old, 0o700)
	os.Chtimes(old, time.Now(), time.Now().Add(-2*time.Hour))
	many := r.tree()
	if left := append(r.kept("reading-*"), r.kept("objects/pack/tmp*")...); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	if packs := r.kept("objects/pack/*.pack"); len(packs) != 1 {
		t.Errorf("there are %d packs", len(packs))
	}
	r.write("many/0", "other")
	stats, err := r.reader.Stats(context.Background(), r.dir, none.ID, r.tree().ID)
	if err != nil || len(stats) != 2*(manyUntracked+1) {
		t.Errorf("%d files differ, %v", len(stats), err)
	}
	r.write("many/0", "0\r\n")
	r.commit()
	if got := r.tree(); got.ID != many.ID || !r.isCommit(got) {
		t.Errorf("after the commit it is %+v, before it was %+v", got, many)
	}
}

func TestNoTree(t *testing.T) {
	r := newRepo(t)
	repo{t, r.dir, r.reader}.git("config", "user.name", "a")
	outside := t.TempDir()
	if _, err := r.reader.Read(context.Background(), outside); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside a checkout: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.reader.Read(ended, r.dir); err == nil || !strings.Contains(err.Error(), "in time") {
		t.Errorf("without time: %v", err)
	}
	if os.Getuid() != 0 {
		r.write("secret", "x")
		os.Chmod(filepath.Join(r.dir, "secret"), 0)
		r.noTree("Permission denied")
		os.Remove(filepath.Join(r.dir, "secret"))
	}
	os.MkdirAll(filepath.Join(r.dir, "inner"), 0o755)
	r.in("inner").git("init", "-q")
	r.noTree("'inner/' does not have a commit checked out")
	os.RemoveAll(filepath.Join(r.dir, "inner"))
	defer func(most int64) { maxUntracked = most }(maxUntracked)
	maxUntracked = 3
	for i := range maxUntracked + 1 {
		r.write(fmt.Sprintf("many/%d", i), "")
	}
	r.noTree("more than 3 files")
}

// The program's own files are no part of a checkout that they are in, such as a home folder.
func TestOwnFilesAreLeftOut(t *testing.T) {
	r := newRepo(t)
	r.write("a", "x")
	r.reader = Reader{Folder: filepath.Join(r.dir, "cache", "trees"), Without: []string{filepath.Join(r.dir, "state"), filepath.Join(r.dir, "none"), r.dir, t.TempDir()}}
	r.write("state/s.json", "1")
	r.write("cache/trees/x", "1")
	start := r.tree()
	r.write("state/s.json", "2")
	r.write("cache/trees/x", "2")
	if got := r.tree(); got != start {
		t.Error("a change of the program's own files is seen")
	}
	r.write("cache/other", "x")
	if got := r.tree(); got == start {
		t.Error("a change beside them is not seen")
	}
}

// TestOwnFilesThatGitIgnores are left out already, and there is a tree all the same.
func TestOwnFilesThatGitIgnores(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "store/\nreport.md\n")
	r.write("a", "one")
	r.write("store/x", "one")
	r.write("report.md", "one")
	start := r.tree()
	for _, own := range []string{"store", "report.md", "a"} {
		r.reader.Without = append(r.reader.Without, filepath.Join(r.dir, own))
		is, err := r.read()
		if err != nil {
			t.Errorf("without %s: %v", own, err)
		}
		if own != "a" && is.ID != start.ID {
			t.Errorf("without %s, which git ignores, it is another tree", own)
		}
		if own == "a" && is.ID == start.ID {
			t.Errorf("without %s it is the same tree", own)
		}
	}
}

// What is kept of a checkout is removed where the caller does not keep it, and made again when it is needed.
func TestForget(t *testing.T) {
	r := newRepo(t)
	r.write("a", "x")
	was := r.tree()
	kept := func() int { return len(r.kept("objects")) }
	top := r.git("rev-parse", "--show-toplevel")
	r.reader.ForgetCheckouts(func(dir string) bool { return dir == top })
	if kept() != 1 {
		t.Error("what the caller keeps was removed")
	}
	r.reader.ForgetCheckouts(func(string) bool { return false })
	if kept() != 0 {
		t.Error("nothing was removed")
	}
	if r.tree() != was {
		t.Error("it is another tree afterwards")
	}
	for _, file := range r.kept(checkoutFile) {
		os.Remove(file)
	}
	r.reader.ForgetCheckouts(func(string) bool { return true })
	if kept() != 0 {
		t.Error("what an older version left is kept")
	}
}

// The variables that git sets for a hook, or a caller for a repository of its own, change nothing.
func TestCallersVariablesChangeNothing(t *testing.T) {
	r := newRepo(t)
	r.write("a", "x")
	r.commit()
	want := r.tree()
	other := t.TempDir()
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_CONFIG_GLOBAL"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, filepath.Join(other, "x"))
			got, err := r.reader.Read(context.Background(), r.dir)
			if err != nil || got != want {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

// A filter of the repository's own configuration is not run; one of the user's is.
func TestFilters(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "x")
	r.write("b", "x")
	r.commit()
	marker := filepath.Join(t.TempDir(), "ran")
	r.git("config", "filter.evil.clean", "touch '"+marker+"'; cat")
	r.git("config", "filter.evil.required", "true")
	plain := r.tree()
	if !r.isCommit(plain) {
		t.Errorf("a filter for no file: %+v", plain)
	}
	r.write(".gitattributes", "*.txt filter=evil\n")
	r.write("a.txt", "y")
	got := r.tree()
	if !strings.HasSuffix(got.ID, "-raw") || r.isCommit(got) {
		t.Errorf("with the filter of a repository: %+v", got)
	}
	r.write("a.txt", "z")
	if again := r.tree(); again.ID == got.ID {
		t.Error("a change of a filtered file is not seen")
	}
	r.git("-c", "filter.evil.clean=", "-c", "filter.evil.required=false", "update-index", "--assume-unchanged", "a.txt")
	if changed, err := r.reader.ChangedProtected(context.Background(), r.dir, got.ID, r.tree().ID, "a.txt"); err != nil || !slices.Equal(changed, []string{"a.txt"}) {
		t.Errorf("a hidden change of a filtered file: %q, %v", changed, err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the filter ran")
	}

	user := newRepo(t)
	user.git("config", "--global", "filter.upper.clean", "tr a-z A-Z")
	user.write(".gitattributes", "*.txt filter=upper\n")
	user.write("a.txt", "x")
	user.commit()
	if got := user.tree(); !user.isCommit(got) {
		t.Errorf("with the user's filter: %+v", got)
	}
	user.git("config", "filter.upper.clean", "touch '"+marker+"'")
	user.write("a.txt", "y")
	if got := user.tree(); strings.HasSuffix(got.ID, "-raw") {
		t.Errorf("the user's filter counts: %+v", got)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the repository replaced the user's filter")
	}
}

// Git LFS saves what it reads. The tree of a changed file is that of its commit, and nothing is saved in the repository.
func TestLargeFileStorage(t *testing.T) {
	if _, err := exec.LookPath("git-lfs"); err != nil {
		t.Skip("skipped: Git LFS is not installed")
	}
	r := newRepo(t)
	r.git("lfs", "install", "--skip-repo")
	r.git("lfs", "track", "*.bin")
	r.write("a.bin", strings.Repeat("x", 1<<16))
	r.commit()
	r.write("a.bin", strings.Repeat("y", 1<<16))
	got := r.tree() // which compares .git before and after it
	if strings.HasSuffix(got.ID, "-raw") || r.isCommit(got) {
		t.Errorf("with a change: %+v", got)
	}
	r.commit()
	if !r.isCommit(got) || !r.isCommit(r.tree()) {
		t.Errorf("the tree of the commit is another one than %+v", got)
	}
}

// Git looks into a repository within the checkout by a command that it runs there, with the configuration of that one.
func TestFiltersOfRepositoriesWithin(t *testing.T) {
	lib := newRepo(t)
	lib.write("l", "x")
	lib.commit()
	r := newRepo(t)
	r.git("submodule", "--quiet", "add", lib.dir, "lib")
	r.commit()
	marker := filepath.Join(t.TempDir(), "ran")
	r.in("lib").git("config", "filter.evil.clean", "touch '"+marker+"'; cat")
	r.write("lib/.gitattributes", "* filter=evil\n")
	r.tree() // the second reading begins with the index of the first one
	for range 2 {
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(r.dir, "lib", "l"), later, later); err != nil {
			t.Fatal(err)
		}
		r.tree()
		r.write("new", "x")
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the filter ran")
	}
}

// If git does not say which filters there are, no tree is read: one of the repository's could run.
func TestFiltersThatAreNotKnown(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the git of this test is a shell script")
	}
	r := newRepo(t)
	r.write("a.txt", "x")
	r.commit()
	marker := filepath.Join(t.TempDir(), "ran")
	r.git("config", "filter.evil.clean", "touch '"+marker+"'; cat")
	r.write(".gitattributes", "*.txt filter=evil\n")
	r.write("a.txt", "y")
	r = repo{t, r.dir, Reader{Folder: t.TempDir()}}
	r.onEachWord("config) echo 'error: unknown option' >&2; exit 129")
	r.noTree("unknown option")
	if _, err := os.Stat(marker); err == nil {
		t.Error("the filter ran")
	}
	if left := r.kept("reading-*"); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}

// A folder that git may not list could have checks in it, or lack some. It only warns, and goes on. A test as root may list every folder, so
// here a script gives the warning.
func TestFoldersThatCannotBeListed(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the git of this test is a shell script")
	}
	r := newRepo(t)
	r.write("tests/a.sh", "x")
	r.commit()
	r.tree()
	r.onEachWord("--others|--all) echo \"warning: could not open directory 'tests/': Permission denied\" >&2")
	r.noTree("git cannot read the folder 'tests/': Permission denied")
}

// Nothing that a repository's configuration or hooks name is run.
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	r := newRepo(t)
	r.write("a", "x")
	r.commit()
	marker := filepath.Join(t.TempDir(), "ran")
	script := "#!/bin/sh\ntouch '" + marker + "'\n"
	r.write(".git/hooks/post-index-change", script)
	r.write(".git/monitor", script)
	os.Chmod(filepath.Join(r.dir, ".git/hooks/post-index-change"), 0o755)
	os.Chmod(filepath.Join(r.dir, ".git/monitor"), 0o755)
	for key, value := range map[string]string{"core.fsmonitor": ".git/monitor", "core.pager": ".git/monitor", "core.sshCommand": ".git/monitor", "diff.external": ".git/monitor", "core.hooksPath": ".git/hooks"} {
		r.git("config", key, value)
	}
	os.Remove(marker)
	r.write("a", "y")
	r.write("b", "y")
	if _, err := r.reader.Read(context.Background(), r.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("something ran")
	}
}

func TestRepositoriesWithin(t *testing.T) {
	lib := newRepo(t)
	lib.write("l", "x")
	lib.commit()
	r := newRepo(t)
	r.git("submodule", "--quiet", "add", lib.dir, "lib")
	r.commit()
	clean := r.tree()
	if !r.isCommit(clean) {
		t.Fatalf("with a clean submodule: %+v", clean)
	}
	r.write("lib/l", "y")
	changed := r.tree()
	r.write("lib/l", "x")
	if changed.ID == clean.ID || r.tree() != clean {
		t.Error("a change in a submodule is not seen")
	}
	r.in("lib").git("commit", "-qm", "x", "--allow-empty")
	if r.tree().ID == clean.ID {
		t.Error("another commit of a submodule is not seen")
	}
	r.git("submodule", "--quiet", "update")
	r.git("submodule", "--quiet", "deinit", "lib")
	first := repo{t, r.dir, Reader{Folder: t.TempDir()}} // it has never seen the files of the submodule
	if got := first.tree(); !first.isCommit(got) {
		t.Errorf("a submodule that is not checked out: %+v", got)
	}

	// A repository that is not a submodule, with a commit.
	e := newRepo(t)
	e.write("inner/f", "x")
	e.in("inner").git("init", "-q")
	e.in("inner").commit()
	one := e.tree()
	e.write("inner/f", "y")
	if two := e.tree(); two.ID == one.ID {
		t.Error("a change in an embedded repository is not seen")
	}
}

func TestKindsOfCheckouts(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(r repo) repo
	}{
		{"a linked worktree", func(r repo) repo { r.git("worktree", "add", "-q", "linked"); return r.in("linked") }},
		{"a folder within", func(r repo) repo { return r.in("sub") }},
		{"sparse", func(r repo) repo { r.git("sparse-checkout", "set", "other"); return r }},
		{"skip-worktree", func(r repo) repo {
			r.git("update-index", "--skip-worktree", "sub/b")
			os.Remove(filepath.Join(r.dir, "sub/b"))
			return r
		}},
		{"line ends", func(r repo) repo {
			r.git("config", "core.autocrlf", "true")
			r.git("config", "core.safecrlf", "true")
			r.write("a", "one\r\ntwo\r\n")
			return r
		}},
		{"the user's filter", func(r repo) repo {
			r.git("config", "--global", "filter.large.clean", "git hash-object --stdin")
			r.git("config", "--global", "filter.large.smudge", "echo large")
			r.git("config", "--global", "filter.large.required", "true")
			r.write(".gitattributes", "*.bin filter=large\n")
			r.write("large.bin", "large\n")
			r.commit()
			return r
		}},
		{"a filter of .git/config for no file", func(r repo) repo {
			r.git("config", "filter.own.clean", "false")
			r.git("config", "filter.own.required", "true")
			r.write(".gitattributes", "*.bin filter=own\n")
			r.git("-c", "filter.own.clean=", "commit", "-qam", "x", "--allow-empty")
			r.commit()
			return r
		}},
		{"a submodule", func(r repo) repo {
			lib := repo{r.t, r.t.TempDir(), r.reader}
			lib.git("init", "-q", "--template=", "-b", "main")
			lib.write("l", "x")
			lib.commit()
			r.git("submodule", "--quiet", "add", lib.dir, "lib")
			r.commit()
			return r
		}},
		{"an embedded repository with a commit", func(r repo) repo {
			r.write("inner/f", "x")
			r.in("inner").git("init", "-q")
			r.in("inner").commit()
			r.git("add", "inner")
			r.commit()
			return r
		}},
		{"input line ends", func(r repo) repo {
			r.git("config", "core.autocrlf", "input")
			r.write("a", "one\r\ntwo\r\n")
			return r
		}},
		{"assume-unchanged", func(r repo) repo {
			r.git("update-index", "--assume-unchanged", "sub/b")
			return r
		}},
		{"a split index", func(r repo) repo { r.git("update-index", "--split-index"); return r }},
		{"detached", func(r repo) repo { r.git("checkout", "-q", "--detach"); return r }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			r.write("a", "one\ntwo\n")
			r.write("sub/b", "x\n")
			r.write("other/c", "x\n")
			r.commit()
			r = c.prepare(r)
			clean := r.tree()
			if !r.isCommit(clean) {
				t.Errorf("clean: %+v", clean)
			}
			r.write("new", "x\n")
			changed := r.tree()
			if changed.ID == clean.ID {
				t.Error("a new file is not seen")
			}
			os.Remove(filepath.Join(r.dir, "new"))
			if r.tree() != clean {
				t.Error("the tree did not come back")
			}
			// What is kept of earlier readings changes nothing.
			r.reader = Reader{Folder: t.TempDir()}
			if got := r.tree(); got != clean {
				t.Errorf("without what was kept: %+v, not %+v", got, clean)
			}
		})
	}
}
