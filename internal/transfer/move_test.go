package transfer

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/test/storetest"
)

// fault lets one call of two stores fail, before it has an effect or after it had all of it.
// If the fault is a death, all later calls fail too.
type fault struct {
	at, n      int
	late, dies bool
}

var errFault = store.WrapProblem(store.ErrIO, "a fault of the test")

func (f *fault) call(step func() error) error {
	f.n++
	if f.n > f.at && f.dies || f.n == f.at && !f.late {
		return errFault
	}
	err := step()
	if f.n == f.at {
		err = errFault
	}
	return err
}

// failing is a backend with a fault.
type failing struct {
	store.Backend
	*fault
}

func (f failing) Get(k store.Key) (v store.Value, err error) {
	err = f.call(func() error { v, err = f.Backend.Get(k); return err })
	if read := v.ReadLog; read != nil {
		v.ReadLog = func() (log []byte, err error) {
			err = f.call(func() error { log, err = read(); return err })
			return log, err
		}
	}
	return v, err
}

func (f failing) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return f.call(func() error { return f.Backend.Update(k, change) })
}

func (f failing) Hold(k store.Key, atOnce bool) (h store.Held, err error) {
	err = f.call(func() error { h, err = f.Backend.Hold(k, atOnce); return err })
	if err != nil {
		if h != nil {
			h.Release()
		}
		return nil, err
	}
	return failingHeld{h, f}, nil
}

type failingHeld struct {
	lease
	f failing
}

func (h failingHeld) Get(k store.Key) (store.Value, error) { return h.f.Get(k) }
func (h failingHeld) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return h.f.Update(k, change)
}

// push queues a message, so that there are calls.
func push(t *testing.T, s Side) {
	t.Helper()
	_, err := s.Calls.Update(name, "", now, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.PushMessage(d, "wait", "", now)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// usable reports whether a list and its calls can be used.
func usable(s Side) (list, calls bool) {
	doc, err := s.Lists.Load(name)
	of, broken := s.Calls.Load(name)
	return doc != nil && err == nil, of != nil && broken == nil
}

// arrived fails the test unless everything is in one of the stores only.
func arrived(t *testing.T, what string, from, to Side, calls bool) {
	t.Helper()
	if list, of := usable(from); list || of {
		t.Errorf("%s: the source can be used", what)
	}
	if list, of := usable(to); !list || of != calls || items(t, to) != 2 {
		t.Errorf("%s: the target: list %v, calls %v", what, list, of)
	}
	if history, err := to.Lists.History(name); err != nil || len(history) < 2 {
		t.Errorf("%s: a history of %d, %v", what, len(history), err)
	}
}

// moves lists the situations before a move: what the stores contain, and whether there are calls.
var moves = map[string]struct {
	calls bool
	make  func(t *testing.T, from, to Side)
}{
	"a new list":       {false, func(*testing.T, Side, Side) {}},
	"a list and calls": {true, func(t *testing.T, from, _ Side) { push(t, from) }},
	"one that comes back": {true, func(t *testing.T, from, to Side) {
		push(t, from)
		for _, m := range []Transfer{{From: from, To: to}, {From: to, To: from}} {
			m.Move, m.Now = true, now
			if did, err := m.TransferList(name); did != Moved || err != nil {
				t.Fatal(did, err)
			}
		}
	}},
	"one without calls that comes back": {false, func(t *testing.T, from, to Side) {
		for _, m := range []Transfer{{From: from, To: to}, {From: to, To: from}} {
			m.Move, m.Now = true, now
			if did, err := m.TransferList(name); did != Moved || err != nil {
				t.Fatal(did, err)
			}
		}
	}},
}

// TestMoveThatFails lets a move fail, or die, at each call of the stores in turn. There must never be two usable copies, and
// repeating the command must complete the move. A move that failed and did not die has changed nothing, or says that it has.
func TestMoveThatFails(t *testing.T) {
	for kind, c := range moves {
		for way := range 4 {
			for at := 1; ; at++ {
				f := &fault{at: at, late: way&1 != 0, dies: way&2 != 0}
				what := fmt.Sprintf("%s, call %d, late %v, dies %v", kind, at, f.late, f.dies)
				a, b := storetest.NewMemory(), storetest.NewMemory()
				from, to := side(a, a, "from"), side(b, b, "to")
				add(t, from, "first")
				add(t, from, "second")
				c.make(t, from, to)
				before, _ := b.Get(session.Key(name))
				move := Transfer{From: side(failing{a, f}, a, "from"), To: side(failing{b, f}, b, "to"), Move: true, Now: now}
				_, err := move.TransferList(name)
				if err == nil {
					arrived(t, what, from, to, c.calls)
				} else if f.n < at {
					t.Errorf("%s: %v", what, err)
				}
				here, calls := usable(from)
				there, callsThere := usable(to)
				if here && there || calls && callsThere {
					t.Errorf("%s: two copies can be used", what)
				}
				left, _ := b.Get(session.Key(name))
				if err != nil && !f.dies {
					if here && string(left.Data) != string(before.Data) {
						t.Errorf("%s: the copy is still there", what)
					}
					if !here && !errors.Is(err, ErrHalfway) {
						t.Errorf("%s: %v", what, err)
					}
				}
				if _, err := (&Transfer{From: from, To: to, Move: true, Now: now}).TransferList(name); err != nil {
					t.Errorf("%s: again: %v", what, err)
				}
				arrived(t, what, from, to, c.calls)
				if f.n < at {
					break
				}
			}
		}
	}
}

// TestOneOfTwoMovesComesFirst moves a list to two stores at the same time. One move must succeed, and the other must fail.
func TestOneOfTwoMovesComesFirst(t *testing.T) {
	for range 50 {
		var backends [3]*storetest.Memory
		var sides [3]Side
		for i := range sides {
			backends[i] = storetest.NewMemory()
			sides[i] = side(backends[i], backends[i], string(rune('a'+i)))
		}
		add(t, sides[0], "first")
		push(t, sides[0])
		var errs [2]error
		var both sync.WaitGroup
		for i := range errs {
			both.Go(func() {
				_, errs[i] = (&Transfer{From: sides[0], To: sides[i+1], Move: true, Now: now}).TransferList(name)
			})
		}
		both.Wait()
		won, lost := 0, 1
		if errs[0] != nil {
			won, lost = 1, 0
		}
		if errs[won] != nil || !errors.Is(errs[lost], store.ErrBusy) && !errors.Is(errs[lost], store.ErrMoved) {
			t.Fatal(errs)
		}
		for i, want := range map[int]bool{0: false, won + 1: true, lost + 1: false} {
			if list, calls := usable(sides[i]); list != want || calls != want {
				t.Errorf("store %d: list %v, calls %v", i, list, calls)
			}
		}
		if v, err := backends[lost+1].Get(session.Key(name)); v.Data != nil || err != nil {
			t.Error("the loser has left its copy")
		}
	}
}

// TestOperationsMoveAlong checks that the target knows the operations that were applied at the source.
func TestOperationsMoveAlong(t *testing.T) {
	a, b := storetest.NewMemory(), storetest.NewMemory()
	from, to := side(a, a, "from"), side(b, b, "to")
	change := func(s Side, n int) (bool, bool) {
		t.Helper()
		list, err := s.Lists.Update(name, fmt.Sprint("op", n), now, func(d *session.Document) (session.Change, error) {
			return session.Change{What: "changed"}, nil
		})
		calls, other := s.Calls.Update(name, fmt.Sprint("op", n), now, func(d *schedule.Document) (schedule.Change, error) {
			return schedule.PushMessage(d, "wait", "", now)
		})
		if err != nil || other != nil {
			t.Fatal(err, other)
		}
		return list.Again, calls.Again
	}
	for n := range 50 {
		change(from, n)
	}
	if did, err := (&Transfer{From: from, To: to, Move: true, Now: now}).TransferList(name); did != Moved || err != nil {
		t.Fatal(did, err)
	}
	for n := range 50 {
		if list, calls := change(to, n); !list || !calls {
			t.Errorf("operation %d: list %v, calls %v", n, list, calls)
		}
	}
}

// TestUnfinishedMoveIsNamed checks the errors about a copy that has not arrived.
func TestUnfinishedMoveIsNamed(t *testing.T) {
	a, b := storetest.NewMemory(), storetest.NewMemory()
	from, to := side(a, a, "from"), side(b, b, "to")
	add(t, from, "first")
	doc, v, err := from.Lists.LoadMoved(name)
	if err != nil {
		t.Fatal(err)
	}
	m := Transfer{From: from, To: to, Move: true, Now: now}
	data, err := m.outgoing(doc, v.Data)
	if err == nil {
		err = b.Update(session.Key(name), func(store.Value, error) (store.Write, error) {
			return store.Write{Data: data, Now: now.Time()}, nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.Lists.Load(name); !errors.Is(err, store.ErrMoved) || !errors.Is(err, store.ErrArriving) {
		t.Error(err)
	}
	if did, err := m.TransferList(name); did != Moved || err != nil {
		t.Error(did, err)
	}
}
