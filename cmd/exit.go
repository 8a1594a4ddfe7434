package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/store"
	"onward/internal/suggest"
)

// The exit codes. 1 and 2 never mean anything to a loop:
// Go exits with 2 on a panic, and several agents read 2 from a hook as "continue".
const (
	exitOK               = 0
	exitNo               = 1
	exitDone             = 10
	exitNeedsHuman       = 11
	exitLimit            = 12
	exitWait             = 13
	exitNotApplicable    = 14
	exitHostError        = 15
	exitAwaitingApproval = 20
	exitCallsFailed      = 21
	exitUsage            = 64
	exitData             = 65
	exitNotFound         = 66
	exitUnavailable      = 68
	exitNewer            = 69
	exitInternal         = 70
	exitLockUnsupported  = 71
	exitIO               = 74
	exitBusy             = 75
	exitUnknown          = 76
	exitPermission       = 77
	exitConfig           = 78
	exitNotDurable       = 79
	exitInterrupted      = 130
	exitTerminated       = 143
)

// exitCodes is the table of exit codes, which is also in docs/exit-codes.md and
// in the help; a test compares the three.
func exitCodes() []cli.Exit {
	return []cli.Exit{
		{Code: exitOK, Name: "ok", Meaning: "done; check-continue: continue, the prompt is on stdout"},
		{Code: exitNo, Name: "no", Meaning: "the answer is no: an item is open or the gate fails (todo assert), the gate of an item does not pass (todo done), no item is open (pause), a tool would not work (tools check)"},
		{Code: exitDone, Name: "done", Meaning: "check-continue: there was something to do, nothing of it is open, and the gate, if one is set, passes"},
		{Code: exitNeedsHuman, Name: "needs_human", Meaning: "check-continue: paused, a question is open, a call awaits approval, the agent lacks permissions, a message of the user waits, all open items are blocked, the agent's list lost open items, or the gate has no result"},
		{Code: exitLimit, Name: "limit", Meaning: "check-continue: the limit of attempts, stagnation, total, budget or gate failures is reached"},
		{Code: exitWait, Name: "wait", Meaning: "check-continue: not now; ask again after retry_after_ms"},
		{Code: exitNotApplicable, Name: "not_applicable", Meaning: "check-continue: no list, disabled, stopped, aborted, not the owner, stale, or an agent that must not continue"},
		{Code: exitHostError, Name: "host_error", Meaning: "check-continue: the agent's host failed: authentication, billing, a refused request, full context, repeated failures; run: also a program that does not accept its flags"},
		{Code: exitAwaitingApproval, Name: "awaiting_approval", Meaning: "schedule: a call awaits approval"},
		{Code: exitCallsFailed, Name: "calls_failed", Meaning: "schedule: a call ended in error or was cancelled"},
		{Code: exitUsage, Name: "usage", Meaning: "bad flags or arguments"},
		{Code: exitData, Name: "data", Meaning: "a file or standard input is corrupt, not onward's, or too large"},
		{Code: exitNotFound, Name: "not_found", Meaning: "the item, call, tool, file, or session was not found"},
		{Code: exitUnavailable, Name: "unavailable", Meaning: "the store cannot be reached, or has no majority; state unchanged, try again"},
		{Code: exitNewer, Name: "newer_schema", Meaning: "the file was written by a newer onward, and this version must not write it"},
		{Code: exitInternal, Name: "internal", Meaning: "a bug in onward"},
		{Code: exitLockUnsupported, Name: "lock_unsupported", Meaning: "the file system cannot lock; state unchanged"},
		{Code: exitIO, Name: "io", Meaning: "a read or write failed; state unchanged"},
		{Code: exitBusy, Name: "busy", Meaning: "another writer held the lock too long, or got there first; state unchanged, try again"},
		{Code: exitUnknown, Name: "unknown", Meaning: "the store's answer was lost, so it is unknown whether the change was made; trying again with the same --op is safe"},
		{Code: exitPermission, Name: "permission", Meaning: "not allowed, or the file belongs to another user"},
		{Code: exitConfig, Name: "config", Meaning: "the configuration file or a setting is wrong"},
		{Code: exitNotDurable, Name: "not_durable", Meaning: "the new state is in place, but a folder could not be synced, a deletion is not complete, or the answer could not be printed"},
		{Code: exitInterrupted, Name: "interrupted", Meaning: "interrupted; the change was made completely or not at all"},
		{Code: exitTerminated, Name: "terminated", Meaning: "run: ended by SIGTERM or SIGHUP; the same command takes the run up"},
	}
}

// outcomeCode returns the exit code of a decision.
func outcomeCode(o continuation.Outcome) int {
	return [...]int{
		continuation.Continue:      exitOK,
		continuation.Finished:      exitDone,
		continuation.NeedsHuman:    exitNeedsHuman,
		continuation.Limit:         exitLimit,
		continuation.Wait:          exitWait,
		continuation.NotApplicable: exitNotApplicable,
		continuation.HostError:     exitHostError,
	}[o]
}

// duration reads the duration of a flag or of its variable; both may be missing.
func duration(flag string, text *string, otherwise time.Duration) (time.Duration, error) {
	if text == nil {
		return otherwise, nil
	}
	d, err := continuation.ParseDuration(*text)
	if err != nil {
		return 0, cli.Usagef("%s: %q is not a duration such as 90s, 5m, 1h30m or a number of seconds", flag, *text)
	}
	return d, nil
}

// fileError gives an exit code to a system error about a file that the user named. An error with a code keeps it.
func fileError(verb, path string, err error) error {
	if err == nil || errors.As(err, new(*cli.Error)) {
		return err
	}
	cause, missing := err, "no such file"
	if verb == "write" {
		missing = "no such folder"
	}
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
	case errors.Is(err, fs.ErrNotExist):
		return cli.Failf(exitNotFound, "%s %q: %s", verb, path, missing)
	case errors.Is(err, fs.ErrPermission):
		return cli.Failf(exitPermission, "%s %q: %v", verb, path, cause)
	}
	return cli.Failf(exitIO, "%s %q: %v", verb, path, cause)
}

// withSuggestions adds a hint to an error about an unknown name: the known names that are similar, else the command that
// lists them.
func withSuggestions(err error, word string, known []string, otherwise string) error {
	if names := suggest.Names(word, known); len(names) > 0 {
		otherwise = "did you mean " + strings.Join(names, " or ") + "?"
	}
	return cli.Hinted(err, otherwise)
}

// outputError is the error about standard output that could not be written; nil if err is nil. If a change was committed
// before, its code must not mean that nothing changed, because a retry would make the change twice.
func outputError(err error, committed bool) error {
	switch {
	case err == nil:
		return nil
	case committed:
		err := cli.Failf(exitNotDurable, "write standard output: %w", err)
		return cli.Hinted(err, "the change was made; only its answer could not be printed")
	}
	return cli.Failf(exitIO, "write standard output: %w", err)
}
