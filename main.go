// Command onward keeps a coding agent's todo list on disk
// and keeps the agent going until the list is done.
package main

import (
	"os"
	"runtime/debug"

	"onward/cmd"
)

func main() {
	// What Go cannot recover from, such as memory that is not given, ends a process with exit code 2,
	// which agents read from a hook as "continue". This way it ends by a signal.
	debug.SetTraceback("crash")
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
