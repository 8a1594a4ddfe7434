//go:build unix

package torture

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// TestFaults runs all kinds of work during all kinds of faults, and then compares every answer with what the manual promises.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: it takes half a minute")
	}
	w := newWorld(t)
	w.work()
	w.print()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if *seed == 0 {
		*seed = rand.Uint64N(1 << 32)
	}
	w := &world{
		t: t, dir: temporary(t), servers: cluster.New(t, 3), over: make(chan struct{}), began: time.Now(),
		dice: rand.New(rand.NewPCG(*seed, 1)), codes: map[int]int{}, faults: map[string]int{},
	}
	if err := w.servers.WaitForLeader(longest); err != nil {
		t.Fatal(err)
	}
	return w
}

// kind is a kind of work, with functions that prepare it and that check its results.
type kind struct {
	name  string
	begin func(c *client)
	tasks []func(c *client, who int)
	close func(c *client)
}

func (w *world) kinds() []kind {
	l, m, q, s := &lists{world: w}, &messages{world: w, printed: map[string]int{}}, &questions{world: w}, &sessions{world: w}
	k := &calls{world: w, effects: filepath.Join(w.dir, "effects"), ends: filepath.Join(w.dir, "ends")}
	all := []kind{
		{"lists", l.open, []func(*client, int){l.work, l.work, l.work, l.work, l.work}, l.close},
		{"messages", nil, []func(*client, int){m.write, m.write, m.read, m.read}, m.close},
		{"calls", nil, []func(*client, int){k.submit, k.run, k.run, k.look}, k.close},
		{"questions", nil, []func(*client, int){q.work, q.work}, q.close},
		{"sessions", nil, []func(*client, int){s.work, s.work}, s.close},
	}
	return slices.DeleteFunc(all, func(k kind) bool { return !slices.Contains(strings.Split(*parts, ","), k.name) })
}

// work runs all kinds of work for the given time. At its end, the servers and the network work again.
func (w *world) work() {
	sound := w.newClient("judge", "judge")
	sound.sound = true
	all := w.kinds()
	var busy sync.WaitGroup
	who := 0
	for _, k := range all {
		if k.begin != nil {
			k.begin(sound)
		}
	}
	type worker struct {
		task func(*client, int)
		c    *client
	}
	var workers []worker
	for _, k := range all {
		for _, task := range k.tasks {
			// Two home folders: each kind of work is done on two machines.
			workers = append(workers, worker{task, w.newClient(fmt.Sprint(k.name, who), fmt.Sprint("home", who%2))})
			who++
		}
	}
	for i, one := range workers {
		busy.Go(func() { one.task(one.c, i+1) })
	}
	if !*calm {
		dice := rand.New(rand.NewPCG(*seed, 2))
		first, second := plan(dice, serverFaults(), lasting()), plan(dice, networkFaults(), lasting())
		busy.Go(func() { w.suffer(first) })
		busy.Go(func() { w.suffer(second) })
	}
	time.Sleep(lasting())
	for w.count() < enough { // a busy machine needs more time for that many
		time.Sleep(100 * time.Millisecond)
	}
	close(w.over)
	busy.Wait()
	w.wires(cluster.NoFault, 0, -1)
	if err := w.servers.WaitForLeader(longest); err != nil {
		w.breaks("the servers do not recover: %v", err)
	}
	w.report("after %v everything was left alone", w.now().Round(time.Second))
	for _, k := range all {
		k.close(sound)
	}
}

// enough is the number of commands below which a run proves nothing.
const enough = 200

func (w *world) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.commands
}

// print prints the report, and fails the test if a promise was broken.
func (w *world) print() {
	var codes, faults []string
	for _, code := range slices.Sorted(maps.Keys(w.codes)) {
		codes = append(codes, fmt.Sprintf("%d: %d", code, w.codes[code]))
	}
	total := 0
	for _, name := range slices.Sorted(maps.Keys(w.faults)) {
		faults = append(faults, fmt.Sprintf("%s %d", name, w.faults[name]))
		total += w.faults[name]
	}
	rows := append([]string{
		fmt.Sprintf("three servers of %s, seed %d", cluster.Version(), *seed),
		fmt.Sprintf("%d commands, %d with a wrong clock, %d killed; exit codes %s", w.commands, w.wrong, w.killed, strings.Join(codes, ", ")),
		fmt.Sprintf("%d faults: %s", total, strings.Join(faults, ", ")),
	}, w.rows...)
	w.t.Log("\n  " + strings.Join(rows, "\n  "))
	if len(w.broken) == 0 {
		return
	}
	some := w.broken[:min(len(w.broken), 40)]
	w.t.Errorf("%d times a promise was broken; every command with its answer is in %s; run it again with -seed %d\n  %s",
		len(w.broken), w.save(), *seed, strings.Join(some, "\n  "))
}
