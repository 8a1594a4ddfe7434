package process

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// Exec runs another program in the place of this one, and returns its exit code. Ctrl-C reaches
// both; it is for the other one.
func Exec(path string, args, env []string) (int, error) {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(path, args[1:]...)
	cmd.Args, cmd.Env = args, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return ended.ExitCode(), nil
	}
	return 0, err
}
