package session

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/storetest"
)

// count is a change that counts how often it was made.
func count(d *Document) (Change, error) {
	n, _ := strconv.Atoi(d.Settings["n"])
	d.Settings = map[string]string{"n": strconv.Itoa(n + 1)}
	return Change{What: "counted", By: "cli"}, nil
}

// counted returns how many changes were made.
func counted(t *testing.T, s *Store) int {
	t.Helper()
	doc, err := s.Load(name)
	if err != nil || doc == nil {
		t.Fatal(doc, err)
	}
	n, _ := strconv.Atoi(doc.Settings["n"])
	return n
}

// TestOperationsOfADay checks that the last thousand operations are remembered for a day, whatever is committed in between.
func TestOperationsOfADay(t *testing.T) {
	s := testStore(t)
	const ops = 1024
	apply := func(n int, now todo.Time) Commit {
		t.Helper()
		c, err := s.Update(name, fmt.Sprint("op-", n), now, count)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for n := range ops {
		apply(n, noon)
		if n%50 != 0 {
			continue
		}
		for range 17 { // onward's own commits do not displace any
			if _, err := s.Update(name, "", noon, func(*Document) (Change, error) { return Change{What: "an event"}, nil }); err != nil {
				t.Fatal(err)
			}
		}
	}
	for n := ops - 1000; n < ops; n += 9 {
		if c := apply(n, noon+todo.Time(23*time.Hour/time.Millisecond)); !c.Again || c.Change.What != "counted" || c.Doc.Rev <= uint64(n) {
			t.Fatalf("operation %d: %+v", n, c)
		}
	}
	if n := counted(t, s.Store); n != ops {
		t.Errorf("%d operations were applied, of %d", n, ops)
	}
	if c := apply(0, noon); c.Again {
		t.Error("more than a thousand are remembered")
	}
	if c := apply(ops/2, noon+todo.Time(25*time.Hour/time.Millisecond)); c.Again {
		t.Error("an operation was remembered for ever")
	}
}

// TestSameOperationsAtTheSameTime lets many processes try the same operations. Each must be applied once.
func TestSameOperationsAtTheSameTime(t *testing.T) {
	s := testStore(t)
	s.memory.Contended = true
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range 100 {
				if _, err := s.Update(name, fmt.Sprint("op-", n), noon, count); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := counted(t, s.Store); n != 100 {
		t.Errorf("100 operations were applied %d times", n)
	}
}

// dying is a store that fails from one of its calls on: before that call does anything, or after it has done everything.
type dying struct {
	store.Backend
	left int
	late bool
}

var errDead = errors.New("the process is dead")

func (d *dying) call(step func() error) error {
	if d.left--; d.left < 0 || d.left == 0 && !d.late {
		return errDead
	}
	if err := step(); err != nil || d.left > 0 {
		return err
	}
	return errDead
}

func (d *dying) Get(k store.Key) (v store.Value, err error) {
	err = d.call(func() error { v, err = d.Backend.Get(k); return err })
	return v, err
}

func (d *dying) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return d.call(func() error { return d.Backend.Update(k, change) })
}

// TestDeathBetweenDocumentAndMemory lets the process die at each call of the store, and then repeats all operations. Each of them must
// be applied exactly once.
func TestDeathBetweenDocumentAndMemory(t *testing.T) {
	const ops = 45
	apply := func(b store.Backend, n int) (Commit, error) {
		s := &Store{Backend: b, Notes: storetest.NewMemory()}
		return s.Update(name, fmt.Sprint("op-", n), noon, count)
	}
	for at, over := 1, false; !over; at++ {
		for _, late := range []bool{false, true} {
			memory := storetest.NewMemory()
			d := &dying{Backend: memory, left: at, late: late}
			acknowledged := 0
			for n := range ops {
				if _, err := apply(d, n); err != nil {
					break
				}
				acknowledged++
			}
			over = d.left > 0
			for n := range ops {
				c, err := apply(memory, n)
				if err != nil || n < acknowledged && !c.Again {
					t.Fatalf("dead at call %d, late %v: operation %d of %d: %+v, %v", at, late, n, acknowledged, c, err)
				}
			}
			if n := counted(t, &Store{Backend: memory, Notes: memory}); n != ops {
				t.Fatalf("dead at call %d, late %v: %d operations were applied %d times", at, late, ops, n)
			}
		}
	}
}

// TestUnreadableMemoryAppliesNothing checks that an operation is refused if it cannot be known whether it was applied before.
func TestUnreadableMemoryAppliesNothing(t *testing.T) {
	s := testStore(t)
	for n := range 30 {
		if _, err := s.Update(name, fmt.Sprint("op-", n), noon, count); err != nil {
			t.Fatal(err)
		}
	}
	s.memory.Damage(s.OperationLog().Key(name.String()), []byte("{"))
	if _, err := s.Update(name, "op-0", noon, count); !errors.Is(err, store.ErrCorrupt) || !errors.Is(err, store.ErrOperationsUnknown) {
		t.Error(err)
	}
	if c, err := s.Update(name, "op-29", noon, count); err != nil || !c.Again {
		t.Error(c, err)
	}
	if _, err := s.Update(name, "", noon, count); err != nil {
		t.Error(err)
	}
	if n := counted(t, s.Store); n != 31 {
		t.Errorf("%d changes", n)
	}
}
