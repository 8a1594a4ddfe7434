package install

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onward/internal/store"
	"onward/internal/supervise"
	"onward/internal/todo"
	"onward/internal/tree"
)

// GitHooks returns the hooks of git at which a gate makes sense, the default first.
func GitHooks() []string { return []string{"pre-push", "pre-commit", "commit-msg"} }

// keptSuffix is added to the name of an existing hook, which is kept next to ours.
const keptSuffix = ".before-onward"

// planGitHook makes a hook of git that runs `onward todo assert`.
// An existing hook is kept next to it under another name, and runs first.
func planGitHook(o Options, p *plan) error {
	if o.Hook == "" {
		o.Hook = GitHooks()[0]
	}
	if !slices.Contains(GitHooks(), o.Hook) {
		return unfit("%w", &todo.UnknownWordError{Text: fmt.Sprintf("--hook must be one of %s, not %q", strings.Join(GitHooks(), ", "), o.Hook), Word: o.Hook, Known: GitHooks()})
	}
	if err := p.hooksFolder(o); err != nil {
		return err
	}
	other := o
	other.Lenient = !o.Lenient
	f := p.file(o.Hook, ownFile{text: gitScript(o), other: gitScript(other), between: [2]string{"onward=", "\n"}, decode: unquoted, beside: true})
	f.mode, f.beside = 0o755, f.path+keptSuffix
	p.files = []file{f}
	p.notes = []string{"`" + o.gitCommand() + "` is refused while an item is open; --no-verify bypasses the hook"}
	return nil
}

//go:embed git-hook.sh
var gitHook string

// gitScript is the hook. git runs hooks with a shell of its own on Windows as well.
func gitScript(o Options) string {
	program, missing := quote(filepath.ToSlash(o.Program), false), "1"
	if o.Lenient {
		missing = "0"
	}
	return strings.NewReplacer("HOOK", o.Hook, "PROGRAM", program, "MISSING", missing, "KEPT", keptSuffix, "COMMAND", o.gitCommand()).Replace(gitHook)
}

// gitCommand is the command that the hook refuses.
func (o Options) gitCommand() string {
	if o.Hook == "pre-push" {
		return "git push"
	}
	return "git commit"
}

// hooksFolder asks git for the folder of a project's hooks. It must be within the repository, unless the user's own
// configuration names it.
func (p *plan) hooksFolder(o Options) error {
	found, err := runGit(o, "rev-parse", "--path-format=absolute", "--git-common-dir", "--git-path", "hooks")
	common, hooks, _ := strings.Cut(found, "\n")
	if err != nil {
		return err
	}
	p.dir, p.within = filepath.FromSlash(hooks), o.Project
	if inside := filepath.FromSlash(common); strings.HasPrefix(p.dir, inside+string(filepath.Separator)) {
		p.within = inside
	} else if scope, err := runGit(o, "config", "--show-scope", "--get", "core.hooksPath"); err == nil && !strings.HasPrefix(scope, "local") && !strings.HasPrefix(scope, "worktree") {
		p.within = ""
	}
	return nil
}

// excludedFiles returns git's own list of files that are not committed, with the personal files of a project, which are few and none of
// the team's; none outside of a repository. What is for all who work on the project is taken off it.
func (p *plan) excludedFiles(o Options) []file {
	found, err := runGit(o, "rev-parse", "--path-format=absolute", "--git-path", "info/exclude", "--show-prefix")
	if err != nil {
		return nil
	}
	path, prefix, _ := strings.Cut(found, "\n")
	e := exclude{}
	for _, f := range p.files {
		rel, err := filepath.Rel(o.Project, f.path)
		if own, is := f.content.(ownFile); is { // a file of another program's with the name of ours is none of ours
			if data, unread := readFile(f.path); unread != nil || data != nil && !own.ours(data) {
				continue
			}
		} else if base := filepath.Base(f.path); base != p.Personal {
			continue
		}
		if err == nil {
			e.patterns = append(e.patterns, "/"+prefix+filepath.ToSlash(rel))
		}
	}
	return []file{{content: e, path: filepath.FromSlash(path), mode: 0o644, extra: true, gits: true, other: o.Scope == Shared}}
}

// inOtherWorktree reports whether another worktree of the repository has personal settings with hooks of onward: all of them share
// the list of files that git ignores.
func (p *plan) inOtherWorktree(o Options) bool {
	found, err := runGit(o, "worktree", "list", "--porcelain")
	own, ownErr := runGit(o, "rev-parse", "--show-toplevel") // the user may be in another project
	if err != nil || ownErr != nil {
		return false
	}
	o.Scope = Project
	for line := range strings.Lines(found) {
		dir, is := strings.CutPrefix(strings.TrimSpace(line), "worktree ")
		if is && dir != own && p.hooked(o, filepath.FromSlash(dir)) {
			return true
		}
	}
	return false
}

// exclude is a file of patterns that git ignores, one a line.
type exclude struct{ patterns []string }

// has reports whether a line is one of the patterns.
func (e exclude) has(line []byte) bool {
	return slices.Contains(e.patterns, string(bytes.TrimSpace(line)))
}

func (e exclude) put(old []byte, _ []string) ([]byte, error) {
	now := bytes.Clone(old)
	for _, pattern := range e.patterns {
		if !slices.ContainsFunc(bytes.Split(old, []byte("\n")), func(line []byte) bool { return string(bytes.TrimSpace(line)) == pattern }) {
			if len(now) > 0 && now[len(now)-1] != '\n' {
				now = append(now, '\n')
			}
			now = append(now, pattern+"\n"...)
		}
	}
	return now, nil
}

func (e exclude) removeOwn(old []byte, _ []string, before []byte) ([]byte, error) {
	var now []byte
	for line := range bytes.Lines(old) {
		if !e.has(line) {
			now = append(now, line...)
		}
	}
	if len(now) == 0 && before != nil {
		return []byte{}, nil
	}
	return withoutLastBreak(now, before), nil
}

func (e exclude) inspect(data []byte) (p presence, err error) {
	p.some = slices.ContainsFunc(bytes.Split(data, []byte("\n")), e.has)
	return p, nil
}

// gitLimit limits the time of git, which waits forever if its configuration is a pipe.
const gitLimit = 5 * time.Second

// runGit returns what git prints about a project.
func runGit(o Options, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), gitLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = o.Project
	defer supervise.Mark(cmd, supervise.InGateVariable)()
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", fmt.Errorf("%w: git does not respond", store.ErrIO)
	}
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("%w: %s", ErrNoRepository, bytes.TrimSpace(failed.Stderr))
	}
	if err != nil {
		if top, unread := tree.NearestGit(o.Project); unread == nil && top == "" {
			return "", ErrNoRepository // which needs no git to be known
		}
		return "", fmt.Errorf("%w: %w", ErrProgram, err)
	}
	return strings.TrimSpace(string(out)), nil
}
