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
	leaderDies    = flag.Duration("leader-dies", 4*time.Second, "how often the leader is killed, at first")
)

// TestWorkersShareAList lets workers claim items of a list on three servers, the leader of which is killed again and again.
func TestWorkersShareAList(t *testing.T) {
	c := cluster.New(t, 3)
	m := newMachine(t, c.URL("team"), "ONWARD_CLAIM_LEASE="+workersLease.String(), "ONWARD_LOCK_TIMEOUT=1m")
	stop := killLeaders(t, c, *leaderDies, time.Second)
	workers.Share(t, func(stdin string, args ...string) *exec.Cmd {
		command := m.command(args...)
		command.Stdin = strings.NewReader(stdin)
		return command
	}, *workersLease, *workersAtOnce, *workersAtOnce*16)
	stop()
}

// killLeaders kills the leader and starts it again, first after a while and then after more and more time, until stop is called.
func killLeaders(t *testing.T, c *cluster.Cluster, first, more time.Duration) (stop func()) {
	over, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for pause := first; ; pause += more {
			select {
			case <-over:
				return
			case <-time.After(pause):
				leader := c.Leader()
				leader.Kill()
				leader.Start(t)
			}
		}
	}()
	return func() {
		close(over)
		<-ended
	}
}
