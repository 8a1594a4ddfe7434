//go:build unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// The network is cut again and again, also between a commit and its answer. A command that is repeated with the same --op
// must not add its item twice, and no acknowledged item may be lost.
func TestNetworkCutRepeatedly(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	wire := cluster.NewProxy(t, c.Nodes[0].Client)
	over := make(chan struct{})
	var cuts sync.WaitGroup
	n := 0
	cuts.Go(func() {
		for {
			for _, fault := range []cluster.Fault{cluster.Cut, cluster.NoFault} {
				select {
				case <-over:
					wire.Set(cluster.NoFault, 0)
					return
				case <-time.After(60 * time.Millisecond): // about the duration of one command
				}
				wire.Set(fault, 0)
			}
			n++
		}
	})
	const writers, each = 4, 20
	var all sync.WaitGroup
	codes := make([][]int, writers)
	m := newMachine(t, "etcd+plain://"+wire.Address+"/team", "ONWARD_LOCK_TIMEOUT=0")
	var want []string
	for w := range writers {
		for i := range each {
			want = append(want, fmt.Sprintf("item.%d.%d", w, i))
		}
		all.Go(func() {
			for i := range each {
				item := fmt.Sprintf("item.%d.%d", w, i)
				for {
					code, _, errs := m.run("todo", "add", "--op", item, item)
					if codes[w] = append(codes[w], code); code == 0 {
						break
					}
					if code != 68 && code != 75 && code != 76 {
						t.Errorf("exit %d: %s", code, errs)
						break
					}
				}
			}
		})
	}
	all.Wait()
	close(over)
	cuts.Wait()
	var got []string
	for word := range strings.FieldsSeq(newMachine(t, c.URL("team")).must("todo", "show")) {
		if strings.HasPrefix(word, "item.") {
			got = append(got, word)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %d items, want %d: %v", len(got), len(want), got)
	}
	counts := map[int]int{}
	for _, code := range slices.Concat(codes...) {
		counts[code]++
	}
	t.Logf("the network was cut %d times; exit codes: %v", n, counts)
}
