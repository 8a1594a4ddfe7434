//go:build unix

package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"onward/companion/onward-etcd/cluster"
)

// Processes on two machines read the queue while others write to it. Each message must be printed exactly once.
func TestMessageGoesToOneProcess(t *testing.T) {
	t.Parallel()
	const writers, each, readers = 3, 8, 5
	c := cluster.New(t, 1)
	machines := []*machine{newMachine(t, c.URL("team"), "ONWARD_LOCK_TIMEOUT=2m"), newMachine(t, c.URL("team"), "ONWARD_LOCK_TIMEOUT=2m")}
	var writing, reading sync.WaitGroup
	over := make(chan struct{})
	for w := range writers {
		writing.Go(func() {
			for n := range each {
				if code, _, errs := machines[w%2].run("message", "push", "-q", fmt.Sprintf("message.%d.%d", w, n)); code != 0 {
					t.Errorf("push: exit %d: %s", code, errs)
				}
			}
		})
	}
	var mu sync.Mutex
	printed := map[string]int{}
	for r := range readers {
		reading.Go(func() {
			for code, ended := 0, false; code == 0 || !ended; {
				select {
				case <-over:
					ended = true
				default:
				}
				var out, errs string
				if code, out, errs = machines[r%2].run("message", "pop"); code > 1 {
					t.Errorf("pop: exit %d: %s", code, errs)
					return
				}
				mu.Lock()
				for word := range strings.FieldsSeq(out) {
					printed[word]++
				}
				mu.Unlock()
			}
		})
	}
	writing.Wait()
	close(over)
	reading.Wait()
	if len(printed) != writers*each {
		t.Errorf("%d messages were printed of %d", len(printed), writers*each)
	}
	for message, n := range printed {
		if n != 1 {
			t.Errorf("%s was printed %d times", message, n)
		}
	}
}
