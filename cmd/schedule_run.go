package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"time"

	"onward/internal/board"
	"onward/internal/calls/execute"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

type scheduleRunCmd struct {
	Jobs           *int     `placeholder:"N" help:"Calls to run at the same time; default: the number of CPUs."`
	Timeout        *string  `placeholder:"D" help:"The longest time of one call; a tool's own may be shorter."`
	ApprovalMode   *string  `placeholder:"MODE" complete:"approval mode" help:"plan, default, auto_edit or yolo ($$ONWARD_APPROVAL_MODE)."`
	Env            []string `placeholder:"NAME" help:"A variable to pass to the built-in shell as well; repeatable ($$ONWARD_SHELL_ENV, with commas)."`
	NonInteractive bool     `help:"Deny calls that need an approval instead of asking the user."`
	Watch          bool     `help:"Keep waiting for new calls until interrupted."`
}

// Run runs the calls that may run. Exit 20 if one awaits approval, 21 if one failed, 130 if the run was interrupted.
func (c *scheduleRunCmd) Run(a *app, s find.List) error {
	began := time.Now()
	if err := a.explainForbidden(s, s.CheckRun()); err != nil {
		return err
	}
	judge, err := a.newJudge(c.ApprovalMode, c.NonInteractive)
	if err != nil {
		return err
	}
	runner := &execute.Runner{Outputs: s.Storage.Outputs(), Alive: s.Storage.Alive, Name: s.Name, Judge: judge, Jobs: runtime.NumCPU(), Watch: c.Watch}
	if c.Jobs != nil {
		if runner.Jobs = *c.Jobs; runner.Jobs < 1 || runner.Jobs > 1000 {
			return &todo.UnknownWordError{Text: fmt.Sprintf("--jobs must be from 1 to 1000, not %d", runner.Jobs), Word: strconv.Itoa(runner.Jobs), Known: []string{"4"}}
		}
	}
	if c.Timeout != nil {
		if runner.Timeout, err = continuation.TypedDuration(*c.Timeout); err != nil || runner.Timeout <= 0 {
			return &todo.UnknownWordError{Text: fmt.Sprintf("--timeout: %q is not a duration such as 90s, longer than 0", *c.Timeout), Word: *c.Timeout, Known: []string{"90s"}}
		}
	}
	if runner.Env, err = c.variables(); err != nil {
		return err
	}
	if !c.NonInteractive && !a.JSON && isTerminal(a.in) && isTerminal(a.err) && isPerson() {
		if err := a.askForApprovals(s, judge); err != nil {
			return err
		}
	}
	runner.Clock = func() todo.Time { return s.Now + todo.Time(time.Since(began).Milliseconds()) }
	runner.Builtin = func(call *schedule.Call) (string, error) { return a.runBuiltinTool(s, call, runner.Clock()) }
	show := &progress{a: a, lines: board.Calls{Style: a.style(), Clock: runner.Clock}}
	runner.Observe = show.observe

	run, err := s.Calls().Begin(s.Name)
	if err != nil {
		return err
	}
	defer run.End()
	signals := process.Interrupts()
	defer signal.Stop(signals)
	show.begin()
	calls, err := runner.Run(run, signals)
	a.committed = len(calls) > 0
	show.end()
	interrupted := errors.Is(err, supervise.ErrInterrupted)
	if err != nil && !interrupted {
		return err
	}
	doc, err := s.Calls().Load(s.Name)
	if err != nil {
		return err
	}
	s.Now = runner.Clock()
	if a.JSON || show.screen == nil { // the screen shows them already
		if err := a.printCalls(s, doc, calls, nil); err != nil {
			return err
		}
	}
	if interrupted {
		a.printNote("interrupted" + cancelledOf(calls))
		return cli.ExitCode(cli.ExitInterrupted)
	}
	return a.reportOutcome(calls, runner.Outcome(calls))
}

// variables returns the names of the variables that the built-in shell gets in addition.
func (c *scheduleRunCmd) variables() ([]string, error) {
	names, from := c.Env, "--env"
	if text := os.Getenv("ONWARD_SHELL_ENV"); names == nil && text != "" {
		names, from = strings.Split(text, ","), "ONWARD_SHELL_ENV"
	}
	for _, name := range names {
		if name == "" || strings.ContainsAny(name, "= \x00") {
			return nil, cli.Usagef("%s: %q is not the name of a variable", from, name)
		}
	}
	return names, nil
}

func cancelledOf(calls []*schedule.Call) string {
	ids := schedule.IDsWithStatus(calls, schedule.Cancelled)
	if len(ids) == 0 {
		return "; nothing was running"
	}
	return "; cancelled " + strings.Join(ids, ", ")
}

// runBuiltinTool runs the built-in tools.
func (a *app) runBuiltinTool(t find.List, c *schedule.Call, now todo.Time) (string, error) {
	if c.Tool == "todo_read" {
		doc, err := t.Store.Load(t.Name)
		return string(output.TodosJSON(t.Name, doc, allIndices(doc))), err
	}
	continues := func() (bool, error) {
		doc, err := t.Store.Load(t.Name)
		if err != nil {
			return false, err
		}
		return t.CanContinue(doc)
	}
	e, err := tool.ListEvent(c.Tool, c.Args, continues, func() todo.Authority { return t.Writer(true) })
	if err != nil {
		return "", err
	}
	commit, err := t.Store.Update(t.Name, "", now, func(doc *session.Document) (session.Change, error) {
		return continuation.Apply(doc, e, now)
	})
	switch {
	case err != nil:
		return "", err
	case e.Type == continuation.Pause:
		return "paused: " + commit.Doc.Continuation.Paused.Reason + "\n", nil // the user's reason, if the user has paused
	}
	return string(output.TodosJSON(t.Name, commit.Doc, allIndices(commit.Doc))), nil
}
