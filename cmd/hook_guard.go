package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"onward/internal/hook"
	"onward/internal/poller"
	"onward/internal/render"
)

// A hook fails open: whatever goes wrong, the agent is told to go ahead, and the cause goes to a log.
// Several agents take exit code 2 for "go on", with standard error as the prompt,
// and 2 is also what Go ends with on a panic. So nothing may end the process but the code here.

// hookLimit is how long a hook may take before the agent is let go.
const hookLimit = 5 * time.Second

// guarded is one run of `onward hook`, from its arguments on.
type guarded struct {
	name  string // of the agent, as it was given
	args  []string
	in    io.Reader
	out   io.Writer
	err   io.Writer
	limit time.Duration
	exit  func(code int) // ends the process while the command still runs
	fault func(step string) error
}

// outcome is what a hook came to; with an error nothing of it counts.
type outcome struct {
	out, err []byte
	code     int
	failed   error
}

// run answers the event. Nothing is written before everything is known.
func (g guarded) run() (code int) {
	// The command and the timer race for the answer; who comes second says nothing.
	var answered atomic.Bool
	late, err := poller.AfterFunc(g.limit, func() {
		if answered.CompareAndSwap(false, true) {
			g.exit(g.letGo(fmt.Errorf("no answer within %v", g.limit)))
		}
	})
	if err != nil {
		return g.letGo(err) // Go would end the process with a code of its own
	}
	defer late.Stop()
	o := g.answer()
	if !answered.CompareAndSwap(false, true) {
		select {} // the process is ending
	}
	if o.failed == nil && o.code != exitOK {
		if agent := hook.Find(g.name); agent == nil || agent.Code == 0 || o.code != agent.Code && o.code != hook.OwnCode {
			o.failed = fmt.Errorf("exit %d", o.code)
		}
	}
	if o.failed != nil {
		return g.letGo(o.failed)
	}
	g.out.Write(o.out)
	if len(o.err) > 0 {
		g.err.Write(o.err)
	}
	return o.code
}

// letGo tells the agent to go ahead, whatever the cause, which goes to the log.
func (g guarded) letGo(cause error) (code int) {
	// Nothing is left to be done where even this fails, but to end with the right code.
	defer func() { _ = recover() }()
	if agent := hook.Find(g.name); agent != nil {
		io.WriteString(g.out, agent.GoAhead)
	}
	new(app).logHook(g.name, cause)
	if isTerminal(g.err) {
		io.WriteString(g.err, "onward: "+render.Text(cause.Error())+"\n")
	}
	return exitOK
}

// answer runs the command into buffers.
func (g guarded) answer() (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{failed: &internalError{panicked: p, stack: debug.Stack()}}
		}
	}()
	var out, errw bytes.Buffer
	if isTerminal(g.in) && !g.asksHelp() {
		return outcome{failed: usagef("hook reads an agent's event from standard input")}
	}
	a := &app{args: g.args, in: g.in, out: bufio.NewWriter(&out), rawOut: &out, err: &errw, fault: g.fault}
	err := a.run()
	if flushed := a.out.Flush(); err == nil {
		err = flushed
	}
	var code answer
	if errors.As(err, &code) {
		return outcome{out: out.Bytes(), err: errw.Bytes(), code: int(code)}
	}
	return outcome{out: out.Bytes(), err: errw.Bytes(), failed: err}
}

func (g guarded) asksHelp() bool {
	for _, arg := range g.args {
		if arg == "--help" || arg == "-h" {
			return true
		}
	}
	return false
}

// hookNamed reports whether the arguments name the command hook, and for which agent.
// It is asked before they are parsed, because arguments that do not parse must not fail either.
func hookNamed(args []string) (agent string, ok bool) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case ok && !strings.HasPrefix(arg, "-"):
			return arg, true
		case arg == "hook":
			ok = true
		case takesValue(arg):
			i++
		case !strings.HasPrefix(arg, "-"):
			return "", false
		}
	}
	return "", ok
}

// takesValue reports the global flags whose value is the next argument.
func takesValue(arg string) bool {
	switch arg {
	case "-s", "--session", "--agent", "--store", "--op", "--lock-timeout", "--now", "--color", "--context-text":
		return true
	}
	return false
}
