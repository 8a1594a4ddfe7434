package cmd

import (
	"os"
	"reflect"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/overview"
	"onward/internal/run"
	"onward/internal/session"
)

type replyCmd struct {
	Text []string `arg:"" empty:"" ask:"what is your answer?" example:"'use the table events'" help:"The answer; - reads it from standard input."`
}

// Run sends the user's answer to the last run, and goes on with it. A run that is at work gets it after its turn.
func (c *replyCmd) Run(a *app, t find.List) error {
	if err := find.RequirePerson("answer a run", "`onward message push 'a note'` leaves one for its agent"); err != nil {
		return err
	}
	text, err := a.messageText(c.Text)
	if err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" {
		return cli.Usagef("reply: the answer is empty")
	}
	to, last, err := t.Store.FindRecipient(t.Name, t.Now)
	if err != nil {
		return err
	}
	if to == session.RecipientNone {
		asking, err := overview.OthersAsking(t)
		if err != nil {
			asking = nil // they are only for the hint
		}
		hint := output.ReplyHint(asking, t.Name.Session, t.ByFlag, text)
		if hint == "" {
			hint = "`onward run " + programNames()[0] + " 'the task'` starts one, and `onward session list` shows what needs you"
		}
		ended := ""
		if last, err := t.Store.ReadReceipt(t.Name); err == nil && last != nil {
			ended = "; the last one ended: " + run.Outcome(last.Outcome).Words()
		}
		return cli.WithHint(cli.Failf(cli.ExitNotFound, "reply: no run of session %q waits for an answer%s", t.Name, ended), hint)
	}
	if err := a.pushMessage(t, text); err != nil {
		return err
	}
	switch to {
	case session.RecipientPausedAgent:
		a.printNote("the agent gets it when its next turn ends; typed in its window, it comes at once")
	case session.RecipientNextRun:
		a.hint("the last run ended too long ago to go on; a new one gets the answer with the list: " + commandOf(last))
	case session.RecipientRunAtWork:
		a.printNote("the run at work gets it after its turn")
	case session.RecipientRunBetween:
		a.printNote(a.withSameListFlags("the run at work gets it with its next turn; if it waits, `onward resume` begins that now"))
	case session.RecipientStoppedRun:
		a.hint("the run at work ends after its turn, since you stopped it; `onward resume` lets it go on, with your message")
	case session.RecipientEndedRun:
		return a.continueRun(t, last, "; your answer stays queued, and `onward message drop all` takes it back")
	}
	return nil
}

// runLast goes on with the last run of the list, for `onward run` without an agent.
func (c *runCmd) runLast(a *app, t find.List) error {
	last, atWork, err := t.Store.LastRun(t.Name, t.Now)
	if err != nil {
		return err
	}
	given := cli.GivenFlags(reflect.ValueOf(*c))
	alone := last != nil && len(c.words) == 0 && len(given) == 0
	last = last.WithFlags(given)
	switch {
	case last != nil && c.DryRun && len(given) == 1 && len(c.words) == 0:
		return a.startAgain(t, last)
	case alone && atWork:
		return cli.WithHint(cli.Failf(cli.ExitBusy, "run: `onward run` is at work on session %q", t.Name),
			"`onward watch` shows it, `onward reply 'TEXT'` tells its agent something, and `onward stop` ends it after its turn")
	case alone && isTerminal(a.in) && !a.JSON && last.Next() == "":
		return a.continueRun(t, last, "")
	}
	hint := "for example `onward run " + c.Example(nil) + "`; see `onward run --help`"
	if last != nil && !atWork {
		doc, err := t.Store.Load(t.Name)
		if err != nil {
			return err
		}
		hint = goOnHint(last, doc.Ledger().Stopped())
	}
	switch {
	case alone && last.Next() != "":
		return cli.WithHint(cli.Usagef("run: the last run would end in the same way: %s", last.Ended.Message), hint)
	case alone:
		return cli.WithHint(cli.Usagef("run: without an agent, the last run goes on, and only on a terminal that shows its command first"), hint)
	}
	return cli.WithHint(cli.Usagef("which agent?"), hint)
}

// continueRun starts the command line of a run's record once the user has seen it, and agrees. That ends a stop of the user, too. What is
// left of the command if the user does not agree follows the note about that.
func (a *app) continueRun(t find.List, last *session.Run, left string) error {
	doc, err := t.Store.Load(t.Name)
	if err != nil {
		return err
	}
	stopped := doc.Ledger().Stopped()
	if err := cli.OutputError(a.out.Flush(), a.committed); err != nil {
		return err
	}
	if !isTerminal(a.in) || a.JSON || last.Next() != "" {
		a.hint(goOnHint(last, stopped))
		return nil
	}
	a.printError(commandOf(last))
	if !a.agrees("start it? [Y/n] ", "", "y", "yes") {
		a.printNote("nothing was started" + a.withSameListFlags(left))
		return cli.ExitCode(cli.ExitNo)
	}
	if stopped {
		if err := a.applySwitch(t, continuation.Event{Type: continuation.Resume}); err != nil {
			return err
		}
		if err := cli.OutputError(a.out.Flush(), a.committed); err != nil {
			return err
		}
	}
	return a.startAgain(t, last)
}

// goOnHint names the command line of a run's record, or what comes before it: what it needs, or the end of a stop of the user.
func goOnHint(last *session.Run, stopped bool) string {
	switch {
	case last.Next() != "":
		return last.Next()
	case stopped:
		return "`onward resume` ends the stop; then, to go on: " + commandOf(last)
	}
	return "to go on: " + commandOf(last)
}

// startAgain starts the command line of a run's record where the run was.
func (a *app) startAgain(t find.List, last *session.Run) error {
	away := isElsewhere(last.Folder)
	if err := os.Chdir(last.Folder); err != nil {
		return fileError("start the run in", last.Folder, err)
	}
	again := newApp(last.Command, a.in, a.rawOut, a.err)
	if again.away = away; away && again.Session == nil { // so that its hints hold where the user is
		again.Session = &t.Name.Session
	}
	again.with, again.engineErr, again.Remote, again.Patience = a.with, a.engineErr, a.Remote, a.Patience
	if code := again.main(); code != cli.ExitOK {
		return cli.ExitCode(code)
	}
	return nil
}

// commandOf returns the command line that continues a run, as the user types it here.
func commandOf(last *session.Run) string {
	return "`" + commandLine(last.Command, last.Folder, isElsewhere(last.Folder)) + "`"
}

// isElsewhere reports whether a folder is another one than that of the user.
func isElsewhere(folder string) bool {
	here, err := os.Getwd()
	return err != nil || here != folder
}

// commandLine returns the line with some words after "onward". The user who types it may be away from its folder.
func commandLine(words []string, folder string, away bool) string {
	line := "onward " + shellquote.Join(words...)
	if away {
		return "cd " + shellquote.Join(folder) + " && " + line
	}
	return line
}
