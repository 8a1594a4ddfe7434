package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// moving are the commands for a session with two items and a tool call that writes a line to a file each time it runs.
var moving = []string{"todo add first", "todo add second", `schedule submit shell --id c --approval-mode yolo --args {"command":"echo\u0020ran>>ran"}`}

// in returns the same place with another store.
func (p place) in(store string) place {
	p.with = append(p.with[:len(p.with):len(p.with)], "ONWARD_STORE="+store)
	return p
}

// usable reports whether the list of a store can be changed, and whether its calls can be.
func (p place) usable(t *testing.T, store string) (list, calls bool) {
	t.Helper()
	at := p.in(store)
	list = at.run(t, "", nil, "todo", "start", "1").code == 0
	return list, strings.Contains(at.run(t, "", nil, "schedule", "list").out, "c ")
}

// ran returns how often the call ran.
func (p place) ran(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.work, "ran"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(data), "\n")
}

// TestMoveKilledAtEverySystemCall kills a move at its system calls: at all of them in a sweep, otherwise at a sample.
// There must never be two copies that can be used, no call may run twice, and repeating the command completes the move.
func TestMoveKilledAtEverySystemCall(t *testing.T) {
	onlyLong(t)
	t.Parallel()
	needStrace(t)
	from := mutation{before: moving}.prepare(t)
	p := from.copy(t)
	other := filepath.Join(p.dir, "other")
	m := mutation{args: "store copy --move " + p.store() + " " + other + " s"}
	all := m.points(t, p)
	step := 1
	if *form == "none" || *form == "sample" {
		step = len(all)/50 + 1 // a sample of the system calls on each file that a move writes
	}
	missed := 0
	for i := 0; i < len(all); i += step {
		p.restore(t, from)
		for _, path := range []string{other, filepath.Join(p.work, "ran")} {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
		if r, killed := m.inject(t, p, all[i], "signal=SIGKILL"); !killed || r.code != -1 {
			missed++ // in this run, Go's runtime made other calls
			continue
		}
		what := fmt.Sprintf("killed at call %d, %s", i, all[i].text)
		list, calls := p.usable(t, p.store())
		there, callsThere := p.usable(t, other)
		if list && there || calls && callsThere {
			t.Errorf("%s: two copies can be used", what)
		}
		p.run(t, "", nil, "schedule", "run")
		p.in(other).run(t, "", nil, "schedule", "run")
		if p.ran(t) > 1 {
			t.Errorf("%s: a call ran twice", what)
		}
		if r := p.run(t, "", nil, strings.Fields(m.args)...); r.code != 0 {
			t.Errorf("%s: again: %s", what, r.errors)
		}
		list, calls = p.usable(t, p.store())
		there, callsThere = p.usable(t, other)
		if list || calls || !there || !callsThere {
			t.Errorf("%s: not completed: here %v %v, there %v %v", what, list, calls, there, callsThere)
		}
		p.in(other).run(t, "", nil, "schedule", "run")
		if n := p.ran(t); n != 1 {
			t.Errorf("%s: the call ran %d times", what, n)
		}
		if history := p.in(other).must(t, "", "todo", "history"); !strings.Contains(history, "second") {
			t.Errorf("%s: a history of %s", what, history)
		}
	}
	t.Logf("%d points, %d not reached", (len(all)+step-1)/step, missed)
	if missed > len(all)/step/2 {
		t.Error("too few points were reached")
	}
}

// TestTwoMovesOfOneSession moves a session to two stores at the same time. One move succeeds, and the other leaves no copy.
func TestTwoMovesOfOneSession(t *testing.T) {
	t.Parallel()
	from := mutation{before: moving}.prepare(t)
	p := from.copy(t)
	races := 50
	if *form == "none" {
		races = 5
	}
	for range races {
		p.restore(t, from)
		var codes [2]int
		var stores [2]string
		var both sync.WaitGroup
		for i := range stores {
			stores[i] = filepath.Join(p.dir, fmt.Sprint("target", i))
			if err := os.RemoveAll(stores[i]); err != nil {
				t.Fatal(err)
			}
			both.Go(func() { codes[i] = p.run(t, "", nil, "store", "copy", "--move", p.store(), stores[i], "s").code })
		}
		both.Wait()
		for i, code := range codes {
			list, calls := p.usable(t, stores[i])
			if won := code == 0; code != 0 && code != 75 || list != won || calls != won || codes[1-i] == code {
				t.Errorf("codes %v, store %d: list %v, calls %v", codes, i, list, calls)
			}
		}
		if list, calls := p.usable(t, p.store()); list || calls {
			t.Errorf("the source: list %v, calls %v", list, calls)
		}
	}
}
