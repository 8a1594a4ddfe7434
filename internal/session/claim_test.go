package session

import (
	"testing"
	"time"

	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/storetest"
)

// TestHolds checks whether a claim excludes other workers, depending on what is known of its process and its run.
func TestHolds(t *testing.T) {
	const now = todo.Time(1000)
	queue := Name{Session: "release"}
	here, elsewhere := &Process{PID: 1}, &Process{PID: 2, Host: "there"}
	keeper := &Process{PID: 3}
	for _, c := range []struct {
		name    string
		until   todo.Time
		process *Process
		gone    bool
		run     *Run // the worker's run; nil if it left no record
		held    bool // a run holds it, by the store
		lives   *Process
		shared  bool // the store is one that machines share
		want    bool
	}{
		{"only the clock counts", now + 1, nil, true, nil, true, here, false, true},
		{"only the clock counts, and it is over", now, nil, false, nil, true, here, false, false},
		{"a process at work", now + 1, here, false, nil, false, here, false, true},
		{"a process that has ended", now + 1, here, true, nil, false, nil, false, false},
		{"a conversation that claimed long ago", now, here, false, nil, false, here, false, false},
		{"a run whose keeper ends the agent", now + 1, here, true, &Run{Item: "t1", Process: here, Keeper: keeper}, false, keeper, false, true},
		{"a run that was killed", now + 1, here, true, &Run{Item: "t1", Process: here, Keeper: keeper}, true, nil, false, false},
		{"a run, and the clock is ahead", now, here, false, &Run{Item: "t1", Process: here}, true, here, false, true},
		{"the next item's run", now, here, false, &Run{Item: "t2", Process: here}, true, here, false, false},
		{"a run elsewhere, and the clock is ahead", now, elsewhere, false, &Run{Item: "t1", Process: elsewhere}, true, nil, false, true},
		{"a run elsewhere that has ended", now, elsewhere, false, &Run{Item: "t1", Process: elsewhere}, false, nil, false, false},
		{"a run elsewhere that the store has not seen for a while", now + 1, elsewhere, false, &Run{Item: "t1", Process: elsewhere}, false, nil, false, true},
		{"a run elsewhere that the servers have not heard of", now + 1, elsewhere, false, &Run{Item: "t1", Process: elsewhere}, false, nil, true, false},
		{"a run elsewhere that holds its session", now + 1, elsewhere, false, &Run{Item: "t1", Process: elsewhere}, true, nil, true, true},
		{"a run here that holds its session again soon", now + 1, here, false, &Run{Item: "t1", Process: here}, false, here, true, true},
		{"a process elsewhere that is no run", now + 1, elsewhere, false, nil, false, nil, true, true},
		{"a process elsewhere, and an earlier run", now + 1, elsewhere, false, &Run{Item: "t1", Process: keeper}, false, nil, true, true},
		{"a process elsewhere, and the next item's run", now + 1, elsewhere, false, &Run{Item: "t2", Process: elsewhere}, false, nil, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory := storetest.NewMemory()
			s := &Store{
				Backend: memory, Notes: memory,
				Gone:    func(p *Process) bool { return c.gone && p.Is(c.process) },
				IsAlive: func(p *Process) bool { return p != nil && p.Is(c.lives) },
			}
			if c.shared {
				s.Backend = shared{memory}
			}
			held, err := memory.Hold(RunKey(queue.WorkerSession("w1")), true)
			if err != nil {
				t.Fatal(err)
			}
			if c.run != nil {
				c.run.Queue, c.run.Mark, c.run.Agent = queue.String(), "m", "codex"
				if err := WriteRun(held, queue.WorkerSession("w1"), c.run, 1); err != nil {
					t.Fatal(err)
				}
			}
			if !c.held {
				held.Release()
			}
			it := todo.Item{ID: "t1", Claim: &todo.Claim{By: "w1", Until: c.until, Process: c.process}}
			if got := s.ClaimHolds(queue, &it, now); got != c.want {
				t.Errorf("%t, want %t", got, c.want)
			}
		})
	}
	memory := storetest.NewMemory()
	for _, until := range []todo.Time{now, now + 1} {
		s := &Store{Backend: failing{memory}, Notes: memory}
		if it := (todo.Item{ID: "t1", Claim: &todo.Claim{By: "w1", Until: until, Process: elsewhere}}); !s.ClaimHolds(queue, &it, now) {
			t.Error("an item is given away while the store does not say whether its run is at work")
		}
	}
}

// shared is a store that machines share.
type shared struct{ store.Backend }

func (shared) Silent() time.Time { return time.Time{} }

// failing is a store whose reads fail.
type failing struct{ store.Backend }

func (failing) Silent() time.Time { return time.Time{} }

func (failing) Get(store.Key) (store.Value, error) { return store.Value{}, store.ErrBusy }
