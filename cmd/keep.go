package cmd

import (
	"io"

	"onward/internal/render"
	"onward/internal/supervise"
)

// keepRequest is how `run` starts the keeper of an agent's program. No user types it, so it is not in the help.
const keepRequest = "__keep"

// keep runs the program of an agent below this process, and returns its exit code.
func keep(argv []string, in io.Reader, errw io.Writer) int {
	code, err := supervise.RunKeeper(in, argv)
	if err != nil {
		io.WriteString(errw, "onward: "+render.Text(err.Error())+"\n")
	}
	return code
}
