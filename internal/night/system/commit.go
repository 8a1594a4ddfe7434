package system

import (
	"context"
	"strings"
	"time"

	"onward/internal/tree"
)

// LastCommit returns the last commit of the checkout; empty if there is none.
func LastCommit() string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := tree.Git(ctx, "", "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
