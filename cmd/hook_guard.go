package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/hooks"
	"onward/internal/install"
	"onward/internal/render"
	"onward/internal/suggest"
	"onward/internal/todo"
)

// A hook fails open: after any error the agent may proceed, and the cause is written to a log.
// Several agents read exit code 2 as "continue", with standard error as the prompt,
// and 2 is also what Go ends with on a panic. So only the code here may end the process.

// sayLimit is how long it may take to write the answer and the log.
const sayLimit = time.Second

// guardedHook is one run of `onward hook` under the guard.
type guardedHook struct {
	app      *app
	out      io.Writer
	err      io.Writer
	limit    time.Duration
	patience time.Duration  // for writing the answer and the log
	exit     func(code int) // ends the process while the command still runs
}

// agent returns the name of the agent from the arguments. It also works if the arguments are invalid, because such a hook
// must not fail either.
func (g guardedHook) agent() string {
	var c hookCmd
	c.plain(&g.app.line)
	return c.Agent
}

// refuseMistypedHooks returns an error if a person typed `onward hook` for `onward hooks`, or followed by words that name no agent. Agents
// never run such a command, so it need not fail open. If there is an event, unknown words still fail open: the agent may have a
// hook of another version.
func (a *app) refuseMistypedHooks() error {
	var c hookCmd
	rest, _ := c.take(&a.line)
	words := slices.DeleteFunc(slices.Clone(rest), isFlag)
	if len(words) == 0 {
		return nil
	}
	agent := words[0]
	exact := slices.Contains(slices.Concat(hooksActions[:]...), agent)
	if !exact && (len(words) == 1 && agents.Hook(agent) != nil || !a.hasNoEvent()) {
		return nil
	}
	action := ""
	for _, word := range words {
		if action = hooksAction(word); action != "" && agents.Hook(word) == nil {
			i := slices.Index(rest, word)
			rest = slices.Delete(slices.Clone(rest), i, i+1)
			break
		}
	}
	what := "it takes one agent, and nothing after it"
	if agents.Hook(agent) == nil {
		what = agent + " is not an agent"
	}
	err := cli.Usagef("`onward hook` answers an agent's event, and %s", what)
	if action == "" {
		return cli.WithHint(err, "`onward hooks install "+installNames()[0]+"` installs an agent's hooks, which run it")
	}
	return cli.WithHint(err, "`onward hooks "+strings.Join(append([]string{action}, rest...), " ")+"`")
}

// hooksActions are the commands of `onward hooks`, each with the words that people type for it.
var hooksActions = [...][]string{
	{install.ActionInstall, "add", "enable"},
	{install.ActionUninstall, "remove", "rm", "delete", "disable"},
	{install.ActionStatus, "list", "ls", "show"},
}

// hooksAction returns the command of `onward hooks` that a word names or nearly names; empty if none.
func hooksAction(word string) string {
	near := append([]string{word}, suggest.Names(word, []string{install.ActionInstall, install.ActionUninstall, install.ActionStatus})...)
	for _, name := range near {
		for _, words := range hooksActions {
			if slices.Contains(words, name) {
				return words[0]
			}
		}
	}
	return ""
}

// hasNoEvent reports whether standard input is a terminal, or empty: no agent runs a hook so. One that is silent may be an agent's.
func (a *app) hasNoEvent() bool {
	if isTerminal(a.in) {
		return true
	}
	in := bufio.NewReader(a.in)
	empty := make(chan bool, 1)
	go func() {
		_, err := in.Peek(1)
		empty <- errors.Is(err, io.EOF)
	}()
	select {
	case is := <-empty:
		a.in = in
		return is
	case <-time.After(sayLimit):
		return false
	}
}

// outcome is the result of a hook; with an error everything else is ignored.
type outcome struct {
	out, err []byte
	code     int
	failed   error
}

// run answers the event. It writes nothing before the whole answer is known.
func (g guardedHook) run() (code int) {
	// The command and the timer race for the answer; the loser writes nothing.
	var answered atomic.Bool
	var limit atomic.Int64
	limit.Store(int64(g.limit))
	if err := durable.StartRuntimePoller(); err != nil {
		return g.letAgentProceed(err) // without this, a panic would end the process with Go's exit code
	}
	late := time.AfterFunc(g.limit, func() {
		if answered.CompareAndSwap(false, true) {
			g.exit(g.reply(outcome{failed: fmt.Errorf("no answer within %s", todo.SpanText(time.Duration(limit.Load())))}))
		}
	})
	defer late.Stop()
	g.app.extend = func(d time.Duration) {
		limit.Store(int64(d))
		late.Reset(d)
	}
	o := g.capture()
	if !answered.CompareAndSwap(false, true) {
		select {} // the process is ending
	}
	if o.failed == nil && !agents.Hook(g.agent()).IsAnswerCode(o.code) {
		o.failed = fmt.Errorf("exit %d", o.code)
	}
	return g.reply(o)
}

// reply writes the answer, or lets the agent stop. The process ends after sayLimit even if a pipe has no reader or the
// file system of the log does not respond, so that the agent does not wait.
func (g guardedHook) reply(o outcome) int {
	stuck := time.AfterFunc(g.patience, func() { g.exit(cli.ExitOK) })
	defer stuck.Stop()
	if o.failed != nil {
		return g.letAgentProceed(o.failed)
	}
	g.out.Write(o.out)
	if len(o.err) > 0 {
		g.err.Write(o.err)
	}
	return o.code
}

// letAgentProceed lets the agent proceed, and writes the cause to the log.
func (g guardedHook) letAgentProceed(cause error) (code int) {
	// If even this fails, the process can only end with the right code.
	defer func() { _ = recover() }()
	if agent := agents.Hook(g.agent()); agent != nil {
		io.WriteString(g.out, agent.GoAhead)
	}
	hooks.Log(g.agent(), cause)
	if isTerminal(g.err) {
		io.WriteString(g.err, "onward: "+render.Text(cause.Error())+"\n")
	}
	return cli.ExitOK
}

// capture runs the command into buffers.
func (g guardedHook) capture() (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{failed: cli.Panicked(p)}
		}
	}()
	var out, errw bytes.Buffer
	a := g.app
	if isTerminal(a.in) && !a.Help {
		return outcome{failed: cli.Usagef("hook reads an agent's event from standard input")}
	}
	a.out, a.rawOut, a.err = bufio.NewWriter(&out), &out, &errw
	err := a.run()
	if flushed := a.out.Flush(); err == nil {
		err = flushed
	}
	var code cli.ExitCode
	if errors.As(err, &code) {
		return outcome{out: out.Bytes(), err: errw.Bytes(), code: int(code)}
	}
	return outcome{out: out.Bytes(), err: errw.Bytes(), failed: err}
}
