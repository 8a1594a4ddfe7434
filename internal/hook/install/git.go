package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// GitHooks gives the hooks of git at which a gate makes sense, the default first.
func GitHooks() []string { return []string{"pre-push", "pre-commit", "commit-msg"} }

// keptSuffix is what the name of a hook that was there before has beside ours.
const keptSuffix = ".before-onward"

// git makes a hook of git that runs `onward todo assert`.
// A hook that is there already is kept beside it under another name, and runs first.
func git(o Options) (*plan, error) {
	if o.Hook == "" {
		o.Hook = GitHooks()[0]
	}
	if !slices.Contains(GitHooks(), o.Hook) {
		return nil, unfit("--hook must be one of %s, not %q", strings.Join(GitHooks(), ", "), o.Hook)
	}
	dir, within, err := hooksFolder(o)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, o.Hook)
	f := owned(path, within, 0o755, commandMark, gitScript(o), func(data []byte) string {
		list, ok := words(between(data, "onward=", "\n"))
		if !ok || len(list) != 1 {
			return ""
		}
		return list[0]
	})
	f.put = func([]byte) ([]byte, error) { return []byte(gitScript(o)), nil }
	f.beside = path + keptSuffix
	return &plan{
		title: "git",
		files: []file{f},
		notes: []string{"`" + o.gitCommand() + "` is refused while something is open; --no-verify bypasses the hook"},
	}, nil
}

// gitScript is the hook. git runs hooks with a shell of its own on Windows as well.
func gitScript(o Options) string {
	return `#!/bin/sh
# This hook was written by onward: it refuses while something on the todo list is open.
# Remove it with: onward hooks uninstall git --hook ` + o.Hook + `
onward=` + quote(filepath.ToSlash(o.Program), false) + `
before=$0` + keptSuffix + `
if [ -x "$before" ]; then
	"$before" "$@" || exit
fi
if [ ! -x "$onward" ]; then
	echo "onward: $onward is gone; install the hook again, or bypass it with ` + o.gitCommand() + ` --no-verify" >&2
	exit 1
fi
"$onward" todo assert
code=$?
if [ $code -eq 1 ]; then
	echo "onward: ` + o.gitCommand() + ` was refused, because the items above are open" >&2
	echo "hint: finish them with 'onward todo done N', or bypass this hook with '` + o.gitCommand() + ` --no-verify'" >&2
elif [ $code -ne 0 ]; then
	echo "hint: bypass this hook with '` + o.gitCommand() + ` --no-verify'" >&2
fi
exit $code
`
}

// gitCommand is what a hook of git refuses.
func (o Options) gitCommand() string {
	if o.Hook == "pre-push" {
		return "git push"
	}
	return "git commit"
}

// hooksFolder finds where git looks for the hooks of a project, and the folder that this must not lead out of;
// only the user's own configuration may name any folder. Git is not started: its files are read.
func hooksFolder(o Options) (dir, within string, err error) {
	gitDir, err := gitFolder(filepath.Join(o.Project, ".git"))
	if err != nil {
		return "", "", err
	}
	// A worktree has its own folder, and shares hooks and configuration with the others.
	common := gitDir
	if data, err := readFile(filepath.Join(gitDir, "commondir")); err == nil && data != nil {
		common = from(gitDir, strings.TrimSpace(string(data)))
	}
	users := []string{filepath.Join(o.Config, "git", "config"), filepath.Join(o.Home, ".gitconfig")}
	if own := o.Env("GIT_CONFIG_GLOBAL"); own != "" {
		users = []string{own}
	}
	perTree, ofUser := false, false
	path := ""
	for i, name := range append(users, filepath.Join(common, "config")) {
		values := gitConfig(name)
		if v, ok := values["core.hookspath"]; ok {
			path, ofUser = v, i < len(users)
		}
		if v, ok := values["extensions.worktreeconfig"]; ok {
			perTree = v == "true" || v == "" || v == "1" || v == "yes" || v == "on"
		}
	}
	if perTree {
		if v, ok := gitConfig(filepath.Join(gitDir, "config.worktree"))["core.hookspath"]; ok {
			path, ofUser = v, false
		}
	}
	switch {
	case path == "":
		return filepath.Join(common, "hooks"), common, nil
	case path == "~" || strings.HasPrefix(path, "~/"):
		dir = filepath.Join(o.Home, path[1:])
	default:
		dir = from(o.Project, path)
	}
	switch {
	case ofUser:
		within = ""
	case dir == common || strings.HasPrefix(dir, common+string(filepath.Separator)):
		within = common
	default:
		within = o.Project
	}
	return dir, within, nil
}

// gitFolder follows a .git that is a file, as in worktrees and submodules.
func gitFolder(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrNoRepository, filepath.Dir(path))
	}
	if info.IsDir() {
		return path, nil
	}
	data, err := readFile(path)
	if err != nil {
		return "", err
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir:")
	if !ok {
		return "", fmt.Errorf("%w: %s: it does not say where the repository is", ErrParse, path)
	}
	return from(filepath.Dir(path), strings.TrimSpace(to)), nil
}

// from gives a path that may be relative to a folder.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// gitConfig reads the plain `key = value` lines of a configuration file of git, by section and key in lower case.
// What it includes is not read; a file that is not there says nothing.
func gitConfig(path string) map[string]string {
	data, err := readFile(path)
	if err != nil {
		return nil
	}
	values := map[string]string{}
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			name, _, _ := strings.Cut(line[1:], "]")
			section = strings.ToLower(strings.TrimSpace(name))
			continue
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		values[section+"."+strings.ToLower(strings.TrimSpace(key))] = gitValue(strings.TrimSpace(value))
	}
	return values
}

// gitValue takes quotes, escapes and a comment off a value.
func gitValue(s string) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(s):
			i++
			out.WriteByte(s[i])
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(out.String())
		default:
			out.WriteByte(c)
		}
	}
	return strings.TrimSpace(out.String())
}

// setAside gives a hook that is not ours the name beside, where our own runs it.
func setAside(path, beside string) error {
	if _, err := os.Lstat(beside); err == nil {
		return unfit("%s is there already", beside)
	}
	if err := os.Rename(path, beside); err != nil {
		return systemError(err)
	}
	return nil
}

// putBack gives a hook that was set aside its name again, over ours.
func putBack(path, beside string) error {
	if err := os.Rename(beside, path); err != nil {
		return systemError(err)
	}
	return nil
}
