package find

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"onward/internal/session"
)

// checkouts answers questions about the folders of projects on this machine.
type checkouts struct{}

// Gone reports whether a project's label names a folder that does not exist any more.
func (checkouts) Gone(label string) bool {
	if !filepath.IsAbs(label) {
		return false
	}
	_, err := os.Stat(label)
	return errors.Is(err, fs.ErrNotExist)
}

// Identity returns an identity of a checkout that stays the same when it is moved. A copy has another one, because its git
// folder is another.
func (checkouts) Identity(dir string) (p session.ProjectIdentity) {
	git, of, linked := ownGitDir(dir)
	if info, err := os.Stat(git); err == nil && info.IsDir() {
		if made := birthTime(of); made != 0 {
			p.Git = strconv.FormatUint(number(info), 10) + "-" + strconv.FormatInt(made, 10)
		}
	}
	if !linked {
		p.Origin, _, _ = originOf(dir)
	} else if of, claimed := repositoryOf(dir); of != dir && !claimed {
		p.Repository = of
	}
	return p
}

// ownGitDir returns the folder that git keeps for this checkout alone, and a file in it that git writes once, when it
// makes the folder. The folder moves with the checkout; that of a linked worktree or a submodule, with the repository.
func ownGitDir(dir string) (git, once string, linked bool) {
	git = filepath.Join(dir, ".git")
	switch info, err := os.Lstat(git); {
	case err != nil:
		git = dir // a bare repository, whose settings are those of its worktrees
	case info.Mode().IsRegular():
		if git, err = readFolderName(git, "gitdir: "); err != nil {
			return "", "", true
		}
		if once = filepath.Join(git, "commondir"); birthTime(once) != 0 {
			return git, once, true
		}
	}
	return git, filepath.Join(git, "description"), false
}

// birthTime returns the time of a file that is written once, in nanoseconds; 0 if there is no such file. It is needed because
// the system uses inodes again.
func birthTime(file string) int64 {
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		return info.ModTime().UnixNano()
	}
	return 0
}

// sameBirth reports whether the git folders of two places were made at the same moment: they are the same folder, or one
// is a copy of the other.
func sameBirth(a, b string) bool {
	_, a, _ = strings.Cut(a, "-")
	_, b, _ = strings.Cut(b, "-")
	return a != "" && a == b
}
