package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/supervise"
)

// settings are what no repository's own configuration may change: nothing of it is run, and what git keeps for speed is
// not used, because it would be written; nor is a change hidden from it.
var settings = []string{
	"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", "-c", "core.splitIndex=false",
	"-c", "core.ignoreStat=false", "-c", "core.trustctime=true", "-c", "core.checkStat=default",
	"-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
}

// environment returns the variables of git: those of the caller without git's own, which may speak of another repository. An object is
// what its id says: with `git replace`, a tree could be shown as another one.
func environment() []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			out = append(out, v)
		}
	}
	return append(out, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C")
}

// Git returns what a command of git prints in a folder. It runs nothing that the repository's own configuration names, and the
// caller's variables do not lead it to another repository.
func Git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return output(command(ctx, dir, environment(), args))
}

func command(ctx context.Context, dir string, env, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(settings[:len(settings):len(settings)], args...)...)
	cmd.Dir, cmd.Env = dir, env
	return cmd
}

// output runs a command of git, and returns what it prints.
func output(cmd *exec.Cmd) ([]byte, error) {
	defer supervise.Mark(cmd, supervise.InGateVariable)()
	return cmd.Output()
}

// git runs a command of git in the checkout, and returns what it prints.
func (c *checkout) git(args ...string) ([]byte, error) { return c.gitInput("", args...) }

// gitInput runs a command of git that reads a text.
func (c *checkout) gitInput(text string, args ...string) ([]byte, error) {
	cmd := command(c.ctx, c.top, c.env, args)
	if text != "" {
		cmd.Stdin = strings.NewReader(text)
	}
	cmd.WaitDelay = 5 * time.Second // on a busy machine, what git printed may be read long after its end
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := output(cmd)
	var failed *exec.ExitError
	switch {
	case err == nil:
		if _, folder, unread := strings.Cut(said.String(), "warning: could not open directory "); unread { // git goes on without what is in it
			folder, _, _ = strings.Cut(folder, "\n")
			return nil, none("git cannot read the folder %s", folder)
		}
		return out, nil
	case c.ctx.Err() != nil:
		return nil, none("git did not read the files in time")
	case errors.As(err, &failed):
		for len(args) > 2 && args[0] == "-c" { // a setting of this command
			args = args[2:]
		}
		if why := reason(said.String()); !strings.HasPrefix(why, "bad object ") {
			return nil, none("git %s: %s", args[0], why)
		}
		return nil, none("an earlier state of the files is not known here any more")
	}
	return nil, none("git cannot be run: %v", err)
}

// DiffersFromCommit says what a commit that is being made lacks of the files of a checkout; empty if it lacks nothing, or if this program was
// not started by a hook of git for a commit: only such a hook is told which index is committed.
func DiffersFromCommit(ctx context.Context, dir string) string {
	index, err := filepath.Abs(os.Getenv("GIT_INDEX_FILE"))
	if os.Getenv("GIT_INDEX_FILE") == "" || err != nil {
		return ""
	}
	c := &checkout{ctx: ctx, top: dir, env: append(environment(), "GIT_INDEX_FILE="+index)}
	if changed, err := c.git("diff", "--name-only"); err == nil && len(changed) > 0 {
		return "what is committed"
	}
	if others, err := c.git("ls-files", "--others", "--exclude-standard", "--directory"); err == nil && len(others) > 0 {
		return "what git has: some are untracked"
	}
	return ""
}

// BlobID returns the id that git gives to a file with this text; empty if git cannot be run.
func BlobID(ctx context.Context, text string) string {
	out, _ := (&checkout{ctx: ctx, env: environment()}).gitInput(text, "hash-object", "--stdin")
	return strings.TrimSpace(string(out))
}

// reason returns the line of git's messages that says what is wrong: the last error that is not only "adding files failed".
func reason(said string) string {
	last := "it failed"
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		text, isError := strings.CutPrefix(line, "error: ")
		if !isError {
			text, isError = strings.CutPrefix(line, "fatal: ")
		}
		if isError && text != "adding files failed" && text != "updating files failed" {
			last = text
		}
	}
	return last
}

// config returns git's settings, each with its scope. Without them there is no tree, because a filter could run.
func (c *checkout) config() ([]byte, error) { return c.git("config", "--list", "--show-scope", "-z") }

// leaveOutFilters switches off the filters that only the repository's own configuration defines: a repository that
// somebody else wrote must not run programs. Those of the user's configuration, such as Git LFS, run as they do in git.
func (c *checkout) leaveOutFilters(config []byte) {
	own, users := map[string]bool{}, map[string]string{}
	words := strings.Split(string(config), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		key, value, _ := strings.Cut(words[i+1], "\n")
		if !isFilter(key) {
			continue
		}
		if scope := words[i]; scope == "local" || scope == "worktree" {
			own[key] = true
		} else {
			users[key] = value
		}
	}
	for key := range own {
		// What comes with the environment has precedence over every file. An empty command is not run.
		c.setting(key, users[key])
		name := key[:strings.LastIndexByte(key, '.')]
		if _, mine := users[key]; mine || strings.HasSuffix(key, ".required") {
			continue
		}
		c.setting(name+".required", "false")
		c.filters = append(c.filters, strings.TrimPrefix(name, "filter."))
	}
}

// isFilter reports whether a key of git's configuration makes it run a program for files that are added or checked out.
func isFilter(key string) bool {
	what := key[strings.LastIndexByte(key, '.')+1:]
	return strings.HasPrefix(key, "filter.") && (what == "clean" || what == "smudge" || what == "process" || what == "required")
}

// setting sets a value of git's configuration for all further commands.
func (c *checkout) setting(key, value string) {
	n := c.settings
	c.settings++
	c.env = append(c.env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+1), fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
}

// filtersWouldApply reports whether a filter that was left out concerns a file of the checkout.
func (c *checkout) filtersWouldApply() (bool, error) {
	for _, name := range c.filters {
		out, err := c.git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ":(top,attr:filter="+name+")")
		if err != nil || len(out) > 0 {
			return len(out) > 0, err
		}
	}
	return false, nil
}

// quoted returns a path for a variable that has several, separated by colons.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}
