// Command onward-mcp gives agents that speak the Model Context Protocol a todo list that onward keeps.
//
// It serves one client on its standard streams, and runs the onward in its folder for each call.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// version is set by the release build, to that of onward.
var version = "dev"

// ownVersion returns the version, which is that of the module if `go install` fetched it.
func ownVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "dev" && info.Main.Sum != "" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return version
}

// The exit codes, which are among onward's.
const (
	exitOK    = 0
	exitUsage = 64
	exitIO    = 74
)

const usage = `Usage: onward-mcp [--session ID]

Serves onward's todo list over the Model Context Protocol, on standard input and output.
An agent starts it: "onward hooks install AGENT --mcp" registers it.

  --session ID  The session; default: ONWARD_SESSION, else that of the client's project.
  --version     Show the version.
  --help        Show this help.
`

func main() {
	// An agent that ends closes the pipes. That ends the conversation, and must not kill the server by SIGPIPE.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout}, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run serves one client until it ends or the context does, and returns the exit code.
func run(ctx context.Context, args []string, client mcp.Transport, out, errs io.Writer) int {
	flags := flag.NewFlagSet("onward-mcp", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	session := flags.String("session", os.Getenv("ONWARD_SESSION"), "")
	shown := flags.Bool("version", false, "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return write(out, usage)
	case err != nil:
		return fail(errs, exitUsage, err)
	case flags.NArg() > 0:
		return fail(errs, exitUsage, fmt.Errorf("unexpected argument %q", flags.Arg(0)))
	case *shown:
		return write(out, "onward-mcp "+ownVersion()+"\n")
	}
	err = newServer(*session).serve(ctx, client)
	if err == nil || ctx.Err() != nil || gone(err) {
		return exitOK
	}
	return fail(errs, exitIO, err)
}

// gone reports whether an error means that the client closed its ends of the pipes, which ends a conversation.
func gone(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE)
}

func write(out io.Writer, text string) int {
	if _, err := io.WriteString(out, text); err != nil {
		return exitIO
	}
	return exitOK
}

func fail(errs io.Writer, code int, err error) int {
	// A failure to write to standard error could be reported nowhere.
	_, _ = fmt.Fprintf(errs, "onward-mcp: %v\n", err)
	if code == exitUsage {
		_, _ = io.WriteString(errs, "hint: see `onward-mcp --help`\n")
	}
	return code
}
