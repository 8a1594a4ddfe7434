// Package cmd is the command line, with one file for each command.
//
// A command parses its flags, calls one use case and renders the result.
// Rules about lists, sessions and continuation are in the packages below.
package cmd

import (
	"bufio"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/adrg/xdg"

	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/find"
	"onward/internal/hooks"
	"onward/internal/process"
	"onward/internal/truth"
)

// Main runs one command and returns its exit code; no other code ends the process.
//
// Two rules apply to every command. Standard output contains the result and nothing else.
// Everything else goes to standard error, one lower-case line each, after "onward: ".
func Main(args []string, in io.Reader, out, errw io.Writer) int {
	return MainOn(nil, args, in, out, errw)
}

// MainOn is Main for a program that brings an engine along.
func MainOn(engine *Engine, args []string, in io.Reader, out, errw io.Writer) int {
	process.EnsureOwnerAccess()
	if home := os.Getenv("HOME"); home != "" && !filepath.IsAbs(home) {
		// As the XDG specification says, a relative path counts as unset.
		_ = os.Unsetenv("HOME")
		xdg.Reload()
	}
	if len(args) > 1 && args[0] == keepRequest {
		return keep(args[1:], in, errw)
	}
	a := newApp(args, in, out, errw)
	a.with = engine
	if code, done := a.execEngine(); done {
		return code
	}
	if c := a.line.Command; c != nil && c.Name == "hook" && !a.Help {
		if err := a.refuseMistypedHooks(); err != nil {
			return a.fail(err)
		}
		signal.Ignore(syscall.SIGPIPE) // an agent that does not read the answer must not make the hook fail
		return guardedHook{app: a, out: out, err: errw, limit: hooks.Limit, patience: sayLimit, exit: os.Exit}.run()
	}
	return a.main()
}

// newApp prepares a run: the arguments are scanned once, for all users of them.
func newApp(args []string, in io.Reader, out, errw io.Writer) *app {
	a := &app{args: args, in: in, out: bufio.NewWriter(out), rawOut: out, err: errw}
	a.Engine = a.openEngine
	if len(args) == 0 || args[0] != completionRequest {
		a.line = cli.Scan(args, commands(), a.list())
		if group := a.line.Command; group != nil && group.Alone != "" && a.line.Err == nil && !a.Help {
			a.line = cli.Scan(append(slices.Clone(args), group.Alone), commands(), a.list())
		}
	}
	return a
}

// runInner runs a command inside this run, without standard input, and returns what it printed as text.
func (a *app) runInner(args ...string) (out, errs string, code int) {
	var o, e strings.Builder
	inner := newApp(args, strings.NewReader(""), &o, &e)
	inner.inner, inner.typed = true, a.line.Command != nil && a.line.Command.Name == "hook" && !find.WithoutUser()
	inner.with, inner.engineErr, inner.Remote, inner.Patience = a.with, a.engineErr, a.Remote, a.Patience
	code = inner.main()
	a.committed = a.committed || inner.committed
	return o.String(), e.String(), code
}

func (a *app) main() (code int) {
	// Go exits with 2 on a panic, and agents read 2 from a hook as "continue".
	defer func() {
		if p := recover(); p != nil {
			a.out.Flush()
			code = a.fail(cli.Panicked(p))
		}
	}()

	err := a.run()
	if err == nil && a.Remote.Backend != nil && !a.inner {
		_ = os.Remove(hooks.OutageFile(a.Remote.Address)) // the store has answered, so the outage is over
	}
	if flushed := a.out.Flush(); err == nil {
		err = cli.OutputError(flushed, a.committed)
	}
	return a.fail(err)
}

// run runs the command that the arguments name. Its plain forms need no grammar.
func (a *app) run() error {
	// A command ends soon, and most of its memory is the list that it was started for: to collect garbage would be
	// a quarter of the work on a long one. This way the first 24 MB are free, which 10,000 items do not reach.
	// A command that reads a stream lowers the limit of memory, which is for that command alone.
	debug.SetGCPercent(600)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	if err := a.jsonByDefault(); err != nil {
		return err
	}
	if command := a.plain(); command != nil {
		return a.start(command)
	}
	if err := durable.StartRuntimePoller(); err != nil {
		return durable.SystemError(err)
	}
	switch {
	case len(a.args) > 0 && a.args[0] == completionRequest:
		a.print(candidatesText(a.complete(a.args[1:])))
		return nil
	case a.line.Err != nil:
		return a.program().ExplainError(a.line)
	case a.Version:
		return a.printVersion()
	case a.Help:
		a.print(a.program().Help(a.line.Path, a.helpWidth()))
		return nil
	case a.line.Command == nil && a.JSON:
		return cli.WithHint(cli.Usagef("no command was given"), "`onward help commands` lists all commands")
	case a.line.Command == nil:
		return a.showStart()
	case a.line.Command.Sub != nil:
		return a.program().NeedsCommand(a.line)
	}
	command := a.line.Command.Make()
	if c, ok := command.(interface{ after(words []string) }); ok {
		c.after(a.line.CutLiteral())
	}
	if err := a.program().Parse(a.line, command); err != nil {
		return err
	}
	if err := oneOf("--color", a.color(), "auto", "always", "never"); err != nil {
		return err
	}
	return a.start(command)
}

// jsonByDefault sets --json if ONWARD_JSON asks for it and no flag says otherwise. A hook always answers in the form of
// its agent.
func (a *app) jsonByDefault() error {
	text := os.Getenv("ONWARD_JSON")
	if text == "" || a.inner || a.line.Command != nil && a.line.Command.Name == "hook" {
		return nil
	}
	on, ok := truth.Parse(text)
	a.JSON = a.JSON || on && !slices.Contains(a.line.Off, "json")
	if !ok {
		return cli.NotBoolError("ONWARD_JSON", text)
	}
	return nil
}

// readStdin reads standard input whole, up to the limit of one document.
func (a *app) readStdin() ([]byte, error) {
	a.announceStdin()
	return readUpTo(a.in, 16<<20, "standard input")
}

// readUpTo reads standard input to its end; more than the limit is an error.
func readUpTo(in io.Reader, limit int64, what string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	switch {
	case err != nil:
		return nil, cli.Failf(cli.ExitIO, "read standard input: %v", err)
	case int64(len(data)) > limit:
		return nil, cli.Failf(cli.ExitData, "%s has more than %d bytes", what, limit)
	}
	return data, nil
}

// answer reads what the user answers to a question on the terminal: one short line.
func (a *app) answer() (string, error) {
	line, err := bufio.NewReader(io.LimitReader(a.in, 256)).ReadString('\n')
	return strings.TrimSpace(line), err
}

// announceStdin says that the command reads standard input if that is a terminal, where it would look as if it hung.
func (a *app) announceStdin() {
	if isTerminal(a.in) {
		a.printNote("reading standard input from the terminal; Ctrl-D ends it")
	}
}
