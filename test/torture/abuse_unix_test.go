//go:build unix

package torture

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAbuse runs the abuse under which tools of this kind are known to lose data, with the whole program.
// docs/reliability.md has the table of the results.
func TestAbuse(t *testing.T) {
	t.Run("50 add at the same time", func(t *testing.T) {
		p := abused(t, 0)
		if failed := p.atOnce(t, 50, func(i int) []string { return []string{"todo", "add", fmt.Sprint("item ", i)} }); failed > 0 {
			t.Errorf("%d failed", failed)
		}
		p.total(t, "50 items: 50 open")
	})
	t.Run("40 complete another item each, of 1000", func(t *testing.T) {
		p := abused(t, 1000)
		if failed := p.atOnce(t, 40, func(i int) []string { return []string{"todo", "done", fmt.Sprint(i + 1)} }); failed > 0 {
			t.Errorf("%d failed", failed)
		}
		p.total(t, "1000 items: 960 open, 40 completed")
	})
	t.Run("2 change the same item, 20 times", func(t *testing.T) {
		for range 20 {
			p := abused(t, 1)
			p.atOnce(t, 2, func(i int) []string {
				return [][]string{{"todo", "edit", "1", "other"}, {"todo", "start", "1"}}[i]
			})
			if got := p.must(t, "", "todo", "show", "--format", "plain"); got != "1\tin_progress\tother\n" {
				t.Errorf("it is %q", got)
			}
		}
	})
	t.Run("60 killed at any moment of an add", func(t *testing.T) {
		p := abused(t, 10)
		random := rand.New(rand.NewPCG(1, 2))
		confirmed, tried := 10, 10
		for i := range 60 {
			cmd := p.command("", nil, "todo", "add", fmt.Sprint("more ", i))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			tried++
			time.AfterFunc(time.Duration(random.IntN(6000))*time.Microsecond, func() { cmd.Process.Kill() })
			if cmd.Wait() == nil {
				confirmed++
			}
		}
		n := strings.Count(p.must(t, "", "todo", "show", "--format", "plain"), "\n")
		if n < confirmed || n > tried {
			t.Errorf("%d are there, %d were confirmed, %d tried", n, confirmed, tried)
		}
		p.must(t, "", "todo", "add", "the last", "--lock-timeout", "0")
		if left := p.temporaries(); len(left) > 0 {
			t.Errorf("left over: %v", left)
		}
		t.Logf("%d of 60 were confirmed", confirmed-10)
	})
}

// abused returns a place with a list of items items.
func abused(t *testing.T, items int) place {
	t.Helper()
	p := newPlace(t)
	p.with = []string{"ONWARD_SESSION=s"}
	if items > 0 {
		p.must(t, strings.Repeat("an item\n", items), "todo", "add", "-")
	}
	return p
}

// atOnce runs n commands at the same time, the arguments of which args returns, and returns how many failed.
func (p place) atOnce(t *testing.T, n int, args func(i int) []string) int {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	failed := 0
	begin := make(chan struct{})
	for i := range n {
		cmd := p.command("", nil, append(args(i), "--lock-timeout", "1m")...)
		all.Go(func() {
			<-begin
			if said, err := cmd.CombinedOutput(); err != nil {
				mu.Lock()
				failed++
				mu.Unlock()
				t.Errorf("%v: %s", err, said)
			}
		})
	}
	close(begin)
	all.Wait()
	return failed
}

func (p place) total(t *testing.T, want string) {
	t.Helper()
	if got := p.must(t, "", "todo", "show"); !strings.Contains(got, "\n"+want) {
		t.Errorf("want %q at the end of\n%.500s", want, got[max(0, len(got)-500):])
	}
}
