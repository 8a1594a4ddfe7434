//go:build unix

package main

import (
	"flag"
	"os/exec"
	"strings"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
	"onward/test/workers"
)

var (
	workersAtOnce = flag.Int("workers", 3, "how many workers draw from one list, of 16 items for each")
	workersLease  = flag.Duration("claim-lease", 2*time.Second, "how long their claims last; many workers on one machine need more")
	// A new leader renews every lease for ten seconds: if it dies more often, no lease of the dead ever ends.
	leaderDies = flag.Duration("leader-dies", 4*time.Second, "how often the leader is killed")
)

// TestWorkersShareAList lets them draw from a list on three servers, of which the leader is killed again and again.
func TestWorkersShareAList(t *testing.T) {
	c := cluster.New(t, 3)
	m := newMachine(t, c.URL("team"), "ONWARD_CLAIM_LEASE="+workersLease.String(), "ONWARD_LOCK_TIMEOUT=1m")
	over, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			case <-time.After(*leaderDies):
				leader := c.Leader()
				leader.Kill()
				leader.Start(t)
			}
		}
	}()
	workers.Share(t, func(stdin string, args ...string) *exec.Cmd {
		command := m.command(args...)
		command.Stdin = strings.NewReader(stdin)
		return command
	}, *workersLease, *workersAtOnce, *workersAtOnce*16)
	close(over)
	<-ended
}
