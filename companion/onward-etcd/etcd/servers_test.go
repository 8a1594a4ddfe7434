//go:build unix

package etcd

import (
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// nodes are the servers of a test.
type nodes struct {
	*cluster.Cluster
	t testing.TB
}

// newCluster starts n servers, and makes the test parallel, since such tests mostly wait.
func newCluster(t *testing.T, n int, args ...string) *nodes {
	t.Helper()
	t.Parallel()
	return &nodes{cluster.New(t, n, args...), t}
}

// open opens a store on the servers.
func (c *nodes) open(prefix string, change ...func(*Settings)) *Store {
	c.t.Helper()
	set, err := ParseURL(c.URL(prefix))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, f := range change {
		f(&set)
	}
	s, err := Open(c.URL(prefix), set, time.Minute)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { s.Close() })
	return s
}
