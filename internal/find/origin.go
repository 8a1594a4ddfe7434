package find

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/session"
)

// Identify adds the name that a project has in a store that machines share, or returns why it has none.
func (s Storage) Identify(project *session.Project) (why string) {
	if s.Shared() {
		project.Origin, project.Upstream, why = originOf(project.Dir)
	}
	return why
}

// originOf returns the repository that a project was cloned from. If that does not name the project, it returns the reason
// and the repository whose settings apply to it nevertheless. Git is never started.
func originOf(dir string) (origin, upstream, why string) {
	if ci := os.Getenv("CI"); ci != "" && ci != "false" && ci != "0" {
		return "", "", "CI is set, and runs of one repository share no list"
	}
	git, linked, err := commonGitDir(filepath.Join(dir, ".git"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", dir + " is not a git repository"
	}
	var config []byte
	if err == nil {
		config, err = durable.ReadForeign(filepath.Join(git, "config"), MaxConfig)
	}
	origin = session.OriginURL(string(config))
	switch {
	case linked: // the settings of a repository that does not know this worktree do not apply
		return "", origin, dir + " is a linked worktree"
	case err != nil:
		return "", "", fmt.Sprintf("the origin of %s is not known: %v", dir, err)
	case origin == "":
		return "", "", "git has no origin on another machine for " + dir
	}
	return origin, "", ""
}

// commonGitDir returns git's folder of a checkout, given the path of .git: that of the main checkout for a linked worktree.
// In those and in submodules .git is a file that names it.
func commonGitDir(path string) (dir string, linked bool, err error) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return path, false, err
	}
	if dir, err = readFolderName(path, "gitdir: "); err != nil {
		return "", false, err
	}
	common, err := readFolderName(filepath.Join(dir, "commondir"), "")
	if errors.Is(err, fs.ErrNotExist) {
		return dir, false, nil
	}
	// Any folder may claim to be a worktree of a repository, but the repository knows which ones are.
	if back, err := readFolderName(filepath.Join(dir, "gitdir"), ""); err != nil || back != path {
		return dir, true, fmt.Errorf("%s is not a worktree that %s knows", filepath.Dir(path), common)
	}
	return common, true, err
}

// repositoryOf returns the folder whose settings hold in a checkout: of a linked worktree that of the main checkout, or where
// git does not know that, git's own folder. It reports whether only the checkout says that it is of that repository.
func repositoryOf(checkout string) (dir string, claimed bool) {
	file := filepath.Join(checkout, ".git")
	git, linked, err := commonGitDir(file)
	switch {
	case err != nil || git == file:
		return checkout, false
	case filepath.Base(git) == ".git" && linked:
		return filepath.Dir(git), false
	}
	if main := coreWorktreeOf(git); main != "" {
		if back, err := readFolderName(filepath.Join(main, ".git"), "gitdir: "); err == nil && back == git {
			if !linked && main != checkout {
				return checkout, false
			}
			return main, false
		}
	}
	if info, err := os.Stat(git); err != nil || !info.IsDir() {
		return checkout, false
	}
	return git, !linked
}

// coreWorktreeOf returns the main checkout of a repository whose own folder is elsewhere, as git keeps it for a submodule;
// empty if git does not know one.
func coreWorktreeOf(git string) string {
	for _, name := range []string{"config.worktree", "config"} {
		config, err := durable.ReadForeign(filepath.Join(git, name), MaxConfig)
		if err != nil {
			continue
		}
		dir := session.CoreWorktree(string(config))
		if dir == "" {
			continue
		}
		if dir = filepath.FromSlash(dir); !filepath.IsAbs(dir) {
			dir = filepath.Join(git, dir)
		}
		if whole, err := filepath.EvalSymlinks(dir); err == nil {
			return whole
		}
	}
	return ""
}

// readFolderName reads a file of git's that names a folder, relative to its own.
func readFolderName(file, before string) (string, error) {
	data, err := durable.ReadForeign(file, MaxConfig)
	if err != nil {
		return "", err
	}
	path, ok := strings.CutPrefix(string(data), before)
	if !ok {
		return "", fmt.Errorf("%s names no folder", file)
	}
	path = filepath.FromSlash(strings.TrimRight(path, "\r\n"))
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		path = whole // a folder that is reached by two paths is one repository
	}
	return filepath.Clean(path), nil
}

// UnnamedProjectError reports why a project has no list of its own on a store that machines share, and how to name one.
func UnnamedProjectError(err error, why string) error {
	if !errors.Is(err, session.ErrUnnamed) {
		return err
	}
	return cli.WithHint(fmt.Errorf("%w: %s", err, why), "name the session: ONWARD_SESSION=ID or --session ID, or on this machine `onward session use ID`")
}
