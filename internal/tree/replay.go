package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// What a folder lacks for a replay of its commits.
var (
	ErrNoCheckout = errors.New("this is not a checkout of git")
	ErrNoCommit   = errors.New("there is no commit yet")
	ErrNoBase     = errors.New("there is no such base")
	ErrPathspec   = errors.New("not a pathspec")
	ErrWorktree   = errors.New("worktrees do not work here")
)

// Commits are two commits of a checkout: the one that is checked out, and one before it. Their files can be put into
// worktrees, for a time. Nothing that only the repository's own configuration names is run for that.
type Commits struct {
	checkout *checkout
	common   string // the repository's own folder, which all its worktrees share
	folder   string // the folder of the worktrees
	checks   []Change

	Now, Base   string
	Within      string   // the folder in the checkout that was asked about, with slashes; empty is its top
	Merged      bool     // the base that was named is not before the present commit, so this one is the last that both have
	Uncommitted bool     // the files of the checkout differ from its commit
	Filters     []string // filters that only the repository's own configuration defines
}

// ReadCommits finds the commit that is checked out where a folder is, and a base that the caller names.
func ReadCommits(ctx context.Context, dir, base string) (*Commits, error) {
	c := &Commits{checkout: &checkout{ctx: ctx, top: dir, env: environment()}}
	out, err := c.checkout.git("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir", "--show-prefix")
	if err != nil {
		if strings.Contains(err.Error(), "not a git repository") {
			return nil, ErrNoCheckout
		}
		return nil, fmt.Errorf("%w: %w", ErrNoCheckout, err) // such as a bare repository, or another user's
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 3 {
		return nil, ErrNoCheckout
	}
	c.checkout.top, c.common, c.Within = lines[0], lines[1], strings.TrimSuffix(lines[2], "/")
	config, err := c.checkout.config()
	if err != nil {
		return nil, err
	}
	c.checkout.leaveOutFilters(config)
	slices.Sort(c.checkout.filters)
	c.Filters = slices.Compact(c.checkout.filters)
	if c.Now, err = c.commit("HEAD"); err != nil {
		return nil, ErrNoCommit
	}
	named, err := c.commit(base)
	if err != nil || strings.HasPrefix(base, "-") {
		return nil, fmt.Errorf("%w: %q is not a commit of this repository", ErrNoBase, base)
	}
	both, err := c.checkout.git("merge-base", named, c.Now)
	if c.Base = strings.TrimSpace(string(both)); err != nil || c.Base == "" {
		return nil, fmt.Errorf("%w: %q and the present commit have no commit in common", ErrNoBase, base)
	}
	c.Merged = c.Base != named
	// Files that cannot be read are no reason to end: the commits are replayed.
	differ, _ := c.checkout.git("status", "--porcelain", "-z", "--ignore-submodules=all")
	c.Uncommitted = len(differ) > 0
	return c, nil
}

func (c *Commits) commit(name string) (string, error) {
	out, err := c.checkout.git("rev-parse", "--verify", "--quiet", name+"^{commit}")
	return strings.TrimSpace(string(out)), err
}

// FindChecks returns the check files that differ between the two commits: those of the table, those that the command of a gate
// names, seen from the folder that was asked about, and those of further pathspecs.
func (c *Commits) FindChecks(gate string, pathspecs ...string) (names []string, err error) {
	for _, spec := range pathspecs {
		if _, err := c.checkout.git("ls-files", "--", spec); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPathspec, err)
		}
	}
	for _, file := range GateFiles(gate) {
		magic, name, _ := strings.Cut(file, ")")
		pathspecs = append(pathspecs, magic+")"+path.Join(c.Within, name))
	}
	c.checks, err = c.checkout.changedChecks(c.Base, c.Now, pathspecs)
	return paths(c.checks, func(Change) bool { return true }), err
}

// repositoryFile is next to the worktrees of a replay, and names the folder of their repository: if the replay is killed, a later
// one removes them.
const repositoryFile = "repository"

// SetFolder sets the folder that the worktrees are made in. It must be the replay's own.
func (c *Commits) SetFolder(folder string) error {
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder) // as git writes it
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, repositoryFile), []byte(c.common), 0o600)
	}
	if err != nil {
		return fmt.Errorf("%w: make their folder: %w", ErrWorktree, err)
	}
	c.folder = folder
	return nil
}

// worktree returns a worktree of the replay, for git's commands in it.
func (c *Commits) worktree(name string) *checkout {
	in := *c.checkout
	in.top = filepath.Join(c.folder, name)
	in.env = append(slices.Clone(in.env), "GIT_LITERAL_PATHSPECS=1")
	in.setting("worktree.useRelativePaths", "false") // git notes the use of relative ones in the repository's configuration
	in.setting("core.sparseCheckout", "false")       // the commit is replayed as a whole, also where the checkout has a part of its files only
	in.setting("submodule.recurse", "false")
	return &in
}

// AddWorktree makes a worktree of a commit, with the check files of the present commit if the caller wants them. It returns the
// folder in it that corresponds to the one that was asked about; empty if the commit does not have that.
func (c *Commits) AddWorktree(name, commit string, withChecks bool) (dir string, err error) {
	in := c.worktree(name)
	top := in.top
	in.top = c.checkout.top
	if _, err := in.git("worktree", "add", "--quiet", "--detach", top, commit); err != nil {
		return "", fmt.Errorf("%w: make one of %s: %w", ErrWorktree, commit, err)
	}
	if withChecks {
		if err := c.PutChecks(name); err != nil {
			return "", err
		}
	}
	dir = filepath.Join(top, filepath.FromSlash(c.Within))
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return dir, nil
}

// PutChecks puts the check files of the present commit into a worktree. The error is fs.ErrNotExist if a command has removed it.
func (c *Commits) PutChecks(name string) error {
	in := c.worktree(name)
	if _, err := os.Lstat(filepath.Join(in.top, ".git")); err != nil { // git would look for a repository in the folders above
		return fmt.Errorf("%w: find one: %w", ErrWorktree, err)
	}
	for _, deleted := range []bool{true, false} {
		args := []string{"checkout", "--quiet", "--ignore-skip-worktree-bits", c.Now, "--"}
		if deleted {
			args = []string{"rm", "--quiet", "--force", "--ignore-unmatch", "--"}
		}
		names := paths(c.checks, func(change Change) bool { return (change.Kind == 'D') == deleted })
		for part := range slices.Chunk(names, 200) { // a command line has a limit
			if _, err := in.git(slices.Concat(args, part)...); err != nil {
				return fmt.Errorf("%w: put the check files into one: %w", ErrWorktree, err)
			}
		}
	}
	return nil
}

// RemoveWorktrees removes the worktrees, and what the repository knows about them.
func (c *Commits) RemoveWorktrees() error {
	if c.folder == "" {
		return nil
	}
	return removeWorktrees(c.folder, c.common)
}

// RemoveStaleWorktrees removes the worktrees that replays left which were killed: those in a folder whose name is of none that runs.
func RemoveStaleWorktrees(folder string, runs func(name string) bool) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // there was none, or it is not ours
	}
	for _, entry := range entries {
		if runs(entry.Name()) {
			continue
		}
		left, err := filepath.EvalSymlinks(filepath.Join(folder, entry.Name()))
		if err != nil {
			continue
		}
		if common, err := os.ReadFile(filepath.Join(left, repositoryFile)); err == nil {
			_ = removeWorktrees(left, string(common))
		} else {
			_ = removeAll(left)
		}
	}
}

// removeWorktrees removes the worktrees in a folder. Git's own commands for that would also forget those of other folders that
// cannot be found at the moment.
func removeWorktrees(folder, common string) error {
	worktrees := filepath.Join(common, "worktrees")
	known, unread := os.ReadDir(worktrees)
	var failed error
	for _, entry := range known {
		file := filepath.Join(worktrees, entry.Name(), "gitdir")
		at, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // git has not made it yet
		}
		if name, err := filepath.Rel(folder, filepath.FromSlash(strings.TrimSpace(string(at)))); err == nil && filepath.IsLocal(name) {
			failed = errors.Join(failed, os.RemoveAll(filepath.Dir(file)))
		}
		failed = errors.Join(failed, err)
	}
	if unread == nil {
		_ = os.Remove(worktrees) // as git does with the last one; it stays if another one is in it
	}
	if failed = errors.Join(failed, removeAll(folder)); failed != nil {
		return fmt.Errorf("%w: remove those in %q: %w", ErrWorktree, folder, failed)
	}
	return nil
}

// removeAll removes a folder with all that is in it, also from folders that nobody may write to, as caches of modules are.
func removeAll(folder string) error {
	if os.RemoveAll(folder) == nil {
		return nil
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(folder)
}

// CallersEnvironment returns the variables of the caller without those that bind git to one repository, as git hooks have them.
func CallersEnvironment(ctx context.Context, dir string) ([]string, error) {
	out, err := (&checkout{ctx: ctx, top: dir, env: environment()}).git("rev-parse", "--local-env-vars")
	if err != nil {
		return nil, err
	}
	bound := strings.Fields(string(out))
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(bound, name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
	}), nil
}
