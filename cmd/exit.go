package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/cli"
	"onward/internal/render"
	"onward/internal/store"
	"onward/internal/suggest"
	"onward/internal/todo"
)

// exitCodes is the table of exit codes, which is also in docs/exit-codes.md and
// in the help; a test compares the three.
func exitCodes() []cli.Exit {
	return []cli.Exit{
		{Code: cli.ExitOK, Name: "ok", Meaning: "done; check-continue: continue, the prompt is on stdout"},
		{Code: cli.ExitNo, Name: "no", Meaning: "the answer is no; todo assert: an item is open or the gate fails; todo done: the gate of an item does not pass; pause: no item is open; message pop: no message is queued; doctor, tools check: something is wrong; proof replay: the proof does not hold; a question: you answered no"},
		{Code: cli.ExitDone, Name: "done", Meaning: "check-continue: there was work, none of it is open, and the gate, if one is set, passes"},
		{Code: cli.ExitNeedsHuman, Name: "needs_human", Meaning: "check-continue: you are needed, because the agent paused or asks a question, a call awaits approval, the agent lacks permissions, your message is waiting, all open items are blocked, the agent's list lost open items, the list was removed from the store, or the gate has no result"},
		{Code: cli.ExitLimit, Name: "limit", Meaning: "check-continue: the limit of attempts, stagnation, total, budget or gate failures is reached"},
		{Code: cli.ExitWait, Name: "wait", Meaning: "check-continue: not now; ask again after retry_after_ms"},
		{Code: cli.ExitNotApplicable, Name: "not_applicable", Meaning: "check-continue: no list, disabled, stopped, aborted, not the owner, stale, or an agent that must not continue"},
		{Code: cli.ExitHostError, Name: "host_error", Meaning: "check-continue: the agent's provider failed: authentication, billing, a refused request, full context, repeated failures; run: also a program that does not accept its flags"},
		{Code: cli.ExitAwaitingApproval, Name: "awaiting_approval", Meaning: "schedule: a call awaits approval"},
		{Code: cli.ExitCallsFailed, Name: "calls_failed", Meaning: "schedule: a call ended in error or was cancelled"},
		{Code: cli.ExitUsage, Name: "usage", Meaning: "bad flags or arguments"},
		{Code: cli.ExitData, Name: "data", Meaning: "a file or standard input is corrupt, not onward's, or too large"},
		{Code: cli.ExitNotFound, Name: "not_found", Meaning: "the item, call, tool, file, or session was not found"},
		{Code: cli.ExitUnavailable, Name: "unavailable", Meaning: "the store cannot be reached, or has no majority; state unchanged, try again"},
		{Code: cli.ExitNewer, Name: "newer_schema", Meaning: "the file was written by a newer onward, and this version must not write it"},
		{Code: cli.ExitInternal, Name: "internal", Meaning: "a bug in onward"},
		{Code: cli.ExitLockUnsupported, Name: "lock_unsupported", Meaning: "the file system cannot lock; state unchanged"},
		{Code: cli.ExitSetupFailed, Name: "setup_failed", Meaning: "proof replay: the command of --setup failed"},
		{Code: cli.ExitIO, Name: "io", Meaning: "a read or write failed; state unchanged"},
		{Code: cli.ExitBusy, Name: "busy", Meaning: "another writer held the lock too long, or got there first; state unchanged, try again"},
		{Code: cli.ExitUnknown, Name: "unknown", Meaning: "the store's answer was lost, so it is unknown whether the change was made; trying again with the same --op is safe"},
		{Code: cli.ExitPermission, Name: "permission", Meaning: "not allowed, or the file belongs to another user"},
		{Code: cli.ExitConfig, Name: "config", Meaning: "the configuration file or a setting is wrong"},
		{Code: cli.ExitNotDurable, Name: "not_durable", Meaning: "the new state is in place, but a folder could not be synced, a deletion is not complete, or the answer could not be printed"},
		{Code: cli.ExitInterrupted, Name: "interrupted", Meaning: "interrupted; the change was made completely or not at all"},
		{Code: cli.ExitTerminated, Name: "terminated", Meaning: "run: ended by SIGTERM or SIGHUP; run the same command to pick up where it left off"},
	}
}

// fileError gives an exit code to a system error about a file that the user named. An error with a code keeps it.
func fileError(verb, path string, err error) error {
	if err == nil || errors.As(err, new(*cli.Error)) {
		return err
	}
	cause := err
	var of *fs.PathError
	var link *os.LinkError
	if errors.As(err, &of) {
		cause = of.Err
	} else if errors.As(err, &link) {
		cause = link.Err
	}
	switch {
	case errors.Is(err, store.ErrNotDurable):
		return fmt.Errorf("%s %q: %w", verb, path, err)
	case errors.Is(err, fs.ErrNotExist) && verb == "write":
		folder := filepath.Dir(path)
		return cli.WithHint(cli.Failf(cli.ExitNotFound, "%s %q: no such folder", verb, path), "`mkdir -p "+shellquote.Join(folder)+"` makes it")
	case errors.Is(err, fs.ErrNotExist):
		absent := &todo.UnknownWordError{Text: fmt.Sprintf("%s %q: no such file", verb, path), Word: path, Known: filesLike(path)}
		return cli.Failf(cli.ExitNotFound, "%w", absent)
	case errors.Is(err, fs.ErrPermission):
		return cli.Failf(cli.ExitPermission, "%s %q: %v", verb, path, cause)
	}
	return cli.Failf(cli.ExitIO, "%s %q: %v", verb, path, cause)
}

// filesLike returns the files, in the folder of one that is not there, that may have been meant: those with a similar name, then those
// that end like it.
func filesLike(path string) []string {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(1000) // those that can be read
	slices.Sort(names)
	like := suggest.Names(filepath.Base(path), names)
	for _, name := range names {
		if end := filepath.Ext(path); end != "" && filepath.Ext(name) == end && !slices.Contains(like, name) {
			like = append(like, name)
		}
	}
	return render.Map(like, func(_ int, name *string) string {
		return strings.TrimSuffix(path, filepath.Base(path)) + *name
	})
}
