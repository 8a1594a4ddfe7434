package durable

import (
	"fmt"
	"strings"
	"testing"

	"onward/internal/todo"
)

// TestManyProcessesLoseNothing runs many workers at the same time, each of which adds items one after the other.
func TestManyProcessesLoseNothing(t *testing.T) {
	for _, size := range []struct{ workers, each int }{{16, 125}, {64, 25}} {
		t.Run(fmt.Sprintf("%d times %d", size.workers, size.each), func(t *testing.T) {
			switch {
			case raceDetector:
				size.workers, size.each = 16, 10 // the race detector finds no races between processes, and slows them down
			case !*long:
				size.each /= 4
			}
			manyProcesses(t, memoryStore(t), size.workers, size.each)
		})
	}
}

func manyProcesses(t *testing.T, s *files, workers, each int) {
	running := make([]*worker, workers)
	for i := range running {
		running[i] = startWorker(t, "add", s.Dir, fmt.Sprint(i), 0, each)
	}
	for _, w := range running {
		w.begin.Close()
	}
	for _, w := range running {
		w.finish(t)
	}
	d := mustLoad(t, s)
	if want := workers * each; d.Rev != uint64(want) || len(d.Todos.Items) != want {
		t.Errorf("rev %d and %d items, want %d of both", d.Rev, len(d.Todos.Items), want)
	}
	ids, texts := map[string]bool{}, map[string]bool{}
	last := map[string]int{}
	for _, it := range d.Todos.Items {
		if ids[it.ID] || texts[it.Content] {
			t.Errorf("%s %s is duplicated", it.ID, it.Content)
		}
		ids[it.ID], texts[it.Content] = true, true
		// Each worker has waited for its own change before the next one.
		w, number, _ := strings.Cut(it.Content, "-")
		n := atoi(number)
		if n < last[w] {
			t.Errorf("%s follows a later one", it.Content)
		}
		last[w] = n
	}
	if h, err := s.History(name); err != nil || len(h) == 0 || h[0].Rev != d.Rev {
		t.Errorf("history: %d entries, %v", len(h), err)
	}
}

// TestEachProcessCompletesAnotherItem lets each worker complete its own item. An update would be lost if a worker wrote back
// a list that it had read before another one wrote.
func TestEachProcessCompletesAnotherItem(t *testing.T) {
	const n = 40
	s := testStore(t)
	for i := range n {
		mustAdd(t, s, fmt.Sprint("item ", i))
	}
	running := make([]*worker, n)
	for i := range running {
		running[i] = startWorker(t, "complete", s.Dir, "", i, i+1)
	}
	for _, w := range running {
		w.begin.Close()
	}
	for _, w := range running {
		w.finish(t)
	}
	d := mustLoad(t, s)
	if done := todo.Count(d.Todos.Items).Of(todo.Completed); done != n || d.Rev != 2*n {
		t.Errorf("%d are completed at rev %d", done, d.Rev)
	}
}
