package session

import (
	"testing"

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
		want    bool
	}{
		{"only the clock counts", now + 1, nil, true, nil, true, here, true},
		{"only the clock counts, and it is over", now, nil, false, nil, true, here, false},
		{"a process at work", now + 1, here, false, nil, false, here, true},
		{"a process that has ended", now + 1, here, true, nil, false, nil, false},
		{"a conversation that claimed long ago", now, here, false, nil, false, here, false},
		{"a run whose keeper ends the agent", now + 1, here, true, &Run{Item: "t1", Process: here, Keeper: keeper}, false, keeper, true},
		{"a run that was killed", now + 1, here, true, &Run{Item: "t1", Process: here, Keeper: keeper}, true, nil, false},
		{"a run, and the clock is ahead", now, here, false, &Run{Item: "t1", Process: here}, true, here, true},
		{"the next item's run", now, here, false, &Run{Item: "t2", Process: here}, true, here, false},
		{"a run elsewhere, and the clock is ahead", now, elsewhere, false, &Run{Item: "t1", Process: elsewhere}, true, nil, true},
		{"a run elsewhere that has ended", now, elsewhere, false, &Run{Item: "t1", Process: elsewhere}, false, nil, false},
		{"a run elsewhere that the store has not seen for a while", now + 1, elsewhere, false, &Run{Item: "t1", Process: elsewhere}, false, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory := storetest.NewMemory()
			s := &Store{
				Backend: memory, Notes: memory,
				Gone:  func(p *Process) bool { return c.gone && p.Is(c.process) },
				Lives: func(p *Process) bool { return p != nil && p.Is(c.lives) },
			}
			held, err := memory.Hold(RunKey(queue.OfWorker("w1")), true)
			if err != nil {
				t.Fatal(err)
			}
			if c.run != nil {
				c.run.Queue, c.run.Mark, c.run.Agent = queue.String(), "m", "codex"
				if err := WriteRun(held, queue.OfWorker("w1"), c.run, 1); err != nil {
					t.Fatal(err)
				}
			}
			if !c.held {
				held.Release()
			}
			it := todo.Item{ID: "t1", Claim: &todo.Claim{By: "w1", Until: c.until, Process: c.process}}
			if got := s.Holds(queue, &it, now); got != c.want {
				t.Errorf("%t, want %t", got, c.want)
			}
		})
	}
	memory := storetest.NewMemory()
	s := &Store{Backend: failing{memory}, Notes: memory}
	if it := (todo.Item{ID: "t1", Claim: &todo.Claim{By: "w1", Until: now, Process: elsewhere}}); !s.Holds(queue, &it, now) {
		t.Error("an item is given away while the store does not say whether its run is at work")
	}
}

// failing is a store whose reads fail.
type failing struct{ store.Backend }

func (failing) Get(store.Key) (store.Value, error) { return store.Value{}, store.ErrBusy }
