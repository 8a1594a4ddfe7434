package session

import (
	"fmt"
	"testing"
)

// TestTotalsOfThreads checks that the highest total of each thread is kept, and that the threads that reported longest ago are dropped.
func TestTotalsOfThreads(t *testing.T) {
	var l Ledger
	for _, c := range []struct{ total, before int }{{700, 0}, {1400, 700}, {700, 1400}, {1500, 1400}} {
		if got := l.RecordTotal(Thread{ID: "a", Input: c.total}).Input; got != c.before {
			t.Errorf("total %d: the one before is %d, want %d", c.total, got, c.before)
		}
	}
	for i := range maxThreads - 1 {
		l.RecordTotal(Thread{ID: fmt.Sprint(i)})
	}
	if got := l.RecordTotal(Thread{ID: "a", Input: 1600}).Input; got != 1500 || len(l.Threads) != maxThreads {
		t.Errorf("before %d, %d threads", got, len(l.Threads))
	}
	l.RecordTotal(Thread{ID: "b"})
	if got := l.RecordTotal(Thread{ID: "0", Input: 5}).Input; len(l.Threads) != maxThreads || got != 0 {
		t.Errorf("%d threads, and the first has %d", len(l.Threads), got)
	}
}
