package cmd

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

// identify adds to a project what names it where machines share the store, or returns why it has no such name.
func (s storage) identify(project *session.Project) (why string) {
	if s.shared() {
		project.Origin, why = originOf(project.Dir)
	}
	return why
}

// originOf returns the repository that a project was cloned from, or why it does not name the project.
// Git is never started.
func originOf(dir string) (origin, why string) {
	if ci := os.Getenv("CI"); ci != "" && ci != "false" && ci != "0" {
		return "", "CI is set, and runs of one repository share no list"
	}
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", dir + " is no git repository"
	case err == nil && !info.IsDir():
		if git, err = gitDir(git); err == nil {
			if _, err := os.Lstat(filepath.Join(git, "commondir")); err == nil {
				return "", dir + " is a linked worktree"
			}
		}
	}
	var config []byte
	if err == nil {
		config, err = durable.ReadForeign(filepath.Join(git, "config"), maxConfig)
	}
	if err != nil {
		return "", fmt.Sprintf("the origin of %s is not known: %v", dir, err)
	}
	if origin = session.Origin(string(config)); origin == "" {
		return "", "git has no origin on another machine for " + dir
	}
	return origin, ""
}

// gitDir reads the file that replaces the folder of git, as in a submodule.
func gitDir(file string) (string, error) {
	data, err := durable.ReadForeign(file, maxConfig)
	if err != nil {
		return "", err
	}
	path, ok := strings.CutPrefix(string(data), "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%s names no folder", file)
	}
	path = filepath.FromSlash(strings.TrimRight(path, "\r\n"))
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	return path, nil
}

// unnamed reports why a project has no list of its own on a store that machines share, and how to name one.
func unnamed(err error, why string) error {
	if !errors.Is(err, session.ErrUnnamed) {
		return err
	}
	return cli.Hinted(fmt.Errorf("%w: %s", err, why), "name the session: ONWARD_SESSION=ID or --session ID, or on this machine `onward session use ID`")
}
