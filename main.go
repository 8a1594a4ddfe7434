// Command onward keeps a coding agent's todo list on disk
// and keeps the agent going until the list is done.
package main

import (
	"os"

	"onward/cmd"
)

func main() {
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
