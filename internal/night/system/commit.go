package system

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// LastCommit returns the last commit of the checkout; empty if there is none.
func LastCommit() string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--verify", "--quiet", "HEAD").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
