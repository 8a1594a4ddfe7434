package supervise

import (
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Output returns what a program prints in a time, at most about as many bytes. It is started by its name, so what it starts counts as an agent's.
func Output(argv, env []string, limit time.Duration, most int) (printed string, err error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	out, said := &tail{size: most}, &tail{size: gateOutput}
	cmd.Env, cmd.Stdout, cmd.Stderr = env, out, said
	defer Mark(cmd, RunVariable)()
	stopped, err := RunCommand(cmd, false, limit, nil, func() {})
	if stopped != nil {
		return "", fmt.Errorf("%s: %s", argv[0], stopped.Reason)
	}
	if lines := strings.Split(strings.TrimSpace(said.end()), "\n"); err != nil && lines[0] != "" {
		return "", fmt.Errorf("%s: %w: %s", argv[0], err, lines[len(lines)-1])
	} else if err != nil {
		return "", fmt.Errorf("%s: %w", argv[0], err)
	}
	return out.end(), nil
}
