package cmd

import (
	"errors"
	"slices"
	"strings"

	"onward/internal/calls/execute"
	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/companion"
	continuation "onward/internal/continue"
	"onward/internal/install"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/slash"
	"onward/internal/store"
	"onward/internal/suggest"
	"onward/internal/todo"
	"onward/internal/transfer"
	"onward/internal/tree"
)

// failures is the table of errors: how each kind ends a command, here and nowhere else.
func failures() *cli.Failures {
	return &cli.Failures{
		Exits:     exitCodes(),
		Otherwise: cli.ExitInternal,
		Kinds: []cli.Failure{
			// Changes that are already made come first, regardless of the cause of the error.
			{Kind: transfer.ErrHalfway, Code: cli.ExitNotDurable, Hint: "run the command again: it completes the move"},
			{Kind: store.ErrHalfDeleted, Code: cli.ExitNotDurable, Hint: "run the command again: it completes the deletion"},
			{Kind: store.ErrNotDurable, Code: cli.ExitNotDurable, Hint: "the change was made; a crash of the machine in the next seconds may undo it"},
			{Kind: execute.ErrUnrecorded, Code: cli.ExitNotDurable, Hint: "`onward schedule list` shows what is recorded, and what ran is not repeated; where the store is in files, check the disk"},
			// These errors are also of the kinds below, which have the exit code.
			{Kind: tool.ErrTrust, Hint: "delete the file, and trust each project's tools again with `onward tools trust`"},
			{Kind: session.ErrChoice, Hint: "`onward session use` chooses a session again; with `--derived`, the project's own"},
			{Kind: store.ErrOperationsUnknown, Hint: "`onward repair --yes` forgets them all, so that a retry of an earlier one is applied again"},
			{Kind: store.ErrGone, Hint: "`onward repair` shows what can be restored, and `onward repair --yes` restores it"},
			{Kind: store.ErrChecksum, Hint: "the file was left as it is; `onward repair` shows what can be restored, and `onward repair --accept` accepts an edit by hand"},
			{Kind: store.ErrCertificate, Hint: "ONWARD_ETCD_CACERT names the certificate that signed the server's, ONWARD_ETCD_CERT and ONWARD_ETCD_KEY your own; `onward help environment` explains them"},
			{Kind: store.ErrRequestTooLarge, Hint: "shorten the list, or let the servers take more: --max-request-bytes"},
			{Kind: todo.ErrEmpty, Hint: "`onward todo add TEXT` starts a list"},
			{Kind: todo.ErrNoRevision, Hint: "for example `onward todo edit 1 'fix the lexer'`, or `onward todo edit 1 --priority high`"},
			{Kind: todo.ErrPosition, Hint: "`onward todo show` shows the list with its positions"},
			{Kind: continuation.ErrNothingOpen, Code: cli.ExitNo},
			{Kind: continuation.ErrStoppedElsewhere, Code: cli.ExitPermission},
			{Kind: continuation.ErrSetting, Code: cli.ExitConfig},
			{Kind: todo.ErrSyntax, Code: cli.ExitUsage},
			{Kind: store.ErrInvalidName, Code: cli.ExitUsage},
			{Kind: slash.ErrSyntax, Code: cli.ExitUsage},
			{Kind: slash.ErrDeclaration, Code: cli.ExitConfig, Hint: "correct that file"},
			{Kind: todo.ErrNotFound, Code: cli.ExitNotFound, Hint: "`onward todo show` shows the list with its positions"},
			{Kind: session.ErrNoSession, Code: cli.ExitNotFound, Hint: "`onward todo list` shows what is saved"},
			{Kind: session.ErrUnnamed, Code: cli.ExitConfig},
			{Kind: session.ErrNoChange, Code: cli.ExitNotFound, Hint: "`onward todo history` shows the changes"},
			{Kind: todo.ErrHeld, Code: cli.ExitBusy, Hint: "`onward todo next` shows what is ready for you; the user's --take takes the item over"},
			{Kind: todo.ErrForbidden, Code: cli.ExitPermission},
			{Kind: todo.ErrChanged, Code: cli.ExitBusy, Hint: "`onward todo show` shows the list as it is now; run the command again"},
			{Kind: todo.ErrLimit, Code: cli.ExitData},
			{Kind: tree.ErrNoCheckout, Code: cli.ExitNotFound},
			{Kind: tree.ErrNoCommit, Code: cli.ExitNotFound, Hint: "`git commit` makes one"},
			{Kind: tree.ErrNoBase, Code: cli.ExitUsage, Hint: "`git log` shows the commits; `git fetch --unshallow` brings those that a shallow clone lacks, as CI makes it"},
			{Kind: tree.ErrPathspec, Code: cli.ExitUsage, Hint: "for example --check-files 'fixtures, *.golden'"},
			{Kind: tree.ErrWorktree, Code: cli.ExitIO, Hint: "a replay needs space on the disk, and a .git and a cache folder that can be written"},
			{Kind: todo.ErrText, Code: cli.ExitData},
			{Kind: todo.ErrData, Code: cli.ExitData},
			{Kind: schedule.ErrState, Code: cli.ExitBusy, Hint: "`onward schedule list` shows the calls as they are now"},
			{Kind: schedule.ErrNotFound, Code: cli.ExitNotFound, Hint: "`onward schedule list` shows the calls"},
			{Kind: schedule.ErrRequest, Code: cli.ExitData},
			{Kind: schedule.ErrFull, Code: cli.ExitData},
			{Kind: policy.ErrRule, Code: cli.ExitConfig},
			{Kind: policy.ErrNotFound, Code: cli.ExitNotFound, Hint: "`onward schedule policy list` shows the rules"},
			{Kind: tool.ErrDeclaration, Code: cli.ExitConfig, Hint: "correct that file"},
			{Kind: tool.ErrNoToolsFile, Code: cli.ExitNotFound, Hint: "the project declares its tools there; `onward help files` names the file for all projects"},
			{Kind: tool.ErrUntrusted, Code: cli.ExitPermission},
			{Kind: companion.ErrFailed, Code: cli.ExitIO, Hint: companionHint},
			{Kind: companion.ErrVersion, Code: cli.ExitConfig, Hint: companionHint},
			{Kind: companion.ErrAbsent, Code: cli.ExitConfig, Hint: companionHint},
			{Kind: continuation.ErrData, Code: cli.ExitData},
			{Kind: store.ErrNewer, Code: cli.ExitNewer, Hint: "update onward"},
			{Kind: install.ErrReceipt, Hint: "remove the receipt; `onward hooks uninstall AGENT` in its project then removes onward's entries one by one"},
			{Kind: store.ErrCorrupt, Code: cli.ExitData, Hint: "the file was left as it is; `onward repair` shows what can be restored"},
			{Kind: store.ErrForeign, Code: cli.ExitData, Hint: "the file was left as it is; move it away, or choose another session with --session"},
			{Kind: store.ErrLimit, Code: cli.ExitData},
			{Kind: store.ErrLockUnsupported, Code: cli.ExitLockUnsupported, Hint: "put the store on a local disk with --store or ONWARD_STORE"},
			{Kind: store.ErrDeleting, Code: cli.ExitBusy, Hint: "try again; if no process deletes it, `onward session delete --yes SESSION` says what is wrong"},
			{Kind: store.ErrBusy, Code: cli.ExitBusy, Hint: "try again, or wait longer with --lock-timeout"},
			{Kind: transfer.ErrTargetChanged, Code: cli.ExitBusy, Hint: "compare both; --replace overwrites the target"},
			{Kind: store.ErrArriving, Code: cli.ExitBusy, Hint: "`onward store copy --move FROM TO SESSION` completes the move"},
			{Kind: store.ErrMoved, Code: cli.ExitBusy, Hint: "use that store: --store or ONWARD_STORE"},
			{Kind: store.ErrUnavailable, Code: cli.ExitUnavailable, Hint: "try again, or wait longer with --lock-timeout"},
			{Kind: store.ErrInterrupted, Code: cli.ExitInterrupted},
			{Kind: store.ErrUnknown, Code: cli.ExitUnknown, Hint: "check whether the change was made; a command with --op can be run again safely"},
			{Kind: store.ErrSettings, Code: cli.ExitConfig, Hint: "`onward help environment` lists the settings of a store"},
			{Kind: store.ErrOtherUser, Hint: "if you trust those who write to the store: `onward tools trust --store DIR`; `onward store info` names its folder"},
			{Kind: store.ErrPermission, Code: cli.ExitPermission, Hint: "choose a store that you may write with --store or ONWARD_STORE"},
			{Kind: store.ErrQuota, Code: cli.ExitIO, Hint: "on the servers: `etcdctl compact REVISION`, `etcdctl defrag`, then `etcdctl alarm disarm`, or a larger quota"},
			{Kind: store.ErrIO, Code: cli.ExitIO, Hint: "check the disk, or choose another store with --store or ONWARD_STORE"},
			{Kind: install.ErrParse, Code: cli.ExitData},
			{Kind: install.ErrUnfit, Code: cli.ExitUsage},
			{Kind: install.ErrStray, Code: cli.ExitNotFound, Hint: "the file was left as it is; delete what onward wrote there"},
			{Kind: install.ErrNoRepository, Code: cli.ExitNotFound},
			{Kind: install.ErrProgram, Code: cli.ExitNotFound},
			{Kind: install.ErrMoved, Code: cli.ExitBusy},
			{Kind: cli.ErrBug, Code: cli.ExitInternal, Hint: "this is a bug in onward, please report it; the state on disk is intact"},
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
		return cli.ExitOK
	case errors.As(err, &result):
		return int(result)
	}
	table := failures()
	hint, meant := a.withSameListFlags(hintOf(table, err)), a.didYouMean(err)
	if hint = meant + hint; strings.Count(hint, "did you mean ") > 1 {
		hint = strings.TrimSpace(meant)
	}
	if named := (*cli.Error)(nil); errors.As(err, &named) && len(named.Near) > 0 {
		hint = "did you mean " + cli.JoinOr(a.commandLinesWith(named.Word, named.Near)) + "?"
	}
	switch code := table.Code(err); {
	case hint != "":
	case errors.Is(err, continuation.ErrSetting):
		hint = "`onward get --help` says what a setting can be"
	case slices.Contains([]int{cli.ExitUsage, cli.ExitData, cli.ExitNotFound}, code) && a.line.Command != nil && !a.inner:
		hint = "see `onward " + strings.Join(a.line.Path, " ") + " --help`"
	}
	code := table.Report(a.err, a.styleOf(a.err).Width, "onward", err, hint, a.JSON)
	if bug := (*cli.Bug)(nil); errors.As(err, &bug) && !a.JSON {
		a.err.Write(bug.Stack)
	}
	return code
}

// didYouMean asks, after the name of a session that is not saved, whether one that is saved was meant. A command that takes no such
// argument may be given the name of a session.
func (a *app) didYouMean(err error) string {
	if wrong := (*cli.Error)(nil); errors.As(err, &wrong) && wrong.Extra != "" && !strings.Contains(wrong.Next, "--session") && !strings.HasPrefix(wrong.Extra, "-") {
		for _, l := range a.loadedLists() {
			if name := l.Name.Session; name == wrong.Extra || strings.HasPrefix(name, wrong.Extra+"-") { // as it is shown, without its number
				return "did you mean `onward " + strings.Join(a.line.Path, " ") + " --session " + name + "`? "
			}
		}
	}
	if line := a.line.Instead("all", "--all"); line != "" && errors.Is(err, schedule.ErrNotFound) {
		return "did you mean `onward " + line + "`? "
	}
	if wrong, hinted := (*todo.UnknownWordError)(nil), (*cli.Error)(nil); errors.As(err, &wrong) && len(wrong.Known) > 0 && (!errors.As(err, &hinted) || hinted.Next == "") {
		near := suggest.Values(wrong.Word, wrong.Known)
		if line := a.line.Instead(wrong.Word, append(near, wrong.Known...)[0]); line != "" && len(near) == 0 {
			return "for example `onward " + line + "`"
		} else if line != "" {
			return "did you mean `onward " + line + "`?"
		}
	}
	if errors.Is(err, todo.ErrPosition) {
		for _, word := range a.line.Args {
			instead := a.line.WithFlag(word)
			if is := suggest.Position(word); is != "" {
				instead = a.line.Instead(word, is)
			}
			if instead != "" {
				return "did you mean `onward " + instead + "`? "
			}
		}
	}
	if errors.Is(err, continuation.ErrSetting) {
		for _, word := range a.line.Args {
			for _, like := range suggest.Flags("--" + word) {
				if is, unknown := continuation.FindSetting(strings.TrimPrefix(like, "--")); unknown == nil {
					return "did you mean `onward " + a.line.Instead(word, is.Key) + "`? "
				}
			}
		}
	}
	if absent := (*session.NoSessionError)(nil); errors.As(err, &absent) {
		if instead := a.line.WithFlag(absent.Name); instead != "" { // as in `report html`
			return "did you mean `onward " + instead + "`? "
		}
		names := render.Map(a.loadedLists(), func(_ int, l *session.LoadedList) string { return l.Name.String() })
		if near := suggest.Names(absent.Name, names); len(near) > 0 {
			return "did you mean " + cli.JoinOr(a.commandLinesWith(absent.Name, near)) + "? "
		}
	}
	return ""
}

// commandLinesWith returns the command line with each of some names in the place of a word, or the names alone if it is not there.
func (a *app) commandLinesWith(word string, names []string) []string {
	return render.Map(names, func(_ int, name *string) string {
		if line := a.line.Instead(word, *name); line != "" {
			return "`onward " + line + "`"
		}
		return *name
	})
}

// hintOf returns what the user can do about an error, with the name of the session that is to be repaired.
func hintOf(table *cli.Failures, err error) string {
	hint := table.Hint(err)
	if held := (*session.InRunError)(nil); errors.As(err, &held) {
		return "`onward watch --session " + held.RunSession().Session + "` shows the run, and Ctrl-C in its own terminal ends it; then " + held.Verb + " the session"
	}
	of := (*store.ReadError)(nil)
	switch {
	case !errors.As(err, &of):
	case of.What != session.SettingsKey("").Kind.Name:
		hint = strings.ReplaceAll(hint, "onward repair", "onward repair "+of.Name)
	case errors.Is(err, store.ErrGone):
		hint = "restore the file from a backup; or a person runs `onward repair --yes` in the project's folder, which has no settings then"
	}
	return hint
}
