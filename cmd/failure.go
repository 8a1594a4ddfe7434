package cmd

import (
	"errors"
	"strings"

	"onward/internal/calls/execute"
	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/companion"
	continuation "onward/internal/continue"
	"onward/internal/install"
	"onward/internal/session"
	"onward/internal/slash"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/internal/transfer"
)

// failures is the table of errors: how each kind ends a command, here and nowhere else.
func failures() *cli.Failures {
	return &cli.Failures{
		Exits:     exitCodes(),
		Otherwise: exitInternal,
		Kinds: []cli.Failure{
			// Changes that are already made come first, whatever the cause of the error is.
			{Kind: transfer.ErrHalfway, Code: exitNotDurable, Hint: "run the command again: it completes the move"},
			{Kind: store.ErrHalfDeleted, Code: exitNotDurable, Hint: "run the command again: it completes the deletion"},
			{Kind: store.ErrNotDurable, Code: exitNotDurable, Hint: "the change was made; a crash of the machine in the next seconds may undo it"},
			{Kind: execute.ErrUnrecorded, Code: exitNotDurable, Hint: "`onward schedule list` shows what is recorded, and what ran is not repeated; where the store is in files, check the disk"},
			// These errors are also of the kinds below, which have the exit code.
			{Kind: tool.ErrTrust, Hint: "delete the file, and trust each project's tools again with `onward tools trust`"},
			{Kind: session.ErrChoice, Hint: "`onward session use` chooses a session again; with `--derived`, the project's own"},
			{Kind: store.ErrForgotten, Hint: "`onward repair --yes` forgets them all, so that a retry of an earlier one is applied again"},
			{Kind: store.ErrGone, Hint: "`onward repair` shows what can be restored"},
			{Kind: store.ErrChecksum, Hint: "the file was left as it is; `onward repair` shows what can be restored, and `onward repair --accept` accepts an edit by hand"},
			{Kind: store.ErrCertificate, Hint: "ONWARD_ETCD_CACERT names the certificate that signed the server's, ONWARD_ETCD_CERT and ONWARD_ETCD_KEY your own; `onward help environment` explains them"},
			{Kind: store.ErrRequest, Hint: "shorten the list, or let the servers take more: --max-request-bytes"},
			{Kind: todo.ErrEmpty, Hint: "`onward todo add TEXT` starts a list"},
			{Kind: todo.ErrPosition, Hint: "`onward todo show` shows the list with its positions"},
			{Kind: continuation.ErrNothingOpen, Code: exitNo},
			{Kind: continuation.ErrSetting, Code: exitConfig},
			{Kind: todo.ErrSyntax, Code: exitUsage},
			{Kind: store.ErrID, Code: exitUsage},
			{Kind: slash.ErrSyntax, Code: exitUsage},
			{Kind: slash.ErrDeclaration, Code: exitConfig, Hint: "correct that file"},
			{Kind: todo.ErrNotFound, Code: exitNotFound, Hint: "`onward todo show` shows the list with its positions"},
			{Kind: session.ErrNoSession, Code: exitNotFound, Hint: "`onward todo list` shows what is saved"},
			{Kind: session.ErrUnnamed, Code: exitConfig},
			{Kind: session.ErrNoChange, Code: exitNotFound, Hint: "`onward todo history` shows the changes"},
			{Kind: todo.ErrHeld, Code: exitBusy, Hint: "`onward todo next` shows what is ready for you; --take takes the item over"},
			{Kind: todo.ErrForbidden, Code: exitPermission},
			{Kind: todo.ErrChanged, Code: exitBusy, Hint: "`onward todo show` shows the list as it is now; run the command again"},
			{Kind: todo.ErrLimit, Code: exitData},
			{Kind: todo.ErrText, Code: exitData},
			{Kind: todo.ErrData, Code: exitData},
			{Kind: schedule.ErrState, Code: exitBusy, Hint: "`onward schedule list` shows the calls as they are now"},
			{Kind: schedule.ErrNotFound, Code: exitNotFound, Hint: "`onward schedule list` shows the calls"},
			{Kind: schedule.ErrRequest, Code: exitData},
			{Kind: schedule.ErrFull, Code: exitData},
			{Kind: policy.ErrRule, Code: exitConfig},
			{Kind: policy.ErrNotFound, Code: exitNotFound, Hint: "`onward schedule policy list` shows the rules"},
			{Kind: tool.ErrDeclaration, Code: exitConfig, Hint: "correct that file"},
			{Kind: tool.ErrUndeclared, Code: exitNotFound, Hint: "the project declares its tools there; `onward help files` names the file for all projects"},
			{Kind: tool.ErrUntrusted, Code: exitPermission},
			{Kind: companion.ErrFailed, Code: exitIO, Hint: companionHint},
			{Kind: companion.ErrVersion, Code: exitConfig, Hint: companionHint},
			{Kind: companion.ErrAbsent, Code: exitConfig, Hint: companionHint},
			{Kind: continuation.ErrData, Code: exitData},
			{Kind: store.ErrNewer, Code: exitNewer, Hint: "update onward"},
			{Kind: install.ErrReceipt, Hint: "remove the receipt; `onward hooks uninstall AGENT` in its project then removes onward's entries one by one"},
			{Kind: store.ErrCorrupt, Code: exitData, Hint: "the file was left as it is; `onward repair` shows what can be restored"},
			{Kind: store.ErrForeign, Code: exitData, Hint: "the file was left as it is; move it away, or choose another session with --session"},
			{Kind: store.ErrLimit, Code: exitData},
			{Kind: store.ErrLockUnsupported, Code: exitLockUnsupported, Hint: "put the store on a local disk with --store or ONWARD_STORE"},
			{Kind: store.ErrDeleting, Code: exitBusy, Hint: "try again; if no process deletes it, `onward session delete --yes SESSION` says what is wrong"},
			{Kind: store.ErrBusy, Code: exitBusy, Hint: "try again, or wait longer with --lock-timeout"},
			{Kind: transfer.ErrMovedOn, Code: exitBusy, Hint: "compare both; --replace overwrites the target"},
			{Kind: store.ErrArriving, Code: exitBusy, Hint: "`onward store copy --move FROM TO SESSION` completes the move"},
			{Kind: store.ErrMoved, Code: exitBusy, Hint: "use that store: --store or ONWARD_STORE"},
			{Kind: store.ErrUnavailable, Code: exitUnavailable, Hint: "try again, or wait longer with --lock-timeout"},
			{Kind: store.ErrInterrupted, Code: exitInterrupted},
			{Kind: store.ErrUnknown, Code: exitUnknown, Hint: "check whether the change was made; a command with --op can be run again safely"},
			{Kind: store.ErrSettings, Code: exitConfig, Hint: "`onward help environment` lists the settings of a store"},
			{Kind: store.ErrPermission, Code: exitPermission, Hint: "choose a store that you may write with --store or ONWARD_STORE"},
			{Kind: store.ErrIO, Code: exitIO, Hint: "check the disk, or choose another store with --store or ONWARD_STORE"},
			{Kind: install.ErrParse, Code: exitData},
			{Kind: install.ErrUnfit, Code: exitUsage},
			{Kind: install.ErrStray, Code: exitNotFound, Hint: "the file was left as it is; delete what onward wrote there"},
			{Kind: install.ErrNoRepository, Code: exitNotFound},
			{Kind: install.ErrProgram, Code: exitNotFound},
			{Kind: install.ErrMoved, Code: exitBusy},
			{Kind: cli.ErrBug, Code: exitInternal, Hint: "this is a bug in onward, please report it; the state on disk is whole"},
		},
	}
}

// codeOf maps an error to its exit code.
func codeOf(err error) int { return failures().Code(err) }

// fail reports an error, if there is one, and returns the exit code.
func (a *app) fail(err error) int {
	var result cli.ExitCode
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &result):
		return int(result)
	}
	table := failures()
	code := table.Report(a.err, a.styleOf(a.err).Width, "onward", err, hintOf(table, err), a.JSON)
	if bug := (*cli.Bug)(nil); errors.As(err, &bug) && !a.JSON {
		a.err.Write(bug.Stack)
	}
	return code
}

// hintOf returns what the user can do about an error, with the name of the session that is to be repaired.
func hintOf(table *cli.Failures, err error) string {
	hint := table.Hint(err)
	if held := (*session.InRunError)(nil); errors.As(err, &held) {
		return "`onward watch --session " + held.Name.Session + "` shows the run, and Ctrl-C in its own terminal ends it; then delete the session"
	}
	if of := (*store.ReadError)(nil); errors.As(err, &of) && of.What != session.SettingsKey("").Kind.Name {
		hint = strings.ReplaceAll(hint, "onward repair", "onward repair "+of.Name)
	}
	return hint
}
